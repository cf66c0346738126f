//! What a `stream-json` file may hold: each case as lines, and what the replay shows of it.

use iris_core::protocol::frame::TurnStatus;
use iris_core::run::Speed;

use crate::desk::{Desk, index, texts};

const INIT: &str =
    r#"{"type":"system","subtype":"init","model":"m","session_id":"s","timestamp":1764500000000}"#;
const DONE: &str = r#"{"type":"result","session_id":"s","exit_code":0,"text":"","timestamp":1764500009000}"#;

/// The tools in the order of their beginning, as `name+` that worked, `name-` that failed and `name?` of which nobody said;
/// then the texts that stay, and how the turn ended.
#[track_caller]
fn check(lines: &[&str], tools: &str, expected: &[&str], status: TurnStatus) {
    let file = [&[INIT], lines].concat().join("\n");
    let indexer = index(file.as_bytes());
    let index = indexer.index();
    assert_eq!(index.damaged, []);
    let mark = |ok: Option<bool>| ok.map_or('?', |ok| if ok { '+' } else { '-' });
    let shown: Vec<String> =
        index.tools.iter().map(|tool| format!("{}{}", tool.name, mark(tool.ok))).collect();
    assert_eq!(shown.join(" "), tools);
    assert!(index.tools.iter().all(|tool| tool.to_ms.is_some()), "none is left running");
    assert_eq!(index.turns.iter().map(|turn| turn.status).collect::<Vec<_>>(), [Some(status)]);
    for speed in [Speed::Original, Speed::Instant] {
        let mut desk = Desk::new(file.as_bytes(), index);
        desk.player.subscribe(None, index, 0);
        desk.player.set_speed(speed, index, 0);
        desk.player.play(index, 0);
        desk.run();
        assert_eq!(texts(&desk.frames), expected, "{speed:?}");
        assert!(!desk.timeline.running());
    }
}

#[test]
fn two_tools_of_the_same_name_end_in_their_order() {
    let (begin, end) = (
        r#"{"type":"tool_use","name":"terminal","input":{"command":"a"}}"#,
        r#"{"type":"tool_result","name":"terminal","output":"a","duration_ms":1,"is_error":false}"#,
    );
    let failed = end.replace("false", "true");
    check(&[begin, begin, end, &failed, DONE], "terminal+ terminal-", &[], TurnStatus::Complete);
}

#[test]
fn a_result_without_its_call_and_a_call_without_its_result_are_both_shown() {
    let result = r#"{"type":"tool_result","name":"read_file","output":"a","duration_ms":1,"is_error":false}"#;
    check(&[result, DONE], "read_file+", &[], TurnStatus::Complete);
    check(&[r#"{"type":"tool_use","name":"terminal"}"#, DONE], "terminal?", &[], TurnStatus::Complete);
}

#[test]
fn an_output_cut_anywhere_and_a_text_split_anywhere_are_text() {
    let cut = "```\\n".to_owned() + &"e\u{301}".repeat(2_498);
    assert_eq!(cut.replace("\\n", "\n").chars().count(), 5_000);
    let result = format!(
        r#"{{"type":"tool_result","name":"terminal","output":"{cut}","duration_ms":1,"is_error":false}}"#
    );
    let (half, rest) = (r#"{"type":"text","text":"e"}"#, "{\"type\":\"text\",\"text\":\"\u{301}!\"}");
    let use_it = r#"{"type":"tool_use","name":"terminal","input":{}}"#;
    check(&[use_it, &result, half, rest, DONE], "terminal+", &["e\u{301}!"], TurnStatus::Complete);
    let (high, low) = (r#"{"type":"text","text":"a \ud83d"}"#, r#"{"type":"text","text":"\ude00 b"}"#);
    check(&[high, low, DONE], "", &["a \u{fffd}\u{fffd} b"], TurnStatus::Complete);
}

#[test]
fn what_is_unknown_changes_nothing() {
    let later = r#"{"type":"later","text":"x","timestamp":1764500000500}"#;
    let text = r#"{"type":"text","text":"Hi","more":[1],"timestamp":1764500000400}"#;
    check(&[later, text, DONE], "", &["Hi"], TurnStatus::Complete);
}

#[test]
fn times_that_go_back_or_stand_still_go_on_from_where_it_was() {
    let at = |text: &str, at: u64| format!(r#"{{"type":"text","text":"{text}","timestamp":{at}}}"#);
    let lines = [at("a", 1_764_500_003_000), at("b", 1_764_500_001_000), at("c", 1_764_500_003_000)];
    let lines: Vec<&str> = lines.iter().map(String::as_str).chain([DONE]).collect();
    check(&lines, "", &["abc"], TurnStatus::Complete);
}

#[test]
fn a_run_that_was_stopped_or_failed_keeps_what_came() {
    let text = r#"{"type":"text","text":"Half an ans"}"#;
    let zeros = r#""tokens":{"input":0,"output":0,"total":0}"#;
    for (code, status) in [(130, TurnStatus::Interrupted), (1, TurnStatus::Error), (75, TurnStatus::Error)] {
        let end = format!(r#"{{"type":"result","exit_code":{code},"text":"","error":"Why",{zeros}}}"#);
        check(&[text, &end], "", &["Half an ans"], status);
    }
    check(&[text], "", &["Half an ans"], TurnStatus::Lost);
}

#[test]
fn a_final_text_that_differs_stands_once_in_place_of_what_was_streamed() {
    let text = r#"{"type":"text","text":"What was streamed"}"#;
    check(&[text, &DONE.replace("\"\"", "\"What stays\"")], "", &["What stays"], TurnStatus::Complete);
    check(
        &[text, &DONE.replace("\"\"", "\"What was streamed\"")],
        "",
        &["What was streamed"],
        TurnStatus::Complete,
    );
}
