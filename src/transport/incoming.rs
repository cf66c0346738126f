//! The way of what the socket brings: read or counted, heard by the machine, routed to the chat on screen.

use iris_core::connection::{Event, State};
use iris_core::ids::ChatId;
use iris_core::protocol::frame::{ChatSummary, Level};
use iris_core::protocol::{AppFrame, DecodeError, Envelope, ServerFrame, decode_server_value};
use js_sys::JsString;
use leptos::prelude::GetUntracked;

use super::driver::Driver;
use super::place;
use super::socket::SocketEvent;
use crate::browser::{json, warn};

/// What the reader is told when nothing can be read.
const UNREADABLE: &str = "What arrives here cannot be read. The page and its adapter may be of different versions: reload the page";

fn read(text: &JsString) -> Result<Envelope, DecodeError> {
    decode_server_value(json::parse(text).map_err(DecodeError::Json)?)
}

impl Driver {
    pub(super) fn socket(&mut self, event: SocketEvent) {
        match event {
            SocketEvent::Opened => self.step(Event::Opened),
            SocketEvent::Text(text) => match read(&text) {
                Ok(envelope) => self.frame(envelope),
                Err(error) => self.unreadable(&error.to_string()),
            },
            SocketEvent::Unreadable => self.unreadable("it is no text, or too long"),
            SocketEvent::Closed { code, reason } => self.step(Event::Closed { code, reason }),
        }
    }

    /// Skips it. The console is told without its content; the reader only if nothing else arrives.
    fn unreadable(&mut self, why: &str) {
        let hopeless = self.faults.unreadable();
        warn(&format!("message {} that cannot be read: {why}", self.faults.total()));
        if hopeless {
            let frame = ServerFrame::Notice {
                level: Level::Error,
                code: "unreadable".to_owned(),
                text: UNREADABLE.to_owned(),
                detail: Some(why.to_owned()),
            };
            self.session.frame(Envelope { chat: None, seq: None, frame }, self.now_ms);
        }
    }

    fn frame(&mut self, envelope: Envelope) {
        self.faults.readable();
        self.outbox.heard(&envelope.frame);
        self.step(match &envelope.frame {
            ServerFrame::Hello { protocol, .. } => Event::Hello { protocol: *protocol },
            _ => Event::Frame,
        });
        if matches!(self.store.connection.get_untracked(), State::Refused { .. }) {
            return;
        }
        match &envelope.frame {
            ServerFrame::Hello { chats, .. } => {
                let chats = chats.clone();
                self.session.frame(envelope, self.now_ms);
                self.greeted(&chats);
            }
            ServerFrame::Ack { client_id, message_id } if self.creating.as_ref() == Some(client_id) => {
                let chat = ChatId(message_id.0.clone());
                self.creating = None;
                self.quiet = true;
                self.enter(chat);
            }
            ServerFrame::ChatRemoved if envelope.chat.is_some() && envelope.chat == self.chat => {
                self.create_chat()
            }
            _ => self.of_chat(envelope),
        }
    }

    /// A frame of a chat; of the one on screen, unless it says otherwise.
    fn of_chat(&mut self, envelope: Envelope) {
        if envelope.chat.is_some() && self.chat.is_some() && envelope.chat != self.chat {
            return;
        }
        let synced = matches!(envelope.frame, ServerFrame::SyncEnd);
        match &envelope.frame {
            ServerFrame::TurnStart { .. } => self.quiet = false,
            ServerFrame::Error { re: Some(re), .. } => self.session.answer_failed(re),
            _ => {}
        }
        if self.session.frame(envelope, self.now_ms) {
            self.subscribe();
        }
        if synced && std::mem::take(&mut self.quiet) {
            self.session.no_turn_runs(self.now_ms);
        }
    }

    fn greeted(&mut self, chats: &[ChatSummary]) {
        let Some(chat) = place::choose(chats, place::named_in_address(), self.chat.as_ref()) else {
            return self.create_chat();
        };
        self.quiet = chats.iter().any(|summary| summary.id == chat && !summary.running);
        self.enter(chat);
        self.empty_outbox();
    }

    /// Shows this chat from now on.
    fn enter(&mut self, chat: ChatId) {
        if self.chat.as_ref().is_some_and(|old| *old != chat) {
            self.session.clear(self.now_ms);
        }
        place::name_in_address(&chat);
        self.chat = Some(chat);
        self.subscribe();
    }

    fn subscribe(&mut self) {
        if let Some(chat) = self.chat.clone() {
            self.send(&AppFrame::Subscribe { chat, after_seq: self.session.after_seq(), limit: None });
        }
    }
}
