//! How it reads: smooth, never far behind, over soon after the stop. Over schedules of providers and over recordings.

use std::fs;
use std::path::Path;

use iris_core::reveal::{Open, Reveal};
use serde_json::Value;

use crate::reader::{Arrivals, FRAME_MS, Run, play, play_at, stream};

/// How far anything may be behind a steady stream, milliseconds; a frame and what holds back may come to it.
const BEHIND_MS: f64 = 400.0 + 2.0 * FRAME_MS;

/// What a run must keep to.
struct Bounds {
    /// Characters in one frame.
    jump: usize,
    /// Milliseconds, from the second second on.
    lag: f64,
    /// Milliseconds without a change while text flows.
    rest: f64,
    /// Milliseconds after the stop.
    drain: f64,
}

#[track_caller]
fn check(what: &str, run: &Run, bounds: &Bounds) {
    let (jump, lag, drain) = (run.largest_jump(), run.lag_from(1_000.0), run.drain());
    let rest = run.longest_rest(500.0, run.stopped_ms);
    println!(
        "{what}: {jump} at once, {lag:.0} ms behind, {rest:.0} ms at rest, {drain:.0} ms after the stop"
    );
    assert!(jump <= bounds.jump, "{what}: {jump} characters in one frame");
    assert!(lag <= bounds.lag, "{what}: {lag} ms behind");
    assert!(rest <= bounds.rest, "{what}: {rest} ms at rest");
    assert!(drain <= bounds.drain, "{what}: {drain} ms after the stop");
}

fn prose(chars: usize) -> String {
    "The quick brown fox jumps over the lazy dog, again and again. ".chars().cycle().take(chars).collect()
}

#[test]
fn a_provider_that_sends_85_characters_every_470_ms() {
    for cps in [75.0, 150.0, 300.0] {
        let run = play(cps, &stream(&prose(3_000), 85, 470.0));
        // At the highest pace the reader has each burst before the next one comes.
        let rest = if cps < 181.0 { 60.0 } else { 470.0 };
        check(&format!("85/470 at {cps}"), &run, &Bounds { jump: 8, lag: 560.0, rest, drain: 560.0 });
    }
}

#[test]
fn a_provider_that_sends_24_characters_every_50_ms() {
    for cps in [75.0, 150.0, 300.0] {
        let run = play(cps, &stream(&prose(3_000), 24, 50.0));
        check(
            &format!("24/50 at {cps}"),
            &run,
            &Bounds { jump: 14, lag: BEHIND_MS, rest: 40.0, drain: 450.0 },
        );
        let run = play_at(cps, &stream(&prose(3_000), 24, 50.0), 2.0 * FRAME_MS);
        check(
            &format!("24/50 at {cps}, 30 Hz"),
            &run,
            &Bounds { jump: 28, lag: 440.0, rest: 70.0, drain: 470.0 },
        );
    }
}

#[test]
fn one_dump_is_typed_if_that_takes_two_seconds_at_most() {
    let run = play(150.0, &vec![(0.0, prose(290))]);
    check("290 in one", &run, &Bounds { jump: 4, lag: 0.0, rest: 40.0, drain: 2_000.0 });
    let run = play(150.0, &vec![(0.0, prose(4_000))]);
    check("4,000 in one", &run, &Bounds { jump: 0, lag: 0.0, rest: 0.0, drain: 0.0 });
}

#[test]
fn b075_text_without_spaces_flows_as_any_other() {
    let chinese = "中文没有空格，也照样流动。".repeat(60);
    let base64 = "iVBORw0KGgoAAAANSUhEUgAA".repeat(171);
    let families = "👩‍👩‍👧👨‍👩‍👧‍👦🏳️‍🌈👍🏽🇩🇪".repeat(40);
    let bounds = |jump| Bounds { jump, lag: BEHIND_MS, rest: 60.0, drain: 450.0 };
    check("Chinese", &play(150.0, &stream(&chinese, 12, 100.0)), &bounds(6));
    check("base64", &play(150.0, &stream(&base64, 24, 50.0)), &bounds(14));
    // The longest of them has seven characters.
    check("families", &play(150.0, &stream(&families, 12, 50.0)), &bounds(14));
}

#[test]
fn b075_twenty_frames_in_one_tick_are_typed_as_one() {
    let burst: Vec<_> = (0..20).map(|_| (0.0, prose(14))).collect();
    check(
        "20 × 14 in one tick",
        &play(150.0, &burst),
        &Bounds { jump: 4, lag: 0.0, rest: 40.0, drain: 2_000.0 },
    );
}

#[test]
fn b075_a_slow_stream_is_shown_as_it_comes() {
    let run = play(150.0, &stream(&prose(30), 1, 200.0));
    check(
        "5 a second",
        &run,
        &Bounds { jump: 1, lag: 150.0 + 2.0 * FRAME_MS, rest: 220.0, drain: 2.0 * FRAME_MS },
    );
}

#[test]
fn b078_while_text_flows_nine_of_ten_frames_show_more_of_it() {
    for cps in [75.0, 300.0] {
        let run = play(cps, &stream(&prose(3_000), 24, 50.0));
        let span = run.frames.iter().zip(run.frames.iter().skip(1));
        let mut gaps: Vec<f64> = Vec::new();
        let mut last = 500.0;
        for (_, (at, _)) in span.filter(|((at, before), (_, after))| after > before && *at > 500.0) {
            gaps.push(at - last);
            last = *at;
        }
        gaps.sort_by(f64::total_cmp);
        let p95 = gaps[gaps.len() * 95 / 100];
        assert!(p95 <= FRAME_MS + 0.1, "{cps}: {p95} ms");
    }
}

#[test]
fn what_is_held_back_costs_a_steady_stream_little() {
    let words =
        "A **bold claim** with `code`, [a link](https://example.org/path) and *stress*.\n\n- an item\n";
    let text = words.repeat(30);
    for (chars, every) in [(24, 50.0), (12, 40.0), (5, 40.0), (85, 470.0)] {
        let run = play(75.0, &stream(&text, chars, every));
        let behind = if every > 400.0 { 560.0 } else { BEHIND_MS };
        // The longest unit is shown at once; before it may come what a frame shows anyway.
        let bounds = Bounds { jump: 60, lag: behind + 150.0, rest: 420.0, drain: 560.0 };
        check(&format!("units, {chars}/{every}"), &run, &bounds);
    }
}

#[test]
fn text_is_held_for_150_ms_or_80_characters_at_most() {
    let long = "so [a text that opens a bracket and goes on and on, much longer than a link would ever be, with no end";
    for text in
        ["Words and `code", "Words and [a link](http", "Words\n-", "Words and **", "| a | b |", "```ru", long]
    {
        let mut reveal = Reveal::new(10_000.0);
        let frame = |n: usize| n as f64 * FRAME_MS;
        let shown_all = (0..60).find(|n| reveal.advance(frame(*n), text, Open::Prose).caught_up);
        let took = shown_all.map(frame).expect("shown in the end");
        assert!(took <= 150.0 + 2.0 * FRAME_MS, "{text:?} took {took}");
    }
    // What is too long waits for nothing, save its last character, which may grow.
    let shown = Reveal::new(10_000.0).advance(0.0, long, Open::Prose).shown;
    assert_eq!(shown, long.len() - 1);
    let shown = Reveal::new(10_000.0).advance(0.0, "Words and [a link](http", Open::Prose).shown;
    assert_eq!(shown, "Words and ".len());
}

#[test]
fn nothing_is_held_when_there_is_no_use_for_a_pace_or_when_the_text_is_complete() {
    for text in ["Words and [a link](http://", "Words\n--", "| a | b |", "Words and **b"] {
        let mut reveal = Reveal::new(75.0);
        reveal.snap();
        assert_eq!(
            reveal.advance(0.0, text, Open::Prose).shown,
            text.len() - 1,
            "{text:?}: all but what may grow"
        );
        reveal.finish();
        reveal.snap();
        assert!(reveal.advance(1.0, text, Open::Prose).caught_up, "{text:?}");
        let mut reveal = Reveal::new(10_000.0);
        reveal.finish();
        assert!(reveal.advance(0.0, text, Open::Prose).caught_up, "{text:?}");
    }
}

#[test]
fn b077_a_rewrite_starts_over_and_shows_what_is_there_of_it() {
    let mut reveal = Reveal::new(75.0);
    let mut now = 0.0;
    let mut shown = |reveal: &mut Reveal, text: &str, restart: bool| {
        if restart {
            reveal.restart();
        }
        now += FRAME_MS;
        text[..reveal.advance(now, text, Open::Prose).shown].to_owned()
    };
    assert_eq!(shown(&mut reveal, "Hello wor", false), "H");
    assert_eq!(shown(&mut reveal, "Hello world", false).len(), 2);
    assert_eq!(shown(&mut reveal, "Goodbye", true), "Goodby");
    assert_eq!(shown(&mut reveal, "Goodbye", false), "Goodby", "the same once more changes nothing");
    assert!(shown(&mut reveal, "Goodbye all", false).len() < 9, "what is new is typed");
    assert_eq!(shown(&mut reveal, "Good", true), "Goo", "a shorter one too");
    reveal.finish();
    assert_eq!(shown(&mut reveal, "Good", false), "Good");
}

/// The pieces of the first text of a recorded run, with their times.
fn recorded(name: &str) -> Arrivals {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../adapter/recordings/stream-json");
    let lines = fs::read_to_string(folder.join(name)).expect(name);
    let records: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let texts: Vec<&Value> = records
        .iter()
        .skip_while(|record| record["type"] != "text")
        .take_while(|record| record["type"] == "text")
        .collect();
    let time = |record: &Value| record["timestamp"].as_f64().unwrap();
    let first = time(texts[0]);
    texts.iter().map(|text| (time(text) - first, text["text"].as_str().unwrap().to_owned())).collect()
}

#[test]
fn real_streams_read_as_typing() {
    for (name, jump, rest) in [
        // 3,000 characters a second: at the lowest pace the first tenth of a second is more than two seconds' worth.
        ("long-answer.jsonl", 170, 60.0),
        ("midcut.jsonl", 10, 150.0),
        ("ctrl-c-while-streaming.jsonl", 6, 200.0),
        ("sigterm-while-streaming.jsonl", 6, 200.0),
        ("unclosed-fence-length.jsonl", 20, 250.0),
    ] {
        for cps in [75.0, 150.0] {
            let run = play(cps, &recorded(name));
            let bounds = Bounds { jump, lag: BEHIND_MS, rest, drain: 500.0 };
            check(&format!("{name} at {cps}"), &run, &bounds);
        }
    }
}
