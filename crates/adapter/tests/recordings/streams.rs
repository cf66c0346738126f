//! What every recorded turn leaves in the stream record.

use iris_adapter::backend::gateway::{Machine, Streams};
use iris_core::stall::record::{CutBy, StreamRecord};

use crate::load::gateway;

/// Long ago, so that a time that is not counted from here is noticed.
const EPOCH: u64 = 1_700_000_000_000;

fn records(name: &str) -> Vec<StreamRecord> {
    let recording = gateway().into_iter().find(|recording| recording.name == name).unwrap();
    let (mut machine, mut streams) = (Machine::new("x"), Streams::default());
    let mut records = Vec::new();
    for timed in &recording.calls {
        let frames = machine.call(timed.t_ms, &timed.call);
        records.extend(streams.hear(EPOCH + timed.t_ms, &timed.call, &frames));
    }
    records
}

/// One line a record: request, try, when after the turn's beginning, how long, first text, first reasoning, cut by what.
fn lines(name: &str) -> Vec<String> {
    let after = |what: &str, ms: Option<u64>| ms.map(|ms| format!(" {what}={ms}")).unwrap_or_default();
    let line = |record: StreamRecord| {
        format!(
            "{}/{} at {} for {}{}{} {} chars{}{}",
            record.iteration,
            record.attempt,
            record.started_ms - EPOCH,
            record.duration_ms,
            after("text", record.first_text_ms),
            after("reasoning", record.first_reasoning_ms),
            record.text_chars,
            after("silent", record.silent_ms),
            record.cut_by.map(|cause| format!(" {cause:?}")).unwrap_or_default(),
        )
    };
    records(name).into_iter().map(line).collect()
}

#[test]
fn four_requests_of_a_turn_with_three_tools_are_four_lines() {
    let records = records("with-hooks/tools3-one-failing");
    let iterations: Vec<_> = records.iter().map(|record| record.iteration).collect();
    assert_eq!(iterations, [1, 2, 3, 4]);
    for record in &records {
        assert_eq!(record.cut_by, None);
        assert_eq!(
            (record.model.as_deref(), record.provider.as_deref()),
            (Some("demo-model"), Some("custom"))
        );
        assert_eq!((record.input_tokens, record.output_tokens), (Some(1_588), Some(120)));
        assert_eq!(record.turn, "x-t1");
    }
    assert_eq!(records[2].first_text_ms, None, "it only called a tool");
    assert!(records[3].text_chars > 1_000 && records[3].duration_ms > 4_000);
}

#[test]
fn a_stream_that_the_user_stopped_is_cut_although_hermes_calls_it_finished() {
    let records = records("with-hooks/stop");
    assert_eq!(records.len(), 1);
    assert_eq!(records[0].cut_by, Some(CutBy::User));
    assert_eq!((records[0].duration_ms, records[0].output_tokens), (3_966, None));
}

#[test]
fn a_providers_error_is_one_line_with_its_words() {
    let records = records("with-hooks/error500");
    assert_eq!(records.len(), 1, "the failed request is the stream that broke off: {records:?}");
    assert_eq!(records[0].cut_by, Some(CutBy::Provider));
    assert!(records[0].why.as_ref().unwrap().contains("Error code: 500"));
}

#[test]
fn every_try_of_a_silent_provider_was_ended_by_the_stale_watchdog() {
    assert_eq!(
        lines("with-hooks/hang"),
        [
            "1/1 at 950 for 6101 0 chars silent=6101 Stale",
            "1/2 at 8055 for 6209 0 chars silent=6209 Stale",
            "1/3 at 16265 for 6110 0 chars silent=6110 Stale",
            "1/4 at 26387 for 6009 0 chars silent=6009 Stale",
            "1/5 at 33398 for 6211 0 chars silent=6211 Stale",
            "1/6 at 41611 for 6106 0 chars silent=6106 Stale",
        ]
    );
}

#[test]
fn a_stream_that_goes_silent_after_its_first_words_is_cut_in_a_turn_that_completes() {
    let records = records("with-hooks/stall");
    assert_eq!(records.len(), 4);
    assert_eq!(records[0].first_text_ms, Some(879));
    for record in records {
        assert_eq!(record.cut_by, Some(CutBy::Stale));
        let silent = record.silent_ms.unwrap();
        assert!(silent > 5_900 && silent <= record.duration_ms, "{record:?}");
    }
}

#[test]
fn a_request_that_the_breaker_refused_is_a_line() {
    let found = lines("with-hooks/breaker");
    assert_eq!(found, ["1/1 at 181 for 0 0 chars silent=0 Breaker"]);
}

#[test]
fn without_hooks_a_turn_is_one_line_by_hermes_own_words() {
    assert_eq!(lines("stalls/hang-no-delta"), ["0/1 at 0 for 26194 0 chars silent=26194 Breaker"]);
    for name in ["hang-again-breaker", "hang-third-breaker", "stall-after-two-deltas"] {
        let records = records(&format!("stalls/{name}"));
        assert_eq!(records.iter().map(|record| record.cut_by).collect::<Vec<_>>(), [Some(CutBy::Breaker)]);
    }
    assert_eq!(records("streaming-code/provider-error-500")[0].cut_by, Some(CutBy::Provider));
    assert_eq!(records("streaming-code/stop-while-streaming")[0].cut_by, Some(CutBy::User));
    assert_eq!(records("streaming-code/trivial")[0].cut_by, None);
}

#[test]
fn a_command_that_hermes_answers_itself_leaves_no_line() {
    assert_eq!(records("streaming-code/slash-help"), []);
}
