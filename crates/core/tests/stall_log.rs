//! What the reader makes of real logs (`tests/fixtures/log`), of single lines, and of anything else.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test that goes wrong stops there"
)]

use iris_core::stall::log::{LogKind, LogReading, Weight, read};
use iris_core::stall::timers::TimerId;
use std::{fs, path::Path};

fn log(name: &str) -> String {
    fs::read_to_string(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/log").join(format!("{name}.log")),
    )
    .unwrap()
}

/// The events as lines that read well.
fn story(reading: &LogReading) -> String {
    let event = |event: &iris_core::stall::log::LogEvent| {
        let timer = event
            .timer
            .map(|timer| format!(" [{}]", serde_json::to_value(timer).unwrap().as_str().unwrap()))
            .unwrap_or_default();
        format!("{:>3} {:?}: {}{timer}", event.line, event.weight, event.title)
    };
    let settings: Vec<&str> = reading.changes.iter().map(|change| change.setting.as_str()).collect();
    let events: Vec<String> = reading.events.iter().map(event).collect();
    format!(
        "{}\n\n{}\n\n{}\n{} lines, {} continued, {} passed over\n",
        events.join("\n"),
        reading.summary.join("\n"),
        settings.join("\n"),
        reading.lines,
        reading.continued,
        reading.passed_over
    )
}

#[test]
fn a_real_log_is_told_as_its_story() {
    let mut wrong = Vec::new();
    for name in [
        "breaker",
        "partial-text",
        "refused",
        "error-500",
        "without-streaming",
        "responses-first-event",
        "responses-idle",
    ] {
        let expected = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/fixtures/log")
            .join(format!("{name}.story.txt"));
        let said = story(&read(&log(name)));
        if fs::read_to_string(expected).ok().as_ref() != Some(&said) {
            wrong.push(format!("=== {name}\n{said}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn colours_and_carriage_returns_change_nothing() {
    let plain = log("breaker");
    let painted: String = plain.lines().map(|line| format!("\u{1b}[33m{line}\u{1b}[0m\r\n")).collect();
    assert_eq!(story(&read(&painted)), story(&read(&plain)));
}

#[test]
fn a_single_line_is_enough() {
    let check = |line: &str, kind: LogKind, timer: Option<TimerId>, title: &str| {
        let reading = read(line);
        assert_eq!(reading.events.len(), 1, "{line}");
        let event = &reading.events[0];
        assert_eq!((event.kind, event.timer, event.title.as_str()), (kind, timer, title), "{line}");
    };
    check(
        "Stream stale for 181s (threshold 180s) — no chunks received. model=x context=~9 tokens. Killing connection.",
        LogKind::Cut,
        Some(TimerId::StreamStale),
        "The stream said nothing for 181 s and was cut",
    );
    check(
        "22:02:59 - agent.chat_completion_helpers - WARNING - Response still streaming after 600s, cut by agent.stream_max_lifetime",
        LogKind::Cut,
        Some(TimerId::StreamMaxLifetime),
        "The stream was cut after 600 s although text still came",
    );
    check(
        "2026-11-30 22:02:59,589 WARNING agent.stream_diag: Stream drop on attempt 1/3 — retrying. provider=custom error_type=APITimeoutError error=Request timed out. chain=APITimeoutError(Request timed out.) <- ReadTimeout(timed out) http_status=200 bytes=0 chunks=0 elapsed=180.02s ttfb=-",
        LogKind::Dropped,
        Some(TimerId::SocketRead),
        "Attempt 1 of 3 was lost after 180 s, and the stream is opened again",
    );
    check(
        "Interrupted provider wait counted as stale after 45s with no output; consecutive stale attempts=3.",
        LogKind::Counted,
        Some(TimerId::StaleGiveup),
        "A wait of 45 s that was stopped counts for the breaker, which is at 3",
    );
    check(
        "⏳ waiting on demo-model — 60s waiting for the first stream chunk (auto-reconnect: stream stale watchdog in 120s)",
        LogKind::Notice,
        Some(TimerId::StreamStale),
        "⏳ waiting on demo-model — 60s waiting for the first stream chunk (auto-reconnect: stream stale watchdog in 120s)",
    );
}

#[test]
fn what_a_provider_says_is_not_repeated_when_it_could_be_a_key() {
    let line = "API call failed (attempt 1/3) error_type=AuthenticationError summary=HTTP 401: Incorrect API key provided: sk-proj-0123456789abcdef0123";
    let reading = read(line);
    assert_eq!(reading.events[0].weight, Weight::Warning);
    assert!(!serde_json::to_string(&reading).unwrap().contains("0123456789abcdef"));
}

#[test]
fn the_log_of_something_else_is_passed_over() {
    let reading = read("GET / 200\n\n  File \"x.py\", line 1\nhello\n");
    assert_eq!(
        (reading.events.len(), reading.lines, reading.passed_over, reading.summary.len()),
        (0, 4, 4, 0)
    );
    assert_eq!(read("").lines, 0);
}

#[test]
fn a_hostile_log_is_read_to_its_limit() {
    let long = "x".repeat(5 << 20);
    let many = "Stream stale for 1s (threshold 1s)\nStream stale for 2s (threshold 1s)\n".repeat(3000);
    let reading = read(&many);
    assert!(reading.cut && reading.events.len() <= 2000);
    for text in [
        long.as_str(),
        "\u{1b}[",
        "\u{1b}",
        "[_]",
        "attempt 99999999999999999999/0",
        "Stream drop on attempt /",
        "12:34:5",
        "é12:34:56",
    ] {
        assert!(read(text).lines <= 1);
    }
}

proptest::proptest! {
    #[test]
    fn whatever_is_pasted_is_read(text in "(2026-11-30 22:02:59,589 |WARNING |Stream (stale for|drop on attempt|exhausted on attempt) |[0-9/.s()]{1,5}|API call failed |\\[|\\]|[\\n\\r\\x1b]|\\PC){0,80}") {
        let reading = read(&text);
        proptest::prop_assert!(reading.events.len() + reading.continued + reading.passed_over <= reading.lines);
    }
}
