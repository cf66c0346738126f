use super::*;
use crate::protocol::frame::TurnStatus;

/// A turn that begins at 1,000 and is over at 9,000.
fn turn(steps: &[(u64, Step<'_>)], status: TurnStatus, error: Option<&str>) -> Vec<StreamRecord> {
    let mut recorder = Recorder::new("t", 1_000);
    for (at_ms, step) in steps {
        recorder.step(*at_ms, *step);
    }
    recorder.over(9_000, status, error)
}

fn begin(iteration: u32) -> Step<'static> {
    Step::Begin { iteration, model: Some("m"), provider: Some("custom") }
}

fn end(iteration: u32, error: Option<&str>) -> Step<'_> {
    Step::End { iteration, text_chars: 40, error }
}

fn ends(records: &[StreamRecord]) -> Vec<(u32, u32, Option<CutBy>)> {
    records.iter().map(|record| (record.iteration, record.attempt, record.cut_by)).collect()
}

#[test]
fn a_finished_reply_has_its_times_counts_and_tokens() {
    let steps = [
        (1_100, begin(1)),
        (1_400, Step::Reasoning(12)),
        (1_900, Step::Text(0)),
        (2_500, Step::Reasoning(3)),
        (3_100, end(1, None)),
        (3_110, Step::Used { model: Some("m-2"), input: Some(7), output: Some(9) }),
    ];
    let records = turn(&steps, TurnStatus::Complete, None);
    let expected = StreamRecord {
        started_ms: 1_100,
        turn: "t".to_owned(),
        iteration: 1,
        attempt: 1,
        model: Some("m-2".to_owned()),
        provider: Some("custom".to_owned()),
        duration_ms: 2_000,
        first_text_ms: Some(800),
        first_reasoning_ms: Some(300),
        text_chars: 40,
        reasoning_chars: 15,
        input_tokens: Some(7),
        output_tokens: Some(9),
        ..StreamRecord::default()
    };
    assert_eq!(records, [expected]);
}

#[test]
fn finished_in_hermes_words_is_cut_when_the_user_stopped_it() {
    let stopped = [(1_100, begin(1)), (1_200, Step::Text(9)), (4_000, Step::Stop), (4_008, end(1, None))];
    let records = turn(&stopped, TurnStatus::Interrupted, None);
    assert_eq!(ends(&records), [(1, 1, Some(CutBy::User))]);
    assert_eq!(records[0].silent_ms, Some(2_808));
    // One that was over before is not.
    let after = [(1_100, begin(1)), (3_000, end(1, None)), (4_000, Step::Stop)];
    assert_eq!(ends(&turn(&after, TurnStatus::Interrupted, None)), [(1, 1, None)]);
    // Nor does it take its end: the turn's is enough.
    let open = [(1_100, begin(1)), (4_000, Step::Stop)];
    assert_eq!(ends(&turn(&open, TurnStatus::Interrupted, None)), [(1, 1, Some(CutBy::User))]);
}

#[test]
fn each_try_has_a_line_of_its_own() {
    let superseded = Some("stream attempt 1 was superseded");
    let steps = [
        (1_000, begin(1)),
        (7_000, end(1, superseded)),
        (7_001, Step::Failed { iteration: 1, why: superseded }),
        (8_000, begin(1)),
        (8_100, end(1, None)),
        (8_200, begin(2)),
        (8_300, end(2, None)),
    ];
    let records = turn(&steps, TurnStatus::Complete, None);
    assert_eq!(ends(&records), [(1, 1, Some(CutBy::Stale)), (1, 2, None), (2, 1, None)]);
    assert_eq!(records[0].silent_ms, Some(6_000));
}

#[test]
fn the_watchdog_is_the_one_that_hermes_names() {
    let check = |line: &str, cause: CutBy| {
        let steps = [
            (1_000, begin(1)),
            (7_000, end(1, Some("stream attempt 3 was superseded"))),
            (8_000, Step::Said(line)),
        ];
        assert_eq!(ends(&turn(&steps, TurnStatus::Error, None)), [(1, 1, Some(cause))], "{line}");
    };
    check("Response still streaming after 600s, cut by agent.stream_max_lifetime", CutBy::Cap);
    check(
        "⚠️ No response from provider for 6s (model: m, context: ~1 tokens). Reconnecting...",
        CutBy::Stale,
    );
    check("⚠️ Codex stream sent no events for 180s after first event (model: m).", CutBy::Watchdog);
    check("something else", CutBy::Stale);
}

#[test]
fn a_request_that_never_went_out_has_a_line_too() {
    let why = Some(
        "Provider has been unresponsive (no response received) for 6 consecutive stale attempts — aborting",
    );
    let records = turn(&[(1_200, Step::Failed { iteration: 1, why })], TurnStatus::Error, None);
    assert_eq!(ends(&records), [(1, 1, Some(CutBy::Breaker))]);
    assert_eq!((records[0].started_ms, records[0].duration_ms), (1_200, 0));
}

#[test]
fn a_turn_that_counted_no_requests_is_one_line_by_what_was_said() {
    let check = |steps: &[(u64, Step<'_>)], status, error, expected: &[Option<CutBy>]| {
        let records = turn(steps, status, error);
        let found: Vec<_> = records.iter().map(|record| record.cut_by).collect();
        assert_eq!(found, expected, "{steps:?}");
        assert!(records.iter().all(|record| record.iteration == 0 && record.started_ms == 1_000));
    };
    let stale =
        Step::Said("⚠️ No response from provider for 6s (model: m, context: ~1 tokens). Reconnecting...");
    let breaker =
        Step::Said("Provider has been unresponsive (no response received) for 3 consecutive stale attempts");
    let gave_up = Step::Said("⚠️ The AI model service kept failing. Use /retry to try again");
    use TurnStatus::{Complete, Error, Interrupted, Lost};
    check(&[(2_000, stale), (2_001, breaker)], Error, Some("rejected"), &[Some(CutBy::Breaker)]);
    check(&[(2_000, gave_up)], Error, Some("HTTP 500: oops"), &[Some(CutBy::Provider)]);
    check(&[(2_000, stale), (2_001, gave_up)], Error, None, &[Some(CutBy::Stale)]);
    check(&[(2_000, Step::Text(3))], Complete, None, &[None]);
    check(&[(2_000, Step::Text(3))], Interrupted, None, &[Some(CutBy::User)]);
    check(&[], Lost, Some("went away"), &[Some(CutBy::Lost)]);
    check(&[], Error, Some("no idea"), &[Some(CutBy::Unknown)]);
    check(&[], Complete, None, &[]);
}

#[test]
fn an_error_says_what_cut_it() {
    for (error, cause) in [
        ("Error code: 500 - {'error': {'message': 'The server had an error'}}", CutBy::Provider),
        ("HTTP 429: too many requests", CutBy::Provider),
        ("peer closed connection without sending complete message body", CutBy::Dropped),
        ("RemoteProtocolError: Server disconnected without sending a response.", CutBy::Dropped),
        ("Connection error.", CutBy::Unreachable),
        ("The read operation timed out", CutBy::Timeout),
        ("Request timed out.", CutBy::Timeout),
        ("Expecting value: line 1 column 1 (char 0)", CutBy::Malformed),
        ("Response remained truncated after 4 continuation attempts", CutBy::Truncated),
        ("Response still streaming after 600s, cut by agent.stream_max_lifetime", CutBy::Cap),
    ] {
        assert_eq!(cut_by(error), Some(cause), "{error}");
    }
    assert_eq!(cut_by("no idea"), None);
}

#[test]
fn a_record_is_json_without_what_is_not_known() {
    let record = StreamRecord {
        started_ms: 1,
        chat: "c".to_owned(),
        turn: "t".to_owned(),
        attempt: 1,
        end: End::Cut,
        cut_by: Some(CutBy::Redirected),
        ..StreamRecord::default()
    };
    let json = serde_json::to_string(&record).unwrap();
    assert_eq!(
        json,
        r#"{"started_ms":1,"chat":"c","turn":"t","iteration":0,"duration_ms":0,"text_chars":0,"reasoning_chars":0,"attempt":1,"end":"cut","cut_by":"redirected"}"#
    );
    assert_eq!(serde_json::from_str::<StreamRecord>(&json).unwrap(), record);
}
