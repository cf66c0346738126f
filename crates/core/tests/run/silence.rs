//! What is said of a silence in a recording: that of the run, at any speed, on any way there.

use iris_core::run::Speed;

use crate::desk::{Desk, index};

/// A model that is silent for 100 seconds, and a tool for 8.
const RUN: &str = r#"{"type":"system","subtype":"init","model":"m","session_id":"s","timestamp":1764500000000}
{"type":"text","text":"First ","timestamp":1764500001000}
{"type":"text","text":"words","timestamp":1764500002000}
{"type":"text","text":", then more.","timestamp":1764500102000}
{"type":"tool_use","name":"terminal","input":{"command":"ls"},"timestamp":1764500103000}
{"type":"tool_result","name":"terminal","output":"a","duration_ms":8000,"is_error":false,"timestamp":1764500111000}
{"type":"result","session_id":"s","exit_code":0,"text":"End.","duration_ms":112000,"timestamp":1764500112000}
"#;

/// What the line says at played times. The silence plays from 2 s to 4 s, 50 seconds of it in each.
const TABLE: [(u64, &str); 8] = [
    (0, "Recorded: Hermes is working"),
    (1_500, "Recorded: Hermes is answering · 1 s"),
    (2_100, "Recorded: Hermes is answering · 7 s"),
    (2_400, "Recorded: Hermes is answering · silent for 20 s"),
    (3_500, "Recorded: Hermes is answering · silent for 1 min 15 s"),
    (4_000, "Recorded: Hermes is answering · 1 min 42 s"),
    (6_000, "Recorded: Running terminal · 1 min 47 s"),
    (8_000, ""),
];

fn open<'f>(file: &'f [u8], index: &'f iris_core::run::Index) -> Desk<'f> {
    let mut desk = Desk::new(file, index);
    desk.player.subscribe(None, index, 0);
    desk.settle();
    desk
}

#[test]
fn at_any_speed_the_line_says_the_silence_of_the_run() {
    let indexer = index(RUN.as_bytes());
    for (speed, factor) in [(Speed::Original, 1), (Speed::Double, 2), (Speed::Tenfold, 10)] {
        let mut desk = open(RUN.as_bytes(), indexer.index());
        desk.player.set_speed(speed, desk.index, 0);
        desk.player.play(desk.index, 0);
        for (played_ms, expected) in TABLE {
            desk.now_ms = played_ms / factor;
            desk.settle();
            assert_eq!(desk.line(), expected, "at {played_ms} ms, {speed:?}");
        }
    }
}

#[test]
fn after_a_seek_the_line_is_right_at_once_and_a_pause_holds_it() {
    let indexer = index(RUN.as_bytes());
    let mut desk = open(RUN.as_bytes(), indexer.index());
    desk.now_ms = 1_000_000;
    for (played_ms, expected) in TABLE.into_iter().rev().chain(TABLE) {
        desk.player.seek_time(played_ms, desk.index, desk.now_ms);
        desk.settle();
        assert_eq!(desk.line(), expected, "at {played_ms} ms");
        desk.now_ms += 60_000;
        desk.settle();
        assert_eq!(desk.line(), expected, "at {played_ms} ms, a minute later");
    }
    desk.player.seek_time(2_400, desk.index, desk.now_ms);
    desk.player.play(desk.index, desk.now_ms);
    desk.settle();
    desk.now_ms += 400;
    desk.player.pause(desk.index, desk.now_ms);
    desk.settle();
    desk.now_ms += 60_000;
    assert_eq!(desk.line(), "Recorded: Hermes is answering · silent for 40 s");
}

/// A seek into the middle of a turn begins at a place inside it; the turn is as long as it was.
#[test]
fn a_turn_is_as_long_as_it_was_wherever_reading_began() {
    let mut file = RUN.lines().take(3).map(|line| format!("{line}\n")).collect::<String>();
    for nth in 0..40 {
        let at = 1_764_500_002_000_u64 + nth * 1_000;
        file += &format!("{{\"type\":\"tool_use\",\"name\":\"a\",\"timestamp\":{at}}}\n");
        file += &format!("{{\"type\":\"tool_result\",\"name\":\"a\",\"output\":\"b\",\"timestamp\":{at}}}\n");
        file += &format!("{{\"type\":\"text\",\"text\":\"word {nth}\",\"timestamp\":{at}}}\n");
    }
    let indexer = index(file.as_bytes());
    let mut desk = open(file.as_bytes(), indexer.index());
    desk.player.subscribe(Some(1), desk.index, 0);
    desk.player.seek_time(30_500, desk.index, 0);
    desk.settle();
    assert!(desk.timeline.before_seq().is_some(), "it is not the whole turn");
    assert_eq!(desk.line(), "Recorded: Hermes is answering · 30 s");
}
