//! What may happen to the calls on their way without changing what stays on the screen: edits lost or doubled, other
//! times, hooks and calls interleaved in another way, late tool lines, an end at any point.

use std::sync::LazyLock;

use iris_adapter::backend::gateway::{Call, Edit, Machine, TimedCall};
use iris_core::ids::MessageId;
use iris_core::protocol::ServerFrame as F;
use iris_core::stall::trouble::ASKED_AGAIN;
use iris_core::stream_json::{Event, ToFrames, parse};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::compact::line;
use crate::load::{Gateway, Timed, gateway, play, stream_json};
use crate::transcript::{Transcript, transcript};

/// Every recording is tried with each of the random inputs.
const CASES: u32 = 24;

/// Every call of every recording.
static POOL: LazyLock<Vec<TimedCall>> =
    LazyLock::new(|| gateway().into_iter().flat_map(|recording| recording.calls).collect());

fn config() -> ProptestConfig {
    ProptestConfig { cases: CASES, failure_persistence: None, ..ProptestConfig::default() }
}

fn edit(call: &Call) -> Option<&Edit> {
    match call {
        Call::Edit(edit) => Some(edit),
        _ => None,
    }
}

/// Whether a later snapshot says all that this call says: an unfinished edit after which another one of the same bubble
/// comes, with nothing of the user in between (a stop or a redirect keeps what was shown last).
fn is_superseded(calls: &[TimedCall], at: usize) -> bool {
    let Some(this) = edit(&calls[at].call).filter(|edit| !edit.finalize) else { return false };
    calls[at + 1..]
        .iter()
        .take_while(|timed| !matches!(timed.call, Call::Inbound(_)))
        .any(|timed| edit(&timed.call).is_some_and(|later| later.message_id == this.message_id))
}

fn same(recording: &Gateway, calls: &[TimedCall]) -> Result<(), TestCaseError> {
    let (before, after) = (transcript(&play(&recording.calls)), transcript(&play(calls)));
    prop_assert_eq!(before, after, "{}", &recording.name);
    Ok(())
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn losing_or_doubling_unfinished_edits_changes_nothing(choices in vec(0..3_u8, 64)) {
        for recording in gateway() {
            let calls = recording.calls.iter().enumerate().flat_map(|(at, timed)| {
                let times = if is_superseded(&recording.calls, at) { choices[at % choices.len()] } else { 1 };
                std::iter::repeat_n(timed.clone(), usize::from(times))
            });
            same(&recording, &calls.collect::<Vec<_>>())?;
        }
    }

    #[test]
    fn other_times_change_nothing_but_durations(factor in 1..20_u64, shift in 0..1_000_000_u64) {
        for recording in gateway() {
            let calls: Vec<_> = recording.calls.iter().cloned().map(|timed| TimedCall { t_ms: timed.t_ms * factor + shift, ..timed }).collect();
            let (mut before, mut after) = (transcript(&play(&recording.calls)), transcript(&play(&calls)));
            for transcript in [&mut before, &mut after] {
                // How long a stream had run is a duration too.
                for (_, text) in transcript.notices.iter_mut().filter(|(code, _)| code == ASKED_AGAIN) {
                    *text = text.split(" after ").next().unwrap_or_default().to_owned();
                }
            }
            prop_assert_eq!(before, after, "{}", &recording.name);
            let duration = |frames: Vec<Timed>| match frames.last() {
                Some((_, F::TurnEnd { duration_ms, .. })) => *duration_ms,
                _ => None,
            };
            let scaled = duration(play(&recording.calls)).map(|ms| ms * factor);
            prop_assert_eq!(duration(play(&calls)), scaled, "{}", &recording.name);
        }
    }

    /// Hooks come from the agent's thread, calls from the event loop: each in order, the two against each other within
    /// what the loop may lag.
    #[test]
    fn hooks_and_calls_may_interleave_in_another_way(lags in vec((0..60_u64, 0..60_u64), 50)) {
        for recording in gateway().iter().filter(|recording| recording.has_hooks()) {
            same(recording, &interleaved(&recording.calls, &lags))?;
        }
    }

    /// However late the bubbles are: a tool stands below what was said before it, as Hermes remembers it.
    #[test]
    fn a_tool_stands_below_the_text_that_led_to_it(lags in vec((Just(0), 0..600_u64), 50)) {
        for recording in gateway().iter().filter(|recording| recording.has_hooks()) {
            let calls = interleaved(&recording.calls, &lags);
            same(recording, &calls)?;
            prop_assert_eq!(rows(&play(&calls)), rows(&play(&recording.calls)), "{}", &recording.name);
        }
    }

    /// Tool lines are throttled on their own and come when the text is already further.
    #[test]
    fn late_tool_lines_change_neither_texts_nor_tools(distance in 1..8_usize) {
        for recording in gateway().iter().filter(|recording| !recording.has_hooks()) {
            let before = transcript(&play(&recording.calls));
            let after = transcript(&play(&with_late_lines(&recording.calls, distance)));
            prop_assert_eq!(lasting(before), lasting(after), "{}", &recording.name);
        }
    }

    /// Nonsense in, order out: whatever comes, everything that opens closes, once.
    #[test]
    fn calls_in_any_order_leave_nothing_open(picks in vec(any::<prop::sample::Index>(), 1..300)) {
        let mut machine = Machine::new("x");
        let mut frames: Vec<F> = Vec::new();
        for (t_ms, pick) in picks.iter().enumerate() {
            frames.extend(machine.call(t_ms as u64, &pick.get(&POOL).call));
        }
        frames.extend(machine.lost(picks.len() as u64));
        let open = open_at_the_end(&frames);
        prop_assert!(open.is_empty(), "{:?} of {:#?}", open, frames.iter().map(line).collect::<Vec<_>>());
    }

    #[test]
    fn cutting_deltas_in_another_way_changes_nothing(sizes in vec(1..30_usize, 20)) {
        for (name, text) in stream_json() {
            let whole: Vec<_> = parse(&text).map(Result::unwrap).collect();
            let mut pieces = Vec::new();
            for timed in &whole {
                let Event::Text { text } = &timed.event else { pieces.push(timed.clone()); continue };
                let chars: Vec<char> = text.chars().collect();
                let size = sizes[pieces.len() % sizes.len()];
                pieces.extend(chars.chunks(size).map(|chunk| {
                    let mut piece = timed.clone();
                    piece.event = Event::Text { text: chunk.iter().collect() };
                    piece
                }));
            }
            let run = |events: &[_]| {
                let mut to_frames = ToFrames::new("x");
                let frames: Vec<Timed> = events.iter().flat_map(|event| to_frames.event(event)).map(|timed| (timed.t_ms, timed.frame)).collect();
                transcript(&frames)
            };
            prop_assert_eq!(run(&whole), run(&pieces), "{}", name);
        }
    }
}

/// What the agent said and did, in the order of its rows.
fn rows(frames: &[Timed]) -> Vec<String> {
    let mut rows: Vec<(Option<&MessageId>, String)> = Vec::new();
    for (_, frame) in frames {
        match frame {
            F::MessageStart { message_id, .. } => rows.push((Some(message_id), String::new())),
            F::MessageUpdate { message_id, text }
            | F::MessageStop { message_id, final_text: Some(text), .. } => {
                if let Some(row) = rows.iter_mut().find(|(id, _)| *id == Some(message_id)) {
                    row.1.clone_from(text);
                }
            }
            F::Message { text, .. } | F::Commentary { text, .. } => rows.push((None, text.clone())),
            F::ToolStart { name, .. } => rows.push((None, format!("tool {name}"))),
            _ => {}
        }
    }
    rows.into_iter().map(|(_, text)| text).collect()
}

/// Hooks and calls keep their own order and lag against each other. What the user does stays where it is, and Hermes
/// says that it is done after everything else.
fn interleaved(calls: &[TimedCall], lags: &[(u64, u64)]) -> Vec<TimedCall> {
    let (mut hook_ms, mut call_ms) = (0, 0);
    let mut order: Vec<(u64, usize)> = Vec::new();
    for (at, timed) in calls.iter().enumerate() {
        let (hook_lag, call_lag) = lags[at % lags.len()];
        let due = match &timed.call {
            Call::Inbound(_) | Call::ProcessingStart { .. } => timed.t_ms,
            Call::ProcessingComplete { .. } | Call::StopTyping if timed.t_ms >= end(calls) => {
                timed.t_ms + 1_000
            }
            Call::Hook(_) => {
                hook_ms = hook_ms.max(timed.t_ms + hook_lag);
                hook_ms
            }
            _ => {
                call_ms = call_ms.max(timed.t_ms + call_lag);
                call_ms
            }
        };
        order.push((due, at));
    }
    order.sort_unstable();
    order.into_iter().map(|(_, at)| calls[at].clone()).collect()
}

fn end(calls: &[TimedCall]) -> u64 {
    let done = |timed: &&TimedCall| matches!(timed.call, Call::ProcessingComplete { .. });
    calls.iter().find(done).map_or(u64::MAX, |timed| timed.t_ms)
}

/// Moves each bubble of tool lines a few calls of the stream consumer later, not past the user or the end.
fn with_late_lines(calls: &[TimedCall], distance: usize) -> Vec<TimedCall> {
    let is_line = |timed: &TimedCall| match &timed.call {
        Call::Send(send) => {
            send.metadata.absent && send.reply_to.is_none() && send.content.starts_with(['💻', '📖', '`'])
        }
        Call::Edit(edit) => edit.content.starts_with(['💻', '📖']),
        _ => false,
    };
    let passes = |timed: &TimedCall| match &timed.call {
        Call::Edit(_) | Call::SendTyping => true,
        Call::Send(send) => send.metadata.reply_to_message_id.is_some(),
        _ => false,
    };
    let mut moved = calls.to_vec();
    for at in (0..moved.len()).rev().filter(|at| is_line(&calls[*at])) {
        let mut place = at;
        let mut left = distance;
        while left > 0 && moved.get(place + 1).is_some_and(|next| passes(next) && !is_line(next)) {
            moved.swap(place, place + 1);
            place += 1;
            left -= 1;
        }
    }
    moved
}

/// Without credits: a line that comes after the last answer takes them from it, the end of the turn keeps them.
fn lasting(it: Transcript) -> Transcript {
    Transcript { credits: Vec::new(), ..it }
}

#[test]
fn losing_sight_of_hermes_at_any_point_closes_everything() {
    for recording in gateway() {
        for count in 0..=recording.calls.len() {
            let mut machine = Machine::new("x");
            let mut frames: Vec<F> = Vec::new();
            for timed in &recording.calls[..count] {
                frames.extend(machine.call(timed.t_ms, &timed.call));
            }
            frames.extend(machine.lost(99_999));
            let open = open_at_the_end(&frames);
            assert!(open.is_empty(), "{} after {count} calls: {open:?}", recording.name);
            assert!(!machine.is_running());
        }
    }
}

fn open_at_the_end(frames: &[F]) -> Vec<String> {
    let mut open: Vec<String> = Vec::new();
    for frame in frames {
        let (opens, name) = match frame {
            F::MessageStart { message_id, .. } => (true, message_id.to_string()),
            F::MessageStop { message_id, .. } | F::Message { message_id, .. } => {
                (false, message_id.to_string())
            }
            F::ReasoningUpdate { message_id, .. } if !open.contains(&message_id.to_string()) => {
                (true, message_id.to_string())
            }
            F::ToolStart { index, .. } => (true, format!("{index:?}")),
            F::ToolEnd { index, .. } => (false, format!("{index:?}")),
            F::Ask { ask_id, .. } => (true, ask_id.to_string()),
            F::AskClosed { ask_id, .. } => (false, ask_id.to_string()),
            F::TurnStart { turn } => (true, turn.to_string()),
            F::TurnEnd { turn, .. } => (false, turn.to_string()),
            F::Typing { on } => (*on, "typing".to_owned()),
            _ => continue,
        };
        if opens { open.push(name) } else { open.retain(|other| *other != name) }
    }
    open
}

#[test]
fn one_machine_plays_turn_after_turn() {
    let mut machine = Machine::new("x");
    let mut ids = std::collections::HashSet::new();
    for recording in gateway() {
        let frames: Vec<Timed> = recording
            .calls
            .iter()
            .flat_map(|timed| {
                machine.call(timed.t_ms, &timed.call).into_iter().map(|frame| (timed.t_ms, frame))
            })
            .collect();
        for (_, frame) in &frames {
            if let F::MessageStart { message_id, .. } | F::Message { message_id, .. } = frame {
                assert!(ids.insert(message_id.clone()), "{}: {message_id} again", recording.name);
            }
        }
        // The machine remembers that hooks are connected, so lines of later recordings make no cards.
        let (together, alone) = (transcript(&frames), transcript(&play(&recording.calls)));
        assert_eq!(together.messages, alone.messages, "{}", recording.name);
        assert_eq!(together.turns, alone.turns, "{}", recording.name);
    }
}
