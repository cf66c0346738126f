//! Frames as a recording that the player of `run/` plays: one JSON object a line, the first of which says what the file is,
//! every other a frame of the protocol with `t`, the milliseconds since the recording began.
//!
//! Owns what stays out of it: chats, numbers, ids of devices, and what is about a connection. A text that is told in full
//! again and again is written as what it grew by, so that a file is about as long as what was said.

use std::mem;

use serde_json::json;

use super::About;
use crate::ids::MessageId;
use crate::protocol::codec::encode_server;
use crate::protocol::frame::{Envelope, ServerFrame};
use crate::run::kind::{EXPORT, EXPORT_FIELD};

/// The version of the format.
pub const VERSION: u32 = 1;

/// What a file of it is called at its end.
pub const EXTENSION: &str = "iris.jsonl";

/// A recording that is being written.
#[derive(Clone, Debug, Default)]
pub struct Recording {
    out: String,
    now_ms: u64,
    text: Option<(MessageId, String)>,
    reasoning: Option<(MessageId, String)>,
}

impl Recording {
    /// A recording that says what it is and holds no frame yet. `began_ms`: when what it shows began, milliseconds since
    /// 1970, if that is known.
    pub fn new(about: &About, began_ms: Option<u64>) -> Self {
        let header = json!({
            EXPORT_FIELD: EXPORT,
            "version": VERSION,
            "title": about.title(),
            "began_ms": began_ms,
            "exported_ms": about.exported_ms,
        });
        Self { out: format!("{header}\n"), ..Self::default() }
    }

    /// Writes a frame down. `t_ms`: milliseconds since the recording began; without it, or when it goes back, the frame
    /// happens with the one before.
    pub fn push(&mut self, t_ms: Option<u64>, frame: &ServerFrame) {
        self.now_ms = self.now_ms.max(t_ms.unwrap_or(0));
        let Some(frame) = self.kept(frame) else { return };
        let mut line = encode_server(&Envelope { chat: None, seq: None, frame });
        // Its last bracket: `t` stands before it.
        line.pop();
        self.out.push_str(&line);
        self.out.push_str(&format!(",\"t\":{}}}\n", self.now_ms));
    }

    /// What was written since the last time: a recording may be taken in pieces.
    pub fn take(&mut self) -> String {
        mem::take(&mut self.out)
    }

    /// The frame as it is written; `None` when it is about no transcript.
    fn kept(&mut self, frame: &ServerFrame) -> Option<ServerFrame> {
        frame.is_of_a_chat().then(|| match frame {
            ServerFrame::UserMessage { message_id, text, ts, attachments, .. } => ServerFrame::UserMessage {
                message_id: message_id.clone(),
                client_id: None,
                text: text.clone(),
                ts: *ts,
                attachments: attachments.clone(),
            },
            ServerFrame::MessageUpdate { message_id, text } => {
                match grown(&mut self.text, message_id, text) {
                    Some((at, text)) => {
                        ServerFrame::MessageAppend { message_id: message_id.clone(), at, text }
                    }
                    None => frame.clone(),
                }
            }
            ServerFrame::ReasoningUpdate { message_id, text } => {
                match grown(&mut self.reasoning, message_id, text) {
                    Some((at, text)) => {
                        ServerFrame::ReasoningAppend { message_id: message_id.clone(), at, text }
                    }
                    None => frame.clone(),
                }
            }
            ServerFrame::MessageAppend { message_id, at, text } => {
                follow(&mut self.text, message_id, *at, text);
                frame.clone()
            }
            ServerFrame::ReasoningAppend { message_id, at, text } => {
                follow(&mut self.reasoning, message_id, *at, text);
                frame.clone()
            }
            // Ids of messages live no longer than their turn.
            ServerFrame::TurnStart { .. } => {
                (self.text, self.reasoning) = (None, None);
                frame.clone()
            }
            _ => frame.clone(),
        })
    }
}

/// What the text grew by since it was last told, and from where; `None` if it is another one.
fn grown(told: &mut Option<(MessageId, String)>, id: &MessageId, text: &str) -> Option<(u64, String)> {
    let before = told.take().filter(|(told, _)| told == id);
    let news = before.and_then(|(_, before)| {
        let more = text.strip_prefix(before.as_str()).filter(|more| !more.is_empty())?;
        Some((before.len() as u64, more.to_owned()))
    });
    *told = Some((id.clone(), text.to_owned()));
    news
}

fn follow(told: &mut Option<(MessageId, String)>, id: &MessageId, at: u64, more: &str) {
    match told {
        Some((told, text)) if told == id && text.len() as u64 == at => text.push_str(more),
        _ if at == 0 => *told = Some((id.clone(), more.to_owned())),
        _ => *told = None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recording_says_what_it_is_and_holds_nothing_of_a_device() {
        let mut recording =
            Recording::new(&About { title: "The\nrepo".into(), exported_ms: Some(9) }, Some(5));
        let frames = [
            r#"{"type":"hello","protocol":1}"#,
            r#"{"type":"user.message","chat":"c1","seq":4,"message_id":"u1","client_id":"d1-5","text":"Hello {}"}"#,
            r#"{"type":"message.update","message_id":"m1","text":"Let me"}"#,
            r#"{"type":"message.update","message_id":"m1","text":"Let me look"}"#,
            r#"{"type":"message.update","message_id":"m1","text":"No"}"#,
            r#"{"type":"sync.end","chat":"c1"}"#,
        ];
        for (nth, frame) in frames.iter().enumerate() {
            let envelope = crate::protocol::decode_server(frame).unwrap();
            recording.push(Some(10 * nth as u64), &envelope.frame);
        }
        assert_eq!(
            recording.take(),
            concat!(
                r#"{"iris":"frames","version":1,"title":"The repo","began_ms":5,"exported_ms":9}"#,
                "\n",
                r#"{"type":"user.message","message_id":"u1","text":"Hello {}","t":10}"#,
                "\n",
                r#"{"type":"message.update","message_id":"m1","text":"Let me","t":20}"#,
                "\n",
                r#"{"type":"message.append","message_id":"m1","at":6,"text":" look","t":30}"#,
                "\n",
                r#"{"type":"message.update","message_id":"m1","text":"No","t":40}"#,
                "\n",
            )
        );
        assert_eq!(recording.take(), "", "taken once");
    }
}
