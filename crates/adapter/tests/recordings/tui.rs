//! Turns of the TUI gateway, told as the calls that the gateway would make: there Hermes says *while* it waits what it
//! waits for, which no other recording has.

use std::fs;

use iris_adapter::backend::gateway::{Call, Edit, Inbound, Metadata, Outcome, Send, TimedCall};
use serde_json::Value;

use crate::load::root;

/// What the gateway adds to the text of a failure.
const FAILED: &str = "Your request was not processed. Send it again if you still want me to carry it out.";

/// A turn being told.
#[derive(Default)]
struct Told {
    calls: Vec<TimedCall>,
    /// What the bubble shows; none stands before the first word.
    bubble: String,
    turns: usize,
}

/// The calls of a recording.
pub(crate) fn calls(name: &str) -> Vec<TimedCall> {
    let text = fs::read_to_string(root().join("tui-gateway").join(name).with_extension("jsonl")).unwrap();
    let mut told = Told::default();
    for line in text.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        let frame = &line["frame"];
        let t_ms = line["t_ms"].as_u64().unwrap();
        if frame["method"] == "prompt.submit" {
            told.begin(t_ms, frame["params"]["text"].as_str().unwrap());
        } else if frame["method"] == "event" {
            told.event(t_ms, frame["params"]["type"].as_str().unwrap(), &frame["params"]["payload"]);
        }
    }
    told.calls
}

impl Told {
    fn push(&mut self, t_ms: u64, call: Call) {
        self.calls.push(TimedCall { t_ms, chat: None, call });
    }

    fn send(&mut self, t_ms: u64, content: &str, metadata: Metadata) {
        let send = Send { content: content.to_owned(), metadata, ..Send::default() };
        self.push(t_ms, Call::Send(send));
    }

    fn begin(&mut self, t_ms: u64, text: &str) {
        self.turns += 1;
        let inbound =
            Inbound { text: text.to_owned(), message_id: format!("u{}", self.turns), client_id: None };
        self.push(t_ms, Call::Inbound(inbound));
        self.push(t_ms, Call::ProcessingStart { text: text.to_owned() });
    }

    fn event(&mut self, t_ms: u64, kind: &str, payload: &Value) {
        let text = payload["text"].as_str().unwrap_or_default();
        match kind {
            // Faces and "deliberating..." are for the eye; what is said begins with a sign.
            "thinking.delta" if text.starts_with(['⏳', '⚠']) => {
                self.send(t_ms, text, Metadata { interim: true, ..Metadata::default() });
            }
            "status.update" => self.send(t_ms, text, Metadata { absent: true, ..Metadata::default() }),
            "message.delta" => self.grow(t_ms, text),
            "message.complete" => self.complete(t_ms, text, payload["status"].as_str().unwrap()),
            _ => {}
        }
    }

    fn grow(&mut self, t_ms: u64, text: &str) {
        let opens = self.bubble.is_empty();
        self.bubble.push_str(text);
        let (message_id, content) = (format!("b{}", self.turns), self.bubble.clone());
        let reply_to_message_id = Some(format!("u{}", self.turns));
        let call = if opens {
            let metadata = Metadata { reply_to_message_id, expect_edits: true, ..Metadata::default() };
            Call::Send(Send { content, reply_to: None, metadata, returns: Some(message_id) })
        } else {
            Call::Edit(Edit { message_id, content, finalize: false })
        };
        self.push(t_ms, call);
    }

    fn complete(&mut self, t_ms: u64, text: &str, status: &str) {
        let outcome = match status {
            "interrupted" => Outcome::Cancelled,
            "error" => Outcome::Failure,
            _ => Outcome::Success,
        };
        if outcome == Outcome::Failure && self.bubble.is_empty() {
            let metadata = Metadata { notify: true, ..Metadata::default() };
            self.send(t_ms, &format!("{text}\n\n{FAILED}"), metadata);
        }
        self.bubble.clear();
        self.push(t_ms, Call::ProcessingComplete { outcome });
    }
}
