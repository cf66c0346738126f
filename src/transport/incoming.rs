//! The way of what the socket brings: read or counted, heard by the machine, routed to the chat on screen.

use iris_core::connection::{Event, State};
use iris_core::ids::ChatId;
use iris_core::protocol::frame::Level;
use iris_core::protocol::{DecodeError, Envelope, ServerFrame};
use leptos::prelude::{GetUntracked, Set};

use super::driver::Driver;
use super::socket::SocketEvent;
use crate::browser::{json, warn};

/// What the reader is told when nothing can be read.
const UNREADABLE: &str = "What arrives here cannot be read. The page and its adapter may be of different versions: reload the page";

impl Driver {
    pub(super) fn socket(&mut self, event: SocketEvent) {
        match event {
            SocketEvent::Opened => self.step(Event::Opened),
            SocketEvent::Text(text) => {
                let json = json::parse(&text).map_err(DecodeError::Json);
                match json.and_then(|value| self.reader.read_value(value)) {
                    Ok(envelope) => self.frame(envelope),
                    Err(error) => self.unreadable(&error.to_string()),
                }
            }
            SocketEvent::Time(ms) => self.store.recorded_ms.set(ms),
            SocketEvent::Unreadable => self.unreadable("it is no text, or too long"),
            SocketEvent::Closed { code, reason } => {
                self.step(Event::Closed { code, reason: reason.clone() });
                if matches!(self.store.connection.get_untracked(), State::Refused { .. }) {
                    self.refused_as_unpaired(&reason);
                }
            }
        }
    }

    /// Skips it. The console is told without its content; the reader only if nothing else arrives.
    fn unreadable(&mut self, why: &str) {
        let hopeless = self.faults.unreadable();
        warn(&format!("message {} that cannot be read: {why}", self.faults.total()));
        if hopeless {
            self.tell(Level::Error, "unreadable", UNREADABLE, Some(why.to_owned()));
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
                self.greeted(chats);
                self.ask_search();
            }
            ServerFrame::Ack { client_id, message_id } if self.creating.as_ref() == Some(client_id) => {
                self.created(ChatId(message_id.0.clone()));
            }
            ServerFrame::ChatUpdated { chat } => self.updated(chat.clone()),
            ServerFrame::ChatRemoved => {
                if let Some(chat) = &envelope.chat {
                    self.removed(chat);
                }
            }
            ServerFrame::SearchResult { client_id, hits } => self.found(client_id, hits.clone()),
            ServerFrame::HistoryPage { .. } => self.page(envelope),
            _ => self.of_chat(envelope),
        }
    }

    /// A frame of a chat; of the one on screen, unless it says otherwise.
    fn of_chat(&mut self, envelope: Envelope) {
        if let ServerFrame::Error { re: Some(re), .. } = &envelope.frame {
            self.request_failed(re, envelope.chat.as_ref());
        }
        if envelope.chat.is_some() && self.chat.is_some() && envelope.chat != self.chat {
            return;
        }
        match &envelope.frame {
            ServerFrame::SyncBegin { .. } => self.awaits_sync = false,
            ServerFrame::Ack { .. } | ServerFrame::Error { .. } => {}
            _ if self.awaits_sync && envelope.chat.is_some() => return,
            ServerFrame::TurnStart { .. } => self.quiet = false,
            _ => {}
        }
        let synced = matches!(envelope.frame, ServerFrame::SyncEnd);
        if self.session.frame(envelope, self.now_ms) {
            self.subscribe();
        }
        if synced {
            if std::mem::take(&mut self.quiet) {
                self.session.no_turn_runs(self.now_ms);
            }
            self.seek();
        }
    }

    /// The adapter did not do what was asked for.
    fn request_failed(&mut self, re: &str, chat: Option<&ChatId>) {
        self.session.answer_failed(re);
        self.found(&re.into(), Vec::new());
        if re == "history" {
            self.no_page(chat.or(self.chat.clone().as_ref()));
        }
    }
}
