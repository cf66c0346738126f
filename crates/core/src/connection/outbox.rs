//! Messages that the adapter has not acknowledged. They are sent again, with the same id, when the connection is back:
//! the adapter takes each id once. What failed stays too, until it is sent again or taken back.
//!
//! Keeping them over a reload is the caller's: [`Outbox::changes`] says what to write down.

use crate::ids::{ChatId, ClientId};
use crate::protocol::frame::{FileInfo, SendMode};
use crate::protocol::{AppFrame, ServerFrame};

/// A message that could not be delivered for so long is reported as failed.
const GIVE_UP_MS: f64 = 60_000.0;

/// So many are written down; more than that live as long as the page.
const MAX_KEPT: usize = 100;

/// A message of this device that is not with the adapter yet.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Message {
    /// This device's id of it.
    pub client_id: ClientId,
    /// Its chat; `None` while that is not known, and for a peer with one nameless chat.
    pub chat: Option<ChatId>,
    /// What the user says.
    pub text: String,
    /// What comes with it: the adapter has these files already.
    pub attachments: Vec<FileInfo>,
    /// What to do with it while a turn runs.
    pub mode: Option<SendMode>,
    /// When it was written, milliseconds since 1970: the order in which messages go out after a reload.
    pub written_ms: u64,
    /// Why it did not get there, for people; `None` while it is on its way.
    pub failed: Option<String>,
}

/// What to write down, so that a reload loses nothing.
#[derive(Clone, Debug, PartialEq)]
pub enum Kept {
    /// Write this message down, in place of what is there under its id.
    Write(Message),
    /// Forget what is there under this id.
    Forget(ClientId),
}

/// What is on its way or has failed, oldest first.
#[derive(Clone, Debug, Default)]
pub struct Outbox {
    /// Each with the time since when it waits.
    waiting: Vec<(Message, f64)>,
    changes: Vec<Kept>,
}

impl Outbox {
    /// Takes over what an earlier page wrote down.
    pub fn restore(&mut self, messages: Vec<Message>, now_ms: f64) {
        for message in messages {
            let later = self.iter().position(|other| other.written_ms > message.written_ms);
            self.waiting.insert(later.unwrap_or(self.waiting.len()), (message, now_ms));
        }
    }

    /// Notes a message and gives the frame to send now, or when the connection is back.
    pub fn put(&mut self, message: Message, now_ms: f64) -> AppFrame {
        let message = Message { failed: None, ..message };
        self.waiting.retain(|(other, _)| other.client_id != message.client_id);
        let frame = message.frame();
        if self.waiting.len() < MAX_KEPT {
            self.changes.push(Kept::Write(message.clone()));
        }
        self.waiting.push((message, now_ms));
        frame
    }

    /// Everything to send again after a reconnect, in its order.
    pub fn resend(&self) -> Vec<AppFrame> {
        self.iter().filter(|message| message.failed.is_none()).map(Message::frame).collect()
    }

    /// Every message, oldest first.
    pub fn iter(&self) -> impl Iterator<Item = &Message> {
        self.waiting.iter().map(|(message, _)| message)
    }

    /// The message with this id.
    pub fn get(&self, client_id: &ClientId) -> Option<&Message> {
        self.iter().find(|message| message.client_id == *client_id)
    }

    /// Takes note of what the adapter says about a message.
    pub fn heard(&mut self, frame: &ServerFrame) {
        match frame {
            ServerFrame::Ack { client_id, .. } => self.forget(client_id),
            ServerFrame::UserMessage { client_id: Some(client_id), .. } => self.forget(client_id),
            ServerFrame::Error { re: Some(re), text, .. } => self.fail(&re.as_str().into(), text),
            ServerFrame::HistoryPage { frames, .. } => {
                for envelope in frames {
                    if let ServerFrame::UserMessage { .. } = envelope.frame {
                        self.heard(&envelope.frame);
                    }
                }
            }
            _ => {}
        }
    }

    /// The message is delivered, or taken back.
    pub fn forget(&mut self, client_id: &ClientId) {
        let before = self.waiting.len();
        self.waiting.retain(|(message, _)| message.client_id != *client_id);
        if self.waiting.len() < before {
            self.changes.push(Kept::Forget(client_id.clone()));
        }
    }

    /// The message did not get there; `why` is for people.
    pub fn fail(&mut self, client_id: &ClientId, why: &str) {
        self.change(|message| {
            let it = message.client_id == *client_id;
            it.then(|| message.failed = Some(why.to_owned())).is_some()
        });
    }

    /// Fails what has waited too long, and says which.
    pub fn give_up(&mut self, why: &str, now_ms: f64) -> Vec<ClientId> {
        let old =
            |(message, since): &&(Message, f64)| message.failed.is_none() && now_ms - since >= GIVE_UP_MS;
        let old: Vec<ClientId> =
            self.waiting.iter().filter(old).map(|(message, _)| message.client_id.clone()).collect();
        for client_id in &old {
            self.fail(client_id, why);
        }
        old
    }

    /// This is the chat of what was written before any chat was known.
    pub fn adopt(&mut self, chat: &ChatId) {
        self.change(|message| message.chat.is_none() && message.chat.replace(chat.clone()).is_none());
    }

    /// The chats that there are. What was meant for another one fails, and stands in `here` from now on.
    pub fn only_of(&mut self, chats: &[ChatId], here: &ChatId, why: &str) {
        self.change(|message| {
            let gone = message.chat.as_ref().is_some_and(|chat| !chats.contains(chat));
            if gone {
                message.chat = Some(here.clone());
                message.failed = Some(why.to_owned());
            }
            gone
        });
    }

    /// Something is on its way.
    pub fn is_waiting(&self) -> bool {
        self.iter().any(|message| message.failed.is_none())
    }

    /// What to write down since the last time.
    pub fn changes(&mut self) -> Vec<Kept> {
        std::mem::take(&mut self.changes)
    }

    fn change(&mut self, mut change: impl FnMut(&mut Message) -> bool) {
        for (at, (message, _)) in self.waiting.iter_mut().enumerate() {
            if change(message) && at < MAX_KEPT {
                self.changes.push(Kept::Write(message.clone()));
            }
        }
    }
}

impl Message {
    /// The frame that says it.
    pub fn frame(&self) -> AppFrame {
        AppFrame::MessageSend {
            client_id: self.client_id.clone(),
            chat: self.chat.clone(),
            text: self.text.clone(),
            attachments: self.attachments.iter().map(|file| file.id.clone()).collect(),
            mode: self.mode,
        }
    }
}

#[cfg(test)]
mod tests;
