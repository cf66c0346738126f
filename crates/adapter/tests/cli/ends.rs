//! How turns end: the real recordings, each with its exit code, and codes that no recording has.

use iris_core::protocol::frame::TurnStatus::{self, Complete, Error, Interrupted, Lost};

use crate::support::{Talk, recording};

async fn check(scene: &str, status: TurnStatus, code: Option<i32>, error: &str, texts: &[&str]) {
    let mut talk = Talk::new(scene);
    talk.say("hello").await;
    let end = talk.end().await;
    assert_eq!((end.status, end.exit_code), (status, code), "{scene}: {end:?}");
    assert_eq!(end.error.is_some(), !error.is_empty(), "{scene}: {end:?}");
    assert!(end.error.unwrap_or_default().contains(error), "{scene}: {error}");
    let shown = talk.texts();
    assert_eq!(shown.len(), texts.len(), "{scene}: {shown:?}");
    for (shown, text) in shown.iter().zip(texts) {
        assert!(shown.starts_with(text), "{scene}: {shown:?}");
    }
    assert_eq!(talk.turns(), (1, 1), "{scene}");
}

#[tokio::test]
async fn a_recorded_turn_ends_as_it_did() {
    check(&recording("trivial"), Complete, Some(0), "", &["ola"]).await;
    check(
        &recording("tools3-one-failing"),
        Complete,
        Some(0),
        "",
        &["Let me look at the files first.", "Found the manifest.", "## Summary of the repository"],
    )
    .await;
    check(&recording("provider-error-500"), Error, Some(1), "returned a server error", &[]).await;
    check(&recording("ctrl-c-while-streaming"), Interrupted, Some(130), "", &["Counting slowly."]).await;
}

#[tokio::test]
async fn a_text_that_came_again_after_a_broken_stream_stands_once() {
    let text = "This answer is cut in the middle of a sen";
    let mut talk = Talk::new(&recording("midcut"));
    talk.say("hello").await;
    let end = talk.end().await;
    assert_eq!(talk.texts(), [text]);
    assert!(end.error.unwrap().contains("remained truncated"));
}

#[tokio::test]
async fn what_hermes_writes_into_an_answer_is_a_notice_and_no_part_of_it() {
    let lost = "⚠ Stream stalled mid tool-call (terminal); the action was not executed. Ask me to retry if you want to continue.";
    let scene = format!(
        "init; text 'Let me look.'; text '\\n\\n{lost}'; text 'It did not run.'; result 0 ''; exit 0"
    );
    let mut talk = Talk::new(&scene);
    talk.say("hello").await;
    talk.end().await;
    assert_eq!(talk.texts(), ["Let me look.\n\nIt did not run."]);
    assert_eq!(talk.notices(), ["tool_lost"]);
}

#[tokio::test]
async fn a_run_leaves_its_streams_on_record() {
    use iris_core::stall::record::CutBy;
    for (scene, cuts) in [
        (recording("trivial"), vec![None]),
        (recording("tools3-one-failing"), vec![None; 3]),
        (recording("provider-error-500"), vec![Some(CutBy::Provider)]),
        (recording("ctrl-c-while-streaming"), vec![Some(CutBy::User)]),
        (recording("midcut"), vec![Some(CutBy::Truncated)]),
        ("init; text 'so far'; exit 0".to_owned(), vec![Some(CutBy::Lost)]),
    ] {
        let mut talk = Talk::new(&scene);
        talk.say("hello").await;
        talk.end().await;
        let found: Vec<_> = talk.streams.iter().map(|record| record.cut_by).collect();
        assert_eq!(found, cuts, "{scene}");
        assert!(talk.streams.iter().all(|record| !record.turn.is_empty()), "{scene}");
    }
}

#[tokio::test]
async fn exit_codes_are_said_in_words() {
    check("init; result 75 '' 'HTTP 429'; exit 75", Error, Some(75), "Try again later.\n\nHTTP 429", &[])
        .await;
    check("init; exit 75", Error, Some(75), "Try again later.", &[]).await;
    check("exit 2", Error, Some(2), "did not understand how it was called", &[]).await;
    check("init; text 'so far'; exit 3", Error, Some(3), "ended with the exit code 3", &["so far"]).await;
    check("init; text 'so far'; kill -KILL $$", Error, Some(137), "was killed", &["so far"]).await;
    check("init; exit 130", Interrupted, Some(130), "", &[]).await;
    check(
        "init; result 1 '' 'credentials or agent init failed'; exit 1",
        Error,
        Some(1),
        "`hermes doctor`",
        &[],
    )
    .await;
}

#[tokio::test]
async fn a_missing_last_record_is_a_lost_turn_and_what_came_stays() {
    check("init; text 'half an ans'", Lost, Some(0), "without saying how", &["half an ans"]).await;
    check("true", Lost, Some(0), "without saying how", &[]).await;
}

#[tokio::test]
async fn the_last_lines_beside_the_answer_explain_a_failure_with_secrets_hidden() {
    let scene = "echo 'Traceback: no model' >&2; echo 'api_key=sk-1234567890abcdef' >&2; init; exit 1";
    let mut talk = Talk::new(scene);
    talk.say("hello").await;
    let error = talk.end().await.error.unwrap();
    assert!(error.ends_with("\n\nTraceback: no model\napi_key=[hidden]"), "{error}");
}

#[tokio::test]
async fn what_stands_beside_a_good_answer_is_nobodys_business() {
    let mut talk = Talk::new("echo noise >&2; init; text hello; result 0 hello");
    talk.say("hello").await;
    assert_eq!(talk.end().await.error, None);
    assert_eq!(talk.texts(), ["hello"]);
}

#[tokio::test]
async fn a_good_end_is_told_before_the_process_has_gone() {
    let mut talk = Talk::new("init; result 0 done; while [ ! -e $scene.go ]; do sleep 0.02; done");
    talk.say("hello").await;
    assert_eq!(talk.end().await.status, Complete);
    std::fs::write(talk.path("go"), "").unwrap();
}

#[tokio::test]
async fn a_process_that_does_not_go_is_ended_when_somebody_waits_for_it() {
    let mut talk = Talk::new("init; result 0 done; sleep 60 & wait");
    talk.say("first").await;
    talk.end().await;
    talk.scene("init; result 0 second");
    talk.say("second").await;
    assert_eq!(talk.end().await.status, Complete);
    assert_eq!(talk.texts(), ["done", "second"]);
}

#[tokio::test]
async fn something_that_holds_the_pipe_does_not_hold_the_turn() {
    let mut talk = Talk::new("init; text so; (sleep 20) & result 1 '' boom; exit 1");
    talk.say("hello").await;
    let begun = std::time::Instant::now();
    assert_eq!(talk.end().await.status, Error);
    assert!(begun.elapsed().as_secs() < 15, "it waited for the pipe");
}
