//! What files are like: damaged, cut, mixed, made by others.

use iris_core::run::summary::Ended;
use iris_core::run::{Format, Index};

use crate::desk::{Desk, index, picture, texts};

const INIT: &str =
    r#"{"type":"system","subtype":"init","model":"m","session_id":"s1","timestamp":1796040000000}"#;
const TEXT: &str = r#"{"type":"text","text":"Hi","timestamp":1796040000100}"#;
const RESULT: &str = r#"{"type":"result","session_id":"s1","exit_code":0,"text":"Hi","tokens":{"total":3},"timestamp":1796040000200}"#;

/// The texts that the file leads to, and its damaged lines.
fn read(file: &[u8]) -> (Vec<String>, Vec<String>) {
    let indexer = index(file);
    let mut desk = Desk::new(file, indexer.index());
    desk.player.subscribe(None, desk.index, 0);
    desk.player.seek_time(u64::MAX, desk.index, 0);
    desk.settle();
    assert!(!desk.timeline.running(), "nothing runs after the end");
    (texts(&desk.frames), damage(indexer.index()))
}

fn damage(index: &Index) -> Vec<String> {
    assert_eq!(index.damaged.len() as u64, index.damaged_count);
    index.damaged.iter().map(|damage| format!("{}: {}", damage.line, damage.problem)).collect()
}

#[track_caller]
fn check(file: impl AsRef<[u8]>, expected: &[&str], damaged: &[&str]) {
    let (texts, damage) = read(file.as_ref());
    assert_eq!(texts, expected);
    let begins = damage.len() == damaged.len()
        && damage.iter().zip(damaged).all(|(damage, expected)| damage.starts_with(expected));
    assert!(begins, "{damage:?} is not {damaged:?}");
}

#[test]
fn a_file_may_be_written_in_many_ways() {
    check(format!("{INIT}\n{TEXT}\n{RESULT}\n"), &["Hi"], &[]);
    check(format!("{INIT}\r\n{TEXT}\r\n{RESULT}"), &["Hi"], &[]);
    check(format!("\u{feff}{INIT}\n\n\n{TEXT}\n{RESULT}\n"), &["Hi"], &[]);
    check(format!("{INIT}{TEXT}{RESULT}"), &["Hi"], &[]);
    check(format!("{INIT}\n\0\0{TEXT}\n{RESULT}\n\0\0\0"), &["Hi"], &[]);
    check(format!("{TEXT}\n{RESULT}\n"), &["Hi"], &[]);
    check(format!("{INIT}\n{TEXT}\n{RESULT}\n{RESULT}\n"), &["Hi"], &[]);
    check(format!("{INIT}\n{TEXT}\n"), &["Hi"], &[]);
    check(format!("{INIT}\n{RESULT}\n"), &["Hi"], &[]);
}

#[test]
fn standard_error_in_between_is_listed_and_skipped() {
    check(format!("{INIT}\nWarning: slow\n{TEXT}\n\nsession_id: s1\n{RESULT}\n"), &["Hi"], &["2: not JSON"]);
    check(
        format!("{INIT}\n[1]\n{TEXT}\n{{\"type\":\"text\"}}\n{RESULT}\n{{\"type\":\"te"),
        &["Hi"],
        &["2: not a JSON object", "4: `text` without a usable `text`", "6: not JSON (EOF"],
    );
}

#[test]
fn a_line_of_a_megabyte_is_a_line() {
    let long = "ä".repeat(500_000);
    check(format!("{INIT}\n{{\"type\":\"text\",\"text\":\"{long}\"}}\n"), &[&long], &[]);
}

#[test]
fn several_runs_in_a_file_are_several_turns() {
    let file = format!("{INIT}\n{TEXT}\n{INIT}\n{TEXT}\n{RESULT}\n");
    check(&file, &["Hi", "Hi"], &[]);
    let summary = index(file.as_bytes()).summary();
    let ends: Vec<_> = summary.runs.iter().map(|run| run.ended).collect();
    assert_eq!(ends, [Ended::CutOff, Ended::Complete]);
    assert_eq!(summary.exit_code, Some(1), "a run without its end failed");
}

#[test]
fn times_may_be_seconds_or_missing() {
    let seconds = |line: &str| {
        line.replace("00000000", "00000").replace("0000100", "0000.1").replace("0000200", "0000.2")
    };
    let file = format!("{}\n{}\n{}\n", seconds(INIT), seconds(TEXT), seconds(RESULT));
    assert_eq!(index(file.as_bytes()).index().end_ms, 200, "{file}");
    let without = |line: &str| line.split(",\"timestamp\"").next().unwrap().to_owned() + "}";
    let file = format!("{}\n{}\n{}\n", without(INIT), without(TEXT), without(RESULT));
    let indexer = index(file.as_bytes());
    assert_eq!((indexer.index().end_ms, indexer.index().began_ms), (0, None));
    check(file, &["Hi"], &[]);
}

#[test]
fn a_file_of_something_else_is_refused_with_a_sentence() {
    for (file, expected) in [
        (&b""[..], "This file is empty."),
        (b"\x1f\x8b\x08", "This file is compressed with gzip"),
        (b"session_id: 20261130_1\n", "This is what Hermes wrote to standard error."),
        (b"{\"a\": 1}\n", "These are JSON objects, but none"),
        (b"{\"type\":\"later\"}\n", "These are JSON objects, but none"),
        (b"model:\n  default: m\n", "This looks like a configuration"),
    ] {
        let indexer = index(file);
        let refusal = indexer.index().refusal.as_ref().expect("a refusal").to_string();
        assert!(refusal.starts_with(expected), "{refusal}");
        assert!(refusal.contains("Expected the output of `hermes chat"), "{refusal}");
        assert_eq!(indexer.summary().exit_code, None);
    }
    let indexer = index(&b"noise\n".repeat(1_000_000));
    assert!(indexer.index().refusal.is_some());
}

#[test]
fn frames_are_played_like_a_run() {
    let file = concat!(
        r#"{"iris":"frames","version":1,"title":"The repo"}"#,
        "\n",
        r#"{"type":"user.message","message_id":"u1","client_id":"d1-1","text":"Hello","t":0}"#,
        "\n",
        r#"{"type":"turn.start","turn":"t1","t":10}"#,
        "\n",
        r#"{"type":"message.update","message_id":"m1","text":"Hi","t":20}"#,
        "\n",
        r#"{"type":"hello","protocol":1,"t":20}"#,
        "\n",
        r#"{"type":"tool.end","t":25}"#,
        "\n",
        r#"{"type":"message.append","message_id":"m1","at":2,"text":" you","t":30}"#,
        "\n",
    );
    let indexer = index(file.as_bytes());
    let found = indexer.index();
    assert_eq!((found.format, found.title.as_deref()), (Some(Format::Frames), Some("The repo")));
    assert_eq!(damage(found), ["6: `tool.end` needs `index`"]);
    let mut desk = Desk::new(file.as_bytes(), found);
    desk.player.subscribe(None, found, 0);
    desk.player.play(found, 0);
    desk.run();
    let picture = picture(&desk.timeline);
    assert!(
        picture.contains("Hi you") && picture.contains("Lost") && picture.ends_with("running: false"),
        "{picture}"
    );
}
