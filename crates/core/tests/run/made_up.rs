//! Runs made up at random: whatever a file holds, its index and its player keep their word.

use iris_core::run::Speed;
use proptest::prelude::*;

use crate::desk::{Desk, directly, index, index_of_pieces, picture};

/// A line, and how long after the one before it was written.
fn line() -> impl Strategy<Value = (String, i64)> {
    let text = prop_oneof![Just("Hello"), Just(" wörld"), Just("\n\n"), Just(" 😀"), Just("a"), Just("  ")];
    let name = prop_oneof![Just("terminal"), Just("read_file")];
    let object = prop_oneof![
        1 => Just(r#"{"type":"system","subtype":"init","model":"m","session_id":"s"}"#.to_owned()),
        12 => text.prop_map(|text| serde_json::json!({"type": "text", "text": text}).to_string()),
        4 => name.clone().prop_map(|name| format!(r#"{{"type":"tool_use","name":"{name}","input":{{"command":"ls"}}}}"#)),
        4 => name.prop_map(|name| format!(
            r#"{{"type":"tool_result","name":"{name}","output":"x","duration_ms":7,"is_error":true}}"#
        )),
        1 => Just(r#"{"type":"result","exit_code":0,"text":"Hello wörld","tokens":{"total":3}}"#.to_owned()),
        1 => Just(r#"{"type":"result","exit_code":130,"text":"","error":"Interrupted"}"#.to_owned()),
        1 => Just(r#"{"type":"later"}"#.to_owned()),
        1 => Just("Traceback: no JSON".to_owned()),
        1 => Just(String::new()),
    ];
    (object, prop_oneof![4 => 0..200i64, 1 => 4_000..9_000i64, 1 => Just(-40i64), 1 => Just(-90_000i64)])
}

pub(crate) fn file() -> impl Strategy<Value = Vec<u8>> {
    (prop::collection::vec(line(), 1..60), any::<bool>()).prop_map(|(lines, crlf)| {
        let mut at = 1_796_040_000_000i64;
        let mut out = String::new();
        for (line, after) in lines {
            at += after;
            let stamped = line.strip_suffix('}').map(|line| format!(r#"{line},"timestamp":{at}}}"#));
            out.push_str(&stamped.unwrap_or(line));
            out.push_str(if crlf { "\r\n" } else { "\n" });
        }
        out.into_bytes()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn it_plays_to_its_end_from_anywhere(file in file(), part in 0..=100u64, limit in 1..30u32) {
        let indexer = index(&file);
        let index = indexer.index();
        if index.format.is_none() {
            prop_assert!(index.refusal.is_some());
            return Ok(());
        }
        let to = index.end_ms * part / 100;
        let mut played = Desk::played_to(to, &file, index);

        let mut sought = Desk::new(&file, index);
        sought.player.subscribe(Some(limit), index, 0);
        sought.player.seek_time(to, index, 0);
        sought.settle();
        sought.all_history();
        prop_assert_eq!(picture(&sought.timeline), picture(&played.timeline));

        sought.player.play(index, 0);
        sought.run();
        played.run();
        prop_assert_eq!(picture(&played.timeline), directly(&file));
        prop_assert_eq!(picture(&sought.timeline), directly(&file));

        let mut instant = Desk::new(&file, index);
        instant.player.subscribe(Some(limit), index, 0);
        instant.player.set_speed(Speed::Instant, index, 0);
        instant.player.play(index, 0);
        instant.run();
        instant.all_history();
        prop_assert_eq!(picture(&instant.timeline), directly(&file));
    }

    #[test]
    fn any_cut_gives_the_same_index(file in file(), size in 1..50usize) {
        let whole = index(&file);
        let pieces = index_of_pieces(file.chunks(size));
        prop_assert_eq!(format!("{:?}", pieces.index()), format!("{:?}", whole.index()));
        prop_assert_eq!(pieces.summary(), whole.summary());
    }

    #[test]
    fn the_times_of_a_run_add_up(file in file()) {
        let summary = index(&file).summary();
        for run in &summary.runs {
            prop_assert_eq!(run.waiting_ms + run.writing_ms + run.tools_ms, run.duration_ms);
            prop_assert!(run.first_text_ms.is_none_or(|ms| ms <= run.duration_ms));
            let calls: u64 = run.tools.iter().map(|tool| tool.count).sum();
            prop_assert_eq!(calls, run.calls.len() as u64);
        }
        prop_assert_eq!(summary.total.runs, summary.runs.len() as u64);
    }
}
