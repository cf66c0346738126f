//! The way of what the reader wants: shown here at once, sent when it can be, and never said to be sent when it is not.

use iris_core::connection::{Event, Message};
use iris_core::ids::{AskId, ChatId, ClientId};
use iris_core::protocol::codec::MAX_TO_ADAPTER;
use iris_core::protocol::frame::SendMode;
use iris_core::protocol::{AppFrame, encode_app};
use leptos::prelude::{GetUntracked, Set};

use super::driver::{Alarm, Driver};
use crate::browser::random_id;
use crate::storage::client_id_of;
use crate::store::Intent;

/// How often the outbox is looked into while something waits in it.
const LOOK_MS: f64 = 5_000.0;

const NO_CONNECTION: &str = "There was no connection for a minute";
const TOO_LONG: &str = "Too long: a message has at most 64 kB";

impl Driver {
    pub(super) fn intent(&mut self, intent: Intent) {
        match intent {
            Intent::Send { text, mode } => self.say(&text, mode),
            Intent::Retry(client_id) => {
                if let Some(message) = self.outbox.get(&client_id).cloned() {
                    self.deliver(Message { failed: None, ..message });
                }
            }
            Intent::Discard(client_id) => self.discard(&client_id),
            Intent::Stop => {
                self.send(&AppFrame::TurnStop { chat: self.chat.clone() });
            }
            Intent::Answer { ask_id, choice, text } => self.answer(ask_id, choice, text),
            // A page that asks to be paired connects when it is.
            Intent::Reconnect if self.asks() => {}
            Intent::Reconnect => self.step(Event::Reconnect),
            Intent::NewChat if self.chat.is_some() => self.create_chat(),
            // A plain peer has one chat without a name: all that can be new is the page.
            Intent::NewChat => self.session.clear(self.now_ms),
            Intent::OpenChat(chat) => self.open_chat(chat),
            Intent::RenameChat(chat, title) => {
                self.send(&AppFrame::ChatRename { chat, title });
            }
            Intent::DeleteChat(chat) => {
                self.send(&AppFrame::ChatDelete { chat });
            }
            Intent::Search(query) => self.search(&query),
            Intent::OpenHit(hit) => self.open_hit(hit),
            Intent::OlderHistory => self.older_history(),
            Intent::Attach(files) => self.attach(files),
            Intent::Detach(key) => self.detach(key),
            Intent::Pair { code, name } => self.pair(&code, &name),
            Intent::Fetch(id) => self.fetch(id),
        }
    }

    fn answer(&mut self, ask_id: AskId, choice: Option<String>, text: Option<String>) {
        let frame = AppFrame::AskAnswer { chat: self.chat.clone(), ask_id: ask_id.clone(), choice, text };
        if self.send(&frame) {
            self.session.answering(&ask_id);
        }
    }

    fn say(&mut self, text: &str, mode: Option<SendMode>) {
        let text = text.trim();
        // The same file goes once anyway.
        let files = self.has_uploads();
        if !files && (text.is_empty() || !self.guard.admits(text, self.now_ms)) {
            return;
        }
        // Two messages are never of one moment: their order is told by it.
        self.written_ms = (js_sys::Date::now() as u64).max(self.written_ms + 1);
        let message = Message {
            client_id: ClientId(random_id()),
            chat: self.chat.clone(),
            text: text.to_owned(),
            attachments: self.take_uploads(),
            mode,
            written_ms: self.written_ms,
            failed: None,
        };
        self.deliver(message);
    }

    /// Shows the message, and sends it now or when the connection is back.
    fn deliver(&mut self, message: Message) {
        self.session.echo(&message, self.now_ms);
        let client_id = message.client_id.clone();
        let frame = self.outbox.put(message, self.now_ms);
        if encode_app(&frame).len() > MAX_TO_ADAPTER {
            self.outbox.fail(&client_id, TOO_LONG);
            return self.session.fail(&client_id, TOO_LONG, self.now_ms);
        }
        if self.is_online() {
            self.post(&frame);
        }
        self.alarm(Alarm::Outbox, LOOK_MS);
    }

    /// Sends everything that waits.
    pub(super) fn empty_outbox(&mut self) {
        for frame in self.outbox.resend() {
            self.post(&frame);
        }
        self.look_again();
    }

    /// A plain peer acknowledges nothing: what its socket took is delivered.
    fn post(&mut self, frame: &AppFrame) {
        let AppFrame::MessageSend { client_id, .. } = frame else { return };
        if self.send(frame) && self.machine.is_plain() {
            self.outbox.forget(client_id);
            self.session.delivered(client_id, self.now_ms);
        }
    }

    pub(super) fn look_into_outbox(&mut self) {
        for client_id in self.outbox.give_up(NO_CONNECTION, self.now_ms) {
            self.session.fail(&client_id, NO_CONNECTION, self.now_ms);
        }
        self.look_again();
    }

    pub(super) fn look_again(&mut self) {
        if self.outbox.is_waiting() {
            self.alarm(Alarm::Outbox, LOOK_MS);
        }
    }

    /// What was written in this chat and is not with the adapter.
    pub(super) fn waiting_in(&self, chat: &ChatId) -> impl Iterator<Item = &Message> {
        self.outbox.iter().filter(move |message| message.chat.as_ref().is_none_or(|its| its == chat))
    }

    /// The text goes back into the composer, above what stands there.
    fn discard(&mut self, client_id: &ClientId) {
        self.outbox.forget(client_id);
        let Some(text) = self.session.discard(client_id, self.now_ms) else { return };
        let draft = self.store.draft.get_untracked();
        self.store.draft.set(if draft.trim().is_empty() { text } else { format!("{text}\n\n{draft}") });
    }

    /// Another tab has delivered a message, or its reader has taken it back.
    pub(super) fn gone_from_storage(&mut self, key: &str) {
        if let Some(client_id) = client_id_of(key).map(ClientId::from) {
            self.outbox.forget(&client_id);
            self.session.discard(&client_id, self.now_ms);
        }
    }
}
