//! What is exported plays again: the same rows, in the same time.

use iris_core::export::{About, Recording};
use iris_core::run::Format;
use iris_core::stream_json::{ToFrames, parse};
use proptest::prelude::*;

use crate::desk::{Desk, directly, index, picture, recordings};
use crate::made_up::file;

/// The recording that Iris writes of a run, told in full texts as the adapter tells them.
pub(crate) fn export(file: &[u8]) -> Vec<u8> {
    let (mut to_frames, text) = (ToFrames::new("x"), String::from_utf8_lossy(file));
    let mut recording = Recording::new(&About::default(), None);
    for event in parse(&text).filter_map(Result::ok) {
        to_frames.event(&event).iter().for_each(|timed| recording.push(Some(timed.t_ms), &timed.frame));
    }
    to_frames.end().iter().for_each(|timed| recording.push(Some(timed.t_ms), &timed.frame));
    recording.take().into_bytes()
}

/// The rows, with messages and turns called as the replay of the run itself calls them.
fn rows(exported: &[u8]) -> String {
    let indexer = index(exported);
    assert_eq!(indexer.index().format, Some(Format::Frames));
    assert_eq!(indexer.index().damaged, []);
    let mut desk = Desk::new(exported, indexer.index());
    desk.player.subscribe(None, desk.index, 0);
    desk.player.play(desk.index, 0);
    desk.run();
    picture(&desk.timeline).replace("MessageId(\"x-", "MessageId(\"r-").replace("TurnId(\"x-", "TurnId(\"r-")
}

#[test]
fn every_recording_is_the_same_transcript_once_it_was_exported() {
    for (name, file) in recordings() {
        let exported = export(&file);
        assert_eq!(rows(&exported), directly(&file), "{name}");
        let (own, again) = (index(&file), index(&exported));
        assert_eq!(again.index().end_ms, own.index().end_ms, "{name} plays as long");
        let figures = |summary: iris_core::run::Summary| {
            let run = &summary.runs[0];
            let tools =
                run.tools.iter().map(|tool| (tool.name.clone(), tool.count, tool.failed)).collect::<Vec<_>>();
            (run.ended, run.exit_code, run.tokens, run.duration_ms, run.tools_ms, tools, summary.exit_code)
        };
        assert_eq!(figures(again.summary()), figures(own.summary()), "{name}");
    }
}

#[test]
fn a_text_is_not_written_again_and_again() {
    let (_, file) = recordings().into_iter().find(|(name, _)| name == "long-answer").unwrap();
    let exported = export(&file);
    assert!(exported.len() < 2 * file.len(), "{} bytes of {}", exported.len(), file.len());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn whatever_a_run_holds_its_export_is_the_same_transcript(file in file()) {
        prop_assume!(index(&file).index().format.is_some());
        prop_assert_eq!(rows(&export(&file)), directly(&file));
    }
}
