//! The way of what the reader wants: shown here at once, sent when it can be, and never said to be sent when it is not.

use iris_core::connection::Event;
use iris_core::ids::ClientId;
use iris_core::protocol::codec::MAX_TO_ADAPTER;
use iris_core::protocol::{AppFrame, encode_app};
use leptos::prelude::{GetUntracked, Set};

use super::driver::{Alarm, Driver};
use crate::browser::random_id;
use crate::store::Intent;

/// How often the outbox is looked into while something waits in it.
const LOOK_MS: f64 = 5_000.0;

const NO_CONNECTION: &str = "There was no connection for a minute";
const TOO_LONG: &str = "Too long: a message has at most 64 kB";

impl Driver {
    pub(super) fn intent(&mut self, intent: Intent) {
        match intent {
            Intent::Send { text, .. } => self.say(&text),
            Intent::Retry(client_id) => {
                if let Some(text) = self.session.unsent_text(&client_id) {
                    self.deliver(client_id, text);
                }
            }
            Intent::Discard(client_id) => self.discard(&client_id),
            Intent::Stop => {
                self.send(&AppFrame::TurnStop { chat: self.chat.clone() });
            }
            Intent::Answer { ask_id, choice, text } => {
                let frame =
                    AppFrame::AskAnswer { chat: self.chat.clone(), ask_id: ask_id.clone(), choice, text };
                if self.send(&frame) {
                    self.session.answering(&ask_id);
                }
            }
            Intent::Reconnect => self.step(Event::Reconnect),
            Intent::NewChat if self.chat.is_some() => self.create_chat(),
            // A plain peer has one chat without a name: all that can be new is the page.
            Intent::NewChat => self.session.clear(self.now_ms),
            // Not answered yet: the transport follows the contract.
            _ => {}
        }
    }

    fn say(&mut self, text: &str) {
        let text = text.trim();
        if !text.is_empty() && self.guard.admits(text, self.now_ms) {
            self.deliver(ClientId(random_id()), text.to_owned());
        }
    }

    /// Shows the message, and sends it now or when the connection is back.
    fn deliver(&mut self, client_id: ClientId, text: String) {
        self.session.echo(&client_id, &text, self.now_ms);
        let frame = self.outbox.put(client_id.clone(), self.chat.clone(), text, self.now_ms);
        if encode_app(&frame).len() > MAX_TO_ADAPTER {
            self.outbox.forget(&client_id);
            return self.session.fail(&client_id, TOO_LONG, self.now_ms);
        }
        if self.is_online() {
            self.post(frame);
        }
        self.alarm(Alarm::Outbox, LOOK_MS);
    }

    /// Sends everything that waits.
    pub(super) fn empty_outbox(&mut self) {
        for frame in self.outbox.resend() {
            self.post(frame);
        }
    }

    /// A plain peer acknowledges nothing: what its socket took is delivered.
    fn post(&mut self, mut frame: AppFrame) {
        let AppFrame::MessageSend { client_id, chat, .. } = &mut frame else { return };
        let client_id = client_id.clone();
        // Written before the chat was known.
        *chat = chat.take().or_else(|| self.chat.clone());
        if self.send(&frame) && self.machine.is_plain() {
            self.outbox.forget(&client_id);
            self.session.delivered(&client_id, self.now_ms);
        }
    }

    pub(super) fn look_into_outbox(&mut self) {
        for client_id in self.outbox.give_up(self.now_ms) {
            self.session.fail(&client_id, NO_CONNECTION, self.now_ms);
        }
        if !self.outbox.is_empty() {
            self.alarm(Alarm::Outbox, LOOK_MS);
        }
    }

    /// The text goes back into the composer, above what stands there.
    fn discard(&mut self, client_id: &ClientId) {
        self.outbox.forget(client_id);
        let Some(text) = self.session.discard(client_id, self.now_ms) else { return };
        let draft = self.store.draft.get_untracked();
        self.store.draft.set(if draft.trim().is_empty() { text } else { format!("{text}\n\n{draft}") });
    }

    /// Asks for an empty chat; its acknowledgement brings it on screen.
    pub(super) fn create_chat(&mut self) {
        let client_id = ClientId(random_id());
        if self.send(&AppFrame::ChatCreate { client_id: client_id.clone(), title: None }) {
            self.creating = Some(client_id);
        }
    }
}
