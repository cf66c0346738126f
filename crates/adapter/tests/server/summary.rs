//! `iris-adapter summary`, as a shell runs it.
#![cfg(unix)]

use std::{
    io::{Read, Write},
    path::PathBuf,
    process::{Command, Output, Stdio},
};

use serde_json::Value;

use crate::start::program;

fn recording(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("recordings/stream-json/{name}.jsonl"))
}

/// What a pipeline in a real shell does; `$IRIS` is the program, `$RUN` the recording.
fn shell(run: &str, pipeline: &str) -> Output {
    Command::new("sh")
        .args(["-c", pipeline])
        .env("IRIS", program(&[]).get_program())
        .env("RUN", recording(run))
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn in_a_pipeline_every_byte_goes_through_and_a_limit_that_is_passed_says_so() {
    let file = std::fs::read(recording("tools3-one-failing")).unwrap();
    let output = shell("tools3-one-failing", r#"cat "$RUN" | "$IRIS" summary - --max-tokens 100"#);
    assert_eq!(output.stdout, file);
    assert_eq!(output.status.code(), Some(3));
    let said = text(&output.stderr);
    assert!(said.contains("8,880 tokens were used, --max-tokens allows 100"), "{said}");
    assert!(said.contains("Where the time went") && said.is_ascii(), "{said}");

    let output = shell("tools3-one-failing", r#"cat "$RUN" | "$IRIS" summary - --max-tokens 10000 --json"#);
    assert_eq!((output.status.code(), output.stdout), (Some(0), file));
    let json: Value = serde_json::from_slice(&output.stderr).unwrap();
    assert_eq!((&json["file"], &json["total"]["tokens"]["total"]), (&"standard input".into(), &8_880.into()));
}

#[test]
fn the_exit_status_is_the_runs() {
    for (run, args, expected) in [
        ("trivial", "", 0),
        ("provider-error-500", "", 1),
        ("ctrl-c-while-streaming", "", 130),
        ("tools3-one-failing", "--fail-on-tool-error", 3),
        ("parallel-tools", "--fail-on-tool-error", 0),
    ] {
        let output = shell(run, &format!(r#""$IRIS" summary "$RUN" {args}"#));
        assert_eq!(output.status.code(), Some(expected), "{run}: {}", text(&output.stderr));
    }
    let both = shell("ctrl-c-while-streaming", r#""$IRIS" summary "$RUN" "$RUN" --json"#);
    assert_eq!((both.status.code(), text(&both.stdout).lines().count()), (Some(130), 2));
}

#[test]
fn what_is_no_run_is_refused_with_a_sentence() {
    let output = shell("trivial", r#""$IRIS" summary "$RUN" /nowhere/at/all"#);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("/nowhere/at/all: No such file"), "{}", text(&output.stderr));
    assert!(
        text(&output.stdout).contains("complete, exit code 0"),
        "the other one is summed up all the same"
    );
    let output = shell("trivial", r#"gzip -c "$RUN" | "$IRIS" summary - | cmp - /dev/null"#);
    assert!(text(&output.stderr).contains("compressed with gzip"), "{}", text(&output.stderr));
    let output = shell("trivial", r#""$IRIS" summary - < /dev/null"#);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("This file is empty"), "{}", text(&output.stderr));
}

#[test]
fn a_reader_that_leaves_changes_nothing() {
    let output = shell(
        "long-answer",
        r#"{ cat "$RUN"; echo "read to the end" >&2; } | { "$IRIS" summary -; echo "status $?" >&2; } | head -c 10 > /dev/null"#,
    );
    let said = text(&output.stderr);
    assert!(said.contains("read to the end") && said.contains("status 0"), "{said}");
    assert!(said.contains("Where the time went"), "{said}");
}

/// Ctrl-C reaches every program of a pipeline; Hermes then writes how the run ended.
#[test]
fn an_interrupt_is_outlived_until_the_run_has_said_how_it_ended() {
    let mut child = program(&["summary", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let file = std::fs::read(recording("ctrl-c-while-streaming")).unwrap();
    let (begin, end) = file.split_at(file.len() / 2);
    let (mut to, mut from) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    to.write_all(begin).unwrap();
    let mut passed = vec![0; begin.len()];
    from.read_exact(&mut passed).unwrap();
    assert_eq!(passed, begin, "what came went through at once");
    let interrupted = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(interrupted.success());
    to.write_all(end).unwrap();
    drop(to);
    let mut rest = Vec::new();
    from.read_to_end(&mut rest).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!((rest, output.status.code()), (end.to_vec(), Some(130)));
    assert!(text(&output.stderr).contains("stopped, exit code 130"), "{}", text(&output.stderr));
}
