//! The short form of an append: a message that is only a JSON string, and means the next piece of the text that the
//! message before it grew. Owns what such a string stands for, on both sides; who may be sent one is the adapter's to know.
//!
//! Everything else about the piece follows from the append before it: the same chat and text, the next number, right
//! where it ended. That is why only the message directly before counts: whatever else comes between ends it.

use serde_json::Value;

use super::{DecodeError, MAX_TO_APP, decode_server_value, parse_within, server};
use crate::ids::{ChatId, MessageId};
use crate::protocol::frame::{Envelope, ServerFrame};

/// Where a text stands: between an append and the next one, where one ends and the other begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tail {
    chat: Option<ChatId>,
    /// The number of what comes next.
    next: Option<u64>,
    message_id: MessageId,
    /// The text is the message's reasoning.
    reasoning: bool,
    /// Bytes of the text.
    len: u64,
}

/// An append as those write it who may leave out what follows from the message before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Growth {
    /// Where the text must have stood for the short form to do.
    pub before: Tail,
    /// Where it stands then.
    pub after: Tail,
    /// The whole frame.
    pub whole: String,
    /// The short form.
    pub short: String,
}

impl Tail {
    /// Before and after an append; `None` for any other frame.
    fn around(envelope: &Envelope) -> Option<(Self, Self, &str)> {
        let (message_id, at, text, reasoning) = match &envelope.frame {
            ServerFrame::MessageAppend { message_id, at, text } => (message_id, *at, text, false),
            ServerFrame::ReasoningAppend { message_id, at, text } => (message_id, *at, text, true),
            _ => return None,
        };
        let tail = |next, len| Self {
            chat: envelope.chat.clone(),
            next,
            message_id: message_id.clone(),
            reasoning,
            len,
        };
        let after = tail(envelope.seq.map(|seq| seq.saturating_add(1)), at.saturating_add(text.len() as u64));
        Some((tail(envelope.seq, at), after, text))
    }

    /// The append that a string stands for when it comes right after this.
    fn continued(self, text: String) -> Envelope {
        let Self { chat, next: seq, message_id, reasoning, len: at } = self;
        let frame = if reasoning {
            ServerFrame::ReasoningAppend { message_id, at, text }
        } else {
            ServerFrame::MessageAppend { message_id, at, text }
        };
        Envelope { chat, seq, frame }
    }
}

impl Growth {
    /// Both forms of an append; `None` for any other frame.
    pub fn of(envelope: &Envelope) -> Option<Self> {
        let (before, after, text) = Tail::around(envelope)?;
        Some(Self { before, after, whole: server::write(envelope), short: Value::from(text).to_string() })
    }
}

/// Reads what one socket brings, message by message.
#[derive(Debug, Default)]
pub struct ServerReader {
    tail: Option<Tail>,
}

impl ServerReader {
    /// Reads the next message.
    pub fn read(&mut self, text: &str) -> Result<Envelope, DecodeError> {
        match parse_within(text, MAX_TO_APP) {
            Ok(value) => self.read_value(value),
            Err(error) => {
                self.tail = None;
                Err(error)
            }
        }
    }

    /// Reads the next message out of JSON that somebody else has parsed, and who has kept to [`MAX_TO_APP`].
    pub fn read_value(&mut self, value: Value) -> Result<Envelope, DecodeError> {
        let envelope = match (self.tail.take(), value) {
            (Some(tail), Value::String(text)) => tail.continued(text),
            (_, value) => decode_server_value(value)?,
        };
        self.tail = Tail::around(&envelope).map(|(_, after, _)| after);
        Ok(envelope)
    }
}

#[cfg(test)]
mod tests;
