//! The frames of a chat as they are on disk, with the times of the tapes that there are: a turn with a tape is told as it was,
//! one without as it ended. Pure.

use std::{collections::HashMap, sync::Arc};

use iris_core::protocol::{codec::decode_server, codec::decode_server_value, frame::ServerFrame};
use serde_json::{Map, Value};

use crate::hub::tape::Tape;

/// A frame, and when it was told, milliseconds since 1970, if that is known.
pub(super) type Timed = (Option<u64>, ServerFrame);

/// What is exported.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Assembled {
    pub(super) frames: Vec<Timed>,
    /// Turns in it.
    pub(super) turns: usize,
    /// Those whose times are known.
    pub(super) timed: usize,
}

impl Assembled {
    /// When it began, milliseconds since 1970.
    pub(super) fn began_ms(&self) -> Option<u64> {
        self.frames.iter().find_map(|(at_ms, _)| *at_ms)
    }

    /// The frames with milliseconds since the beginning.
    pub(super) fn since_began(&self) -> impl Iterator<Item = (Option<u64>, &ServerFrame)> {
        let began = self.began_ms().unwrap_or(0);
        self.frames.iter().map(move |(at_ms, frame)| (at_ms.map(|at| at.saturating_sub(began)), frame))
    }
}

/// Puts frames and tapes together; of one turn with what the user said right before it. `None`: there is no such turn.
pub(super) fn assemble(frames: &[Arc<str>], tapes: &[Tape], turn: Option<&str>) -> Option<Assembled> {
    // One that cannot be read is left out, as it is anywhere.
    let read: Vec<ServerFrame> =
        frames.iter().filter_map(|json| decode_server(json).ok()).map(|envelope| envelope.frame).collect();
    let tapes: HashMap<&str, &Tape> = tapes.iter().map(|tape| (tape.turn.as_str(), tape)).collect();
    let mut out = Assembled::default();
    let mut place = Place::Outside;
    for frame in read {
        if let ServerFrame::TurnStart { turn: id } = &frame {
            place =
                out.begin(frame.clone(), tapes.get(id.0.as_str()).copied(), turn.map(|turn| turn == id.0));
            continue;
        }
        let ends = matches!(frame, ServerFrame::TurnEnd { .. });
        let said = matches!(frame, ServerFrame::UserMessage { .. });
        match place {
            Place::Copied => out.frames.push((said_ms(&frame), frame)),
            Place::Told | Place::Unwanted => {}
            // Of one turn only what the user said right before it is of interest.
            Place::Outside if turn.is_none() || said => out.frames.push((said_ms(&frame), frame)),
            Place::Outside => out.frames.clear(),
        }
        if ends && turn.is_some() && out.turns > 0 {
            return Some(out);
        }
        if ends {
            place = Place::Outside;
        }
    }
    (turn.is_none() || out.turns > 0).then_some(out)
}

/// Where a frame stands.
#[derive(Clone, Copy)]
enum Place {
    /// In no turn.
    Outside,
    /// In a turn of which the tape told everything.
    Told,
    /// In a turn without a tape.
    Copied,
    /// In another turn than the one that is wanted.
    Unwanted,
}

impl Assembled {
    /// A turn begins; `wanted`: it is the only one that is, or is not.
    fn begin(&mut self, frame: ServerFrame, tape: Option<&Tape>, wanted: Option<bool>) -> Place {
        if wanted == Some(false) {
            self.frames.clear();
            return Place::Unwanted;
        }
        self.turns += 1;
        match tape {
            Some(tape) => {
                self.timed += 1;
                self.frames.extend(told(tape));
                Place::Told
            }
            None => {
                self.frames.push((None, frame));
                Place::Copied
            }
        }
    }
}

/// When the user said it.
fn said_ms(frame: &ServerFrame) -> Option<u64> {
    match frame {
        ServerFrame::UserMessage { ts, .. } => *ts,
        _ => None,
    }
}

/// The frames of a tape.
fn told(tape: &Tape) -> impl Iterator<Item = Timed> + '_ {
    tape.lines.lines().filter_map(|line| {
        let mut map: Map<String, Value> = serde_json::from_str(line).ok()?;
        let t = map.remove("t").and_then(|t| t.as_u64())?;
        let frame = decode_server_value(Value::Object(map)).ok()?.frame;
        Some((Some(tape.began_ms.saturating_add(t)), frame))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames() -> Vec<Arc<str>> {
        [
            r#"{"type":"user.message","message_id":"u1","text":"one","ts":1000}"#,
            r#"{"type":"turn.start","turn":"t1"}"#,
            r#"{"type":"message","message_id":"m1","text":"first"}"#,
            r#"{"type":"turn.end","turn":"t1","status":"complete"}"#,
            r#"{"type":"notice","level":"info","code":"x","text":"between"}"#,
            r#"{"type":"user.message","message_id":"u2","text":"two","ts":5000}"#,
            r#"{"type":"turn.start","turn":"t2"}"#,
            r#"{"type":"message","message_id":"m2","text":"as it ended"}"#,
            r#"{"type":"turn.end","turn":"t2","status":"complete"}"#,
            "not a frame",
        ]
        .map(Arc::from)
        .to_vec()
    }

    fn tape() -> Tape {
        let lines = [
            r#"{"type":"turn.start","turn":"t2","t":0}"#,
            r#"{"type":"message","message_id":"m2","text":"as it was told","t":700}"#,
            "nonsense",
            r#"{"type":"turn.end","turn":"t2","status":"complete","t":900}"#,
        ];
        Tape { turn: "t2".to_owned(), began_ms: 5_200, lines: lines.join("\n") }
    }

    /// When what was said, a word for everything else.
    fn check(turn: Option<&str>, tapes: &[Tape], expected: &[(Option<u64>, &str)]) {
        let assembled = assemble(&frames(), tapes, turn).unwrap();
        let word = |frame: &ServerFrame| match frame {
            ServerFrame::UserMessage { text, .. }
            | ServerFrame::Message { text, .. }
            | ServerFrame::Notice { text, .. } => text.clone(),
            ServerFrame::TurnStart { .. } => "start".to_owned(),
            _ => "end".to_owned(),
        };
        let found: Vec<_> = assembled.frames.iter().map(|(at, frame)| (*at, word(frame))).collect();
        let expected: Vec<_> = expected.iter().map(|(at, word)| (*at, (*word).to_owned())).collect();
        assert_eq!(found, expected, "{turn:?}");
    }

    #[test]
    fn a_turn_with_a_tape_is_told_as_it_was_and_one_without_as_it_ended() {
        check(
            None,
            &[tape()],
            &[
                (Some(1_000), "one"),
                (None, "start"),
                (None, "first"),
                (None, "end"),
                (None, "between"),
                (Some(5_000), "two"),
                (Some(5_200), "start"),
                (Some(5_900), "as it was told"),
                (Some(6_100), "end"),
            ],
        );
        let assembled = assemble(&frames(), &[tape()], None).unwrap();
        assert_eq!((assembled.turns, assembled.timed, assembled.began_ms()), (2, 1, Some(1_000)));
    }

    #[test]
    fn one_turn_has_what_the_user_said_right_before_it() {
        let first = [(Some(1_000), "one"), (None, "start"), (None, "first"), (None, "end")];
        check(Some("t1"), &[tape()], &first);
        let second = [(Some(5_000), "two"), (None, "start"), (None, "as it ended"), (None, "end")];
        check(Some("t2"), &[], &second);
        assert_eq!(assemble(&frames(), &[], Some("t3")), None);
    }
}
