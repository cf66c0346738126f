//! The user's messages: shown at once, confirmed in place, failed with a reason, never doubled, never lost.

use super::apply::{Known, Timeline};
use super::item::{Change, ItemKey, ItemKind, Pending, UserMessage};
use crate::ids::{ClientId, MessageId};
use crate::protocol::frame::{FileInfo, TurnStatus};

impl Timeline {
    /// The user sends this from here; sent again, it moves to the end.
    pub fn local_echo(&mut self, client_id: &ClientId, text: &str, attachments: &[FileInfo]) -> Vec<Change> {
        match self.echo(client_id) {
            Some((key, message)) if message.pending.is_some() => self.rows.remove(key),
            Some(_) => return Vec::new(),
            None => {}
        }
        self.rows.push_last(ItemKind::User(UserMessage {
            text: text.to_owned(),
            client_id: Some(client_id.clone()),
            pending: Some(Pending::Sending),
            attachments: attachments.to_vec(),
        }));
        self.rows.take()
    }

    /// It did not get there; `reason` is for people.
    pub fn send_failed(&mut self, client_id: &ClientId, reason: &str) -> Vec<Change> {
        self.fail(client_id, reason);
        self.rows.take()
    }

    /// It got there. For peers that acknowledge nothing: a socket that took it is all there is.
    pub fn delivered(&mut self, client_id: &ClientId) -> Vec<Change> {
        self.confirm(client_id, None);
        self.rows.take()
    }

    /// The user takes back a message that did not get there. Its text, for the composer.
    pub fn discard(&mut self, client_id: &ClientId) -> (Vec<Change>, Option<String>) {
        let text = self.echo(client_id).and_then(|(key, message)| {
            message.pending.as_ref()?;
            Some((key, message.text.clone()))
        });
        if let Some((key, _)) = text {
            self.rows.remove(key);
        }
        (self.rows.take(), text.map(|(_, text)| text))
    }

    /// Marks a message as failed; false if this device has no such message on its way.
    pub(super) fn fail(&mut self, client_id: &ClientId, reason: &str) -> bool {
        let Some((key, message)) = self.echo(client_id) else { return false };
        if message.pending.is_none() {
            return false;
        }
        let failed = UserMessage { pending: Some(Pending::Failed(reason.to_owned())), ..message.clone() };
        self.set_user(key, failed);
        true
    }

    /// `ack`, of the message whose frame has this number. It may come before frames that stand before its message.
    pub(super) fn ack(&mut self, client_id: &ClientId, message_id: &MessageId, seq: Option<u64>) {
        if let Some(key) = self.confirm(client_id, None) {
            if seq.is_some_and(|seq| self.awaits(seq)) {
                self.rows.unplace(key);
            }
            self.messages.insert(message_id.clone(), Known { key, complete: true, resumed: false });
        }
    }

    /// `user.message`.
    pub(super) fn user_message(
        &mut self,
        id: &MessageId,
        client_id: Option<&ClientId>,
        text: &str,
        attachments: &[FileInfo],
    ) {
        if let Some(known) = self.messages.get_mut(id) {
            known.key = self.rows.place(known.key);
            return;
        }
        if self.in_plain_turn() {
            self.close(TurnStatus::Complete);
        }
        self.show_held();
        let said = Some((text, attachments));
        let key = client_id.and_then(|client_id| self.confirm(client_id, said)).unwrap_or_else(|| {
            self.rows.push(ItemKind::User(UserMessage {
                text: text.to_owned(),
                client_id: client_id.cloned(),
                pending: None,
                attachments: attachments.to_vec(),
            }))
        });
        self.messages.insert(id.clone(), Known { key, complete: true, resumed: false });
    }

    /// Confirms the local echo, in place if nothing else has come between.
    fn confirm(&mut self, client_id: &ClientId, said: Option<(&str, &[FileInfo])>) -> Option<ItemKey> {
        let (key, message) = self.echo(client_id)?;
        let mut confirmed = UserMessage { pending: None, ..message.clone() };
        if let Some((text, attachments)) = said {
            confirmed.text = text.to_owned();
            confirmed.attachments = attachments.to_vec();
        }
        let placed = if said.is_some() { self.rows.place(key) } else { key };
        self.set_user(placed, confirmed);
        Some(placed)
    }

    fn set_user(&mut self, key: ItemKey, message: UserMessage) {
        if let Some(ItemKind::User(old)) = self.rows.kind_mut(key)
            && *old != message
        {
            *old = message;
            self.rows.changed(key);
        }
    }

    pub(super) fn echo(&self, client_id: &ClientId) -> Option<(ItemKey, &UserMessage)> {
        self.rows.items().iter().rev().find_map(|item| match &item.kind {
            ItemKind::User(message) if message.client_id.as_ref() == Some(client_id) => {
                Some((item.key, message))
            }
            _ => None,
        })
    }
}
