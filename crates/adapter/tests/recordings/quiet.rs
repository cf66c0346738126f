//! Recorded stalls at full length: the sentence on screen at every second, reviewed as a table, and held against the
//! times of the recording itself.

use std::path::Path;
use std::{env, fs};

use iris_adapter::backend::gateway::{Call, Hook, TimedCall};
use iris_core::protocol::encode_server;
use iris_core::protocol::frame::{Envelope, ServerFrame};
use iris_core::stall::quiet::{Line, SPEAK_MS, Watch};
use iris_core::timeline::{Activity, Timeline};

use crate::load::{Timed, gateway, play};
use crate::tui;

/// The stalls: their names, their calls.
fn stalls() -> Vec<(String, Vec<TimedCall>)> {
    let hooked = ["with-hooks/hang", "with-hooks/stall", "with-hooks/breaker"];
    let live = gateway().into_iter().filter(|recording| {
        recording.name.starts_with("stalls/") || hooked.contains(&recording.name.as_str())
    });
    let told = ["silence-notices", "stall-after-two-deltas", "stalls"];
    live.map(|recording| {
        (recording.name.replace("stalls/", "gateway-").replace("with-hooks/", "hooks-"), recording.calls)
    })
    .chain(told.map(|name| (format!("tui-{name}"), tui::calls(name))))
    .collect()
}

/// What the line says at each whole second, until ten seconds after the last frame.
fn seconds(frames: &[Timed]) -> Vec<(u64, Line)> {
    let (mut timeline, mut watch) = (Timeline::new(), Watch::default());
    let mut rest = frames.iter().peekable();
    let last = frames.last().map_or(0, |(t_ms, _)| *t_ms) / 1_000 + 10;
    let each = (0..=last).map(|second| {
        let now_ms = second * 1_000;
        while let Some((t_ms, frame)) = rest.next_if(|(t_ms, _)| *t_ms <= now_ms) {
            timeline.apply(&Envelope { chat: None, seq: None, frame: frame.clone() });
            watch.frame(frame, timeline.running(), *t_ms);
        }
        let activity = Activity::of(timeline.items(), timeline.running());
        (second, watch.line(&activity, now_ms))
    });
    each.collect()
}

#[test]
fn the_line_of_every_second_of_a_stall_is_this() {
    for (name, calls) in stalls() {
        let lines = seconds(&play(&calls)).into_iter().map(|(second, line)| {
            let moves = if line.moves { '~' } else { ' ' };
            format!("{second:>4} {moves} {}{}", line.what, line.how_long).trim_end().to_owned()
        });
        let table = lines.collect::<Vec<_>>().join("\n");
        insta::with_settings!({ snapshot_path => "snapshots", prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!(format!("quiet__{name}"), table);
        });
    }
}

/// When the turn that runs at this time began, and when Hermes was last heard before it, by the calls alone.
fn truth(calls: &[TimedCall], now_ms: u64) -> Option<(u64, u64)> {
    let (mut turn, mut broke) = (None, false);
    for TimedCall { t_ms, call, .. } in calls.iter().filter(|timed| timed.t_ms <= now_ms) {
        match call {
            Call::ProcessingStart { .. } => turn = Some((*t_ms, *t_ms)),
            Call::ProcessingComplete { .. } => turn = None,
            Call::Hook(Hook::StreamEnd { error, .. }) => broke = error.is_some(),
            // That Hermes asks again.
            Call::Hook(Hook::StreamStart { .. }) if broke => turn = turn.map(|(began, _)| (began, *t_ms)),
            Call::Send(_) | Call::Edit(_) => turn = turn.map(|(began, _)| (began, *t_ms)),
            _ => {}
        }
    }
    turn
}

/// Seconds behind these words: `1 min 12 s`.
fn span_after(line: &str, mark: &str) -> Option<u64> {
    let span = line.split_once(mark)?.1.split(" · ").next()?;
    let words: Vec<&str> = span.split(' ').collect();
    Some(
        words
            .chunks(2)
            .map(|pair| pair[0].parse::<u64>().unwrap() * if pair[1] == "min" { 60 } else { 1 })
            .sum(),
    )
}

#[test]
fn what_the_line_says_is_true_at_every_second() {
    for (name, calls) in stalls() {
        for (second, line) in seconds(&play(&calls)) {
            let now_ms = second * 1_000;
            let says = format!("{}{}", line.what, line.how_long);
            let at = format!("{name} at {second} s: {says}");
            let Some((began, heard)) = truth(&calls, now_ms) else {
                assert_eq!((says.as_str(), line.moves), ("", false), "{at}: nothing runs");
                continue;
            };
            assert!(!says.is_empty(), "{at}: a turn runs");
            let silent_ms = now_ms - heard;
            if let Some(seconds) = span_after(&says, "silent for ") {
                // Of the model's own silence Hermes says how long it was by then: since the turn's beginning here, give
                // or take what Hermes did before it asked.
                let own = says.starts_with("Waiting for");
                let real = if own { now_ms - began } else { silent_ms } / 1_000;
                assert!(
                    seconds <= real && real - seconds <= if own { 3 } else { 0 },
                    "{at}: it was {real} s"
                );
                assert!(!line.moves, "{at}: nothing is known to move");
            } else {
                // What Hermes said it does about it is told instead, with the time since then.
                let known = says.starts_with("The provider") || says.starts_with("The stream");
                let since = if known { span_after(&says, "reconnects · ") } else { None };
                assert!(since.is_none_or(|seconds| seconds == silent_ms / 1_000), "{at}: {silent_ms} ms ago");
                assert!(silent_ms < SPEAK_MS || known, "{at}: silent for {silent_ms} ms");
            }
            if let Some(seconds) = span_after(&says, "reconnects in ") {
                let due = heard + 50_000;
                assert_eq!(seconds, (due - now_ms).div_ceil(1_000), "{at}");
            }
        }
    }
}

#[test]
fn nothing_moves_and_nothing_is_said_after_the_end() {
    for (name, calls) in stalls() {
        let lines = seconds(&play(&calls));
        for (second, line) in lines.iter().rev().take(10) {
            assert_eq!(*line, Line::default(), "{name} at {second} s");
        }
    }
}

/// The frames are also what the app's own tests play in a browser. `IRIS_BLESS=1` writes them anew.
#[test]
fn the_apps_tests_play_these_frames() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/stalls");
    for (name, calls) in stalls() {
        let lines = play(&calls).into_iter().map(|(t_ms, frame): (u64, ServerFrame)| {
            format!("{t_ms} {}\n", encode_server(&Envelope { chat: None, seq: None, frame }))
        });
        let text: String = lines.collect();
        let path = folder.join(format!("{name}.frames"));
        if env::var_os("IRIS_BLESS").is_some() {
            fs::write(&path, &text).unwrap();
        }
        assert_eq!(fs::read_to_string(&path).unwrap_or_default(), text, "{name}");
    }
}
