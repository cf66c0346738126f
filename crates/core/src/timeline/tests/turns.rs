use crate::protocol::frame::{Tokens, TurnStatus};
use crate::timeline::testing::check;

#[test]
fn typing_shows_until_the_first_text() {
    let mut test = check("typing on", "");
    assert!(test.typing && test.running);
    test.line("start m1");
    assert!(!test.typing && test.running);
    test.line("typing on");
    assert!(!test.typing, "a live text is sign enough");
    test.play("stop m1 Look\ntyping on");
    assert!(test.typing);
    test.line("typing off");
    assert!(!test.typing && !test.running);
}

#[test]
fn a_peer_that_never_types_ends_its_turn_with_its_text() {
    let mut test = check("start m1\nupdate m1 Hi", "m1: Hi…");
    assert!(test.running);
    test.line("stop m1 Hi!");
    assert!(!test.running);
}

#[test]
fn a_numbered_turn_runs_from_its_start_to_its_end() {
    let mut test = check("typing on\nturn t\nupdate m1 Hi\nstop m1\ntyping off", "m1: Hi");
    assert!(test.running, "typing says nothing about a numbered turn");
    test.line("end t complete");
    assert!(!test.running);
    test.play("typing on");
    assert!(test.typing && !test.running, "late typing opens no turn");
    test.play("typing off\nend t error Twice").shows("m1: Hi");
}

#[test]
fn the_end_of_an_older_turn_does_not_end_this_one() {
    let test = check("turn t\nturn u\nupdate m1 Hi\nend t interrupted", "m1: Hi…");
    assert!(test.running);
}

#[test]
fn a_text_that_its_turn_cut_says_so() {
    for (status, cut, notice) in [
        ("complete", None, ""),
        ("interrupted", Some(TurnStatus::Interrupted), ""),
        ("lost", Some(TurnStatus::Lost), "! Connection to the run was lost"),
        ("error Broken", Some(TurnStatus::Error), "!! Broken"),
    ] {
        let text = if cut.is_some() { "m1: Hal ✂" } else { "m1: Hal" };
        let test = check(&format!("turn t\nupdate m1 Hal\nend t {status}"), &format!("{text}\n{notice}"));
        assert_eq!(test.answer("m1").cut, cut);
    }
}

#[test]
fn what_stands_last_when_the_user_stops_a_turn_is_cut_and_what_stands_before_is_not() {
    let test = check("turn t\nupdate m1 Al\nstop m1 Al\nend t interrupted", "m1: Al ✂");
    assert_eq!(test.answer("m1").cut, Some(TurnStatus::Interrupted));
    check(
        "turn t\nstop m1 Al\nnotice stopped Stopped by you\nend t interrupted",
        "m1: Al ✂\n! Stopped by you",
    );
    let test = check("turn t\nstop m1 All\ntool 1 a\nend t interrupted", "m1: All\n[1 a ∅]\n! Stopped");
    assert_eq!(test.answer("m1").cut, None);
    // What another turn left cut says nothing of this one.
    check("turn t\nupdate m1 Al\nend t interrupted\nturn u\nend u interrupted", "m1: Al ✂\n! Stopped");
}

#[test]
fn what_a_turn_cost_stands_below_its_last_answer() {
    let end =
        r#"{"type":"turn.end","turn":"t","status":"complete","model":"demo","tokens":42,"duration_ms":1200}"#;
    let test = check(&format!("turn t\nstop m1 First\nstop m2 Last\n{end}"), "m1: First\nm2: Last");
    let footer = test.answer("m2").footer;
    assert_eq!((footer.model.as_deref(), footer.duration_ms), (Some("demo"), Some(1_200)));
    assert_eq!(footer.tokens, Some(Tokens { total: Some(42), ..Tokens::default() }));
    assert_eq!(test.answer("m1").footer.model, None);
}

#[test]
fn a_footer_of_the_answers_own_wins() {
    let test = check(
        r#"turn t
        {"type":"message.stop","message_id":"m1","final_text":"Hi","model":"own","tokens":7}
        {"type":"turn.end","turn":"t","status":"complete","model":"turn","tokens":42,"duration_ms":1200}"#,
        "m1: Hi",
    );
    let footer = test.answer("m1").footer;
    assert_eq!((footer.model.as_deref(), footer.duration_ms), (Some("own"), Some(1_200)));
    assert_eq!(footer.tokens.and_then(|tokens| tokens.total), Some(7));
}

#[test]
fn a_failure_is_told_once() {
    check("turn t\nend t error Broken", "!! Broken");
    check("turn t\nstop m1 Sorry: Broken. Try again.\nend t error Broken", "m1: Sorry: Broken. Try again.");
    check("turn t\nerror - Broken\nend t error Broken", "!! Broken");
    check("turn t\nnotice stopped Stopped by you\nend t interrupted", "! Stopped by you");
    check("turn t\nend t error", "!! The turn failed");
    check(
        r#"turn t
        {"type":"turn.end","turn":"t","status":"error","exit_code":75}"#,
        "!! The turn failed with exit code 75",
    );
}

#[test]
fn an_error_ends_a_turn_that_says_nothing_more() {
    let test =
        check("typing on\nupdate m1 Hal\nerror - The adapter broke", "m1: Hal ✂\n!! The adapter broke");
    assert!(!test.running && !test.typing);
    let test =
        check("turn t\nupdate m1 Hal\nerror turn.stop Nothing to stop", "m1: Hal…\n!! Nothing to stop");
    assert!(test.running, "an error about a request does not end the turn");
    let named = |error: &str| {
        let start = r#"{"type":"turn.start","chat":"c","seq":1,"turn":"t"}"#;
        check(&format!("{start}\n{error}"), "!! E").running
    };
    assert!(named(r#"{"type":"error","code":"x","text":"E"}"#), "nor does one about the connection");
    assert!(!named(r#"{"type":"error","chat":"c","code":"x","text":"E"}"#));
}

#[test]
fn a_heartbeat_replaces_the_last_and_goes_with_its_turn() {
    let mut test = check("turn t\nnotice working 3 min\nnotice working 6 min", "! 6 min");
    test.play("notice retrying Again\nnotice working 9 min").shows("! Again\n! 9 min");
    test.play("notice retrying Again").shows("! Again ×2\n! 9 min");
    test.play("end t complete").shows("! Again ×2");
}

#[test]
fn a_question_waits_and_is_answered_in_place() {
    let mut test = check("turn t\nask q May I?\nask q May I?", "? May I?");
    let keys = test.keys();
    test.play("tool 1 x\nclosed q Approved\nclosed q Approved\nask q May I?")
        .shows("? May I? -> Approved\n[1 x …]");
    assert_eq!(test.last, []);
    assert_eq!(test.keys()[0], keys[0]);
    check("turn t\nask q May I?\nend t interrupted", "? May I? -> Not answered\n! Stopped");
    check("closed nobody Approved", "");
}

#[test]
fn frames_of_a_later_version_and_of_the_connection_change_nothing() {
    let test = check(
        r#"{"type":"hello","protocol":1}
        {"type":"pong","t":1}
        {"type":"mood","text":"good"}
        {"type":"chat.updated","chat":"c","updated_ms":1,"running":true}"#,
        "",
    );
    assert!(!test.running);
}
