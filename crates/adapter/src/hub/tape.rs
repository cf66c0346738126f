//! When each frame of a turn was told: what an export needs to play the turn as it was. Holds the turn that runs, as lines of
//! a recording (`iris_core::export::recording`); the journal keeps those of the last ones. Pure: the time is passed in.

use iris_core::{
    ids::TurnId,
    protocol::{
        codec::encode_server,
        frame::{Envelope, ServerFrame},
    },
};

/// Bytes of one turn; of a longer one there is no tape.
const MAX_BYTES: usize = 4 << 20;

/// A turn with its times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tape {
    /// The turn.
    pub turn: String,
    /// When it began, milliseconds since 1970.
    pub began_ms: u64,
    /// Its frames, one JSON object a line, each with `t`, milliseconds since its beginning.
    pub lines: String,
}

/// What records the turns of a chat.
#[derive(Debug, Default)]
pub(super) struct Recorder {
    running: Option<Tape>,
}

impl Recorder {
    /// Takes a frame that was told at `now_ms`; of a text that grows, only the growth. The tape of the turn that it ends.
    pub(super) fn push(&mut self, now_ms: u64, frame: &ServerFrame) -> Option<Tape> {
        if let ServerFrame::TurnStart { turn: TurnId(turn) } = frame {
            self.running = Some(Tape { turn: turn.clone(), began_ms: now_ms, lines: String::new() });
        }
        let tape = self.running.as_mut()?;
        let frame = match frame {
            // No id of a device is a part of it.
            ServerFrame::UserMessage { message_id, text, ts, attachments, .. } => &ServerFrame::UserMessage {
                message_id: message_id.clone(),
                client_id: None,
                text: text.clone(),
                ts: *ts,
                attachments: attachments.clone(),
            },
            frame => frame,
        };
        let mut line = encode_server(&Envelope { chat: None, seq: None, frame: frame.clone() });
        line.pop();
        let t = now_ms.saturating_sub(tape.began_ms);
        tape.lines.push_str(&format!("{line},\"t\":{t}}}\n"));
        if tape.lines.len() > MAX_BYTES {
            self.running = None;
            return None;
        }
        if matches!(frame, ServerFrame::TurnEnd { .. }) { self.running.take() } else { None }
    }

    /// The turn is told again, as fast as it can be: nobody knows any more when what happened.
    pub(super) fn forget(&mut self) {
        self.running = None;
    }
}

#[cfg(test)]
mod tests {
    use iris_core::protocol::decode_server;

    use super::*;

    fn push(recorder: &mut Recorder, now_ms: u64, frame: &str) -> Option<Tape> {
        recorder.push(now_ms, &decode_server(frame).unwrap().frame)
    }

    const END: &str = r#"{"type":"turn.end","turn":"t1","status":"complete"}"#;

    #[test]
    fn a_turn_is_recorded_from_its_start_to_its_end_without_what_names_a_device() {
        let mut recorder = Recorder::default();
        let before = r#"{"type":"message","message_id":"m0","text":"before"}"#;
        assert_eq!(push(&mut recorder, 900, before), None);
        push(&mut recorder, 1_000, r#"{"type":"turn.start","turn":"t1"}"#);
        let said = r#"{"type":"user.message","message_id":"u1","client_id":"d1-5","text":"go on"}"#;
        push(&mut recorder, 1_400, said);
        let tape = push(&mut recorder, 2_500, END).unwrap();
        assert_eq!((tape.turn.as_str(), tape.began_ms), ("t1", 1_000));
        assert_eq!(
            tape.lines,
            concat!(
                r#"{"type":"turn.start","turn":"t1","t":0}"#,
                "\n",
                r#"{"type":"user.message","message_id":"u1","text":"go on","t":400}"#,
                "\n",
                r#"{"type":"turn.end","turn":"t1","status":"complete","t":1500}"#,
                "\n",
            )
        );
        assert_eq!(push(&mut recorder, 3_000, END), None, "nothing runs");
    }

    #[test]
    fn a_turn_that_is_told_again_or_is_too_long_has_no_tape() {
        let mut recorder = Recorder::default();
        push(&mut recorder, 0, r#"{"type":"turn.start","turn":"t1"}"#);
        recorder.forget();
        assert_eq!(push(&mut recorder, 1, END), None);
        push(&mut recorder, 0, r#"{"type":"turn.start","turn":"t1"}"#);
        let text = "x".repeat(MAX_BYTES);
        push(&mut recorder, 1, &format!(r#"{{"type":"commentary","message_id":"m","text":"{text}"}}"#));
        assert_eq!(push(&mut recorder, 2, END), None);
    }
}
