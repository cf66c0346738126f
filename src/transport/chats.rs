//! Which chat is on screen and how another one comes there; the list of all of them.

use iris_core::chats;
use iris_core::ids::{ChatId, ClientId};
use iris_core::protocol::AppFrame;
use iris_core::protocol::frame::ChatSummary;
use leptos::prelude::{GetUntracked, Set, Update, WithUntracked};

use super::driver::Driver;
use super::place;
use crate::browser::random_id;
use crate::storage::{load_draft, save_draft};
use crate::store::set_if;

/// So many frames of a chat's end are enough to begin with; the rest comes when it is asked for.
pub(super) const FRAMES: u32 = 300;

/// No more come at once, however much is loaded.
const MAX_FRAMES: u32 = 20_000;

const GONE: &str = "The chat that this was written in is gone";

impl Driver {
    /// The adapter has said which chats it has.
    pub(super) fn greeted(&mut self, chats: Vec<ChatSummary>) {
        let named = if self.store.replay { None } else { place::named_in_address() };
        let chat = place::choose(&chats, named, self.chat.as_ref());
        let quiet = |summary: &ChatSummary| Some(&summary.id) == chat.as_ref() && !summary.running;
        self.quiet = chats.iter().any(quiet);
        set_if(&self.store.chats, chats);
        match chat {
            Some(chat) => self.settle_in(chat),
            None => self.create_chat(),
        }
    }

    /// A chat of the list, or a new one: what was written meanwhile goes there.
    fn settle_in(&mut self, chat: ChatId) {
        let mut known: Vec<ChatId> =
            self.store.chats.with_untracked(|chats| chats.iter().map(|chat| chat.id.clone()).collect());
        known.push(chat.clone());
        self.outbox.only_of(&known, &chat, GONE);
        self.enter(chat, false);
        self.empty_outbox();
    }

    /// The chat that was asked for is there.
    pub(super) fn created(&mut self, chat: ChatId) {
        self.creating = None;
        if self.chat.is_none() {
            self.settle_in(chat);
        } else {
            self.enter(chat, true);
        }
        self.quiet = true;
    }

    pub(super) fn updated(&mut self, chat: ChatSummary) {
        self.store.chats.update(|list| chats::update(list, chat));
    }

    pub(super) fn removed(&mut self, chat: &ChatId) {
        self.store.chats.update(|list| chats::remove(list, chat));
        let unsent: Vec<ClientId> = self.waiting_in(chat).map(|message| message.client_id.clone()).collect();
        for client_id in unsent {
            self.outbox.forget(&client_id);
        }
        if !self.store.replay {
            save_draft(Some(chat), "");
        }
        if self.chat.as_ref() == Some(chat) {
            self.store.draft.set(String::new());
            let next = self.store.chats.with_untracked(|chats| chats.first().map(|chat| chat.id.clone()));
            match next {
                Some(next) => self.enter(next, false),
                None => self.create_chat(),
            }
        }
    }

    /// The reader wants this chat.
    pub(super) fn open_chat(&mut self, chat: ChatId) {
        if self.chat.as_ref() != Some(&chat) {
            self.enter(chat, true);
        }
    }

    /// Back, forward, or an address written by hand.
    pub(super) fn address_changed(&mut self) {
        if let Some(code) = place::take_code() {
            self.offer_code(code);
        }
        let known = |chat: &ChatId| {
            self.store.chats.with_untracked(|chats| chats.iter().any(|other| other.id == *chat))
        };
        if let Some(chat) = place::named_in_address().filter(known)
            && self.chat.as_ref() != Some(&chat)
        {
            self.enter(chat, false);
        }
    }

    /// Asks for an empty chat; its acknowledgement brings it on screen.
    pub(super) fn create_chat(&mut self) {
        let client_id = ClientId(random_id());
        if self.send(&AppFrame::ChatCreate { client_id: client_id.clone(), title: None }) {
            self.creating = Some(client_id);
        }
    }

    /// Shows this chat from now on; `step`: Back leads to the one before.
    fn enter(&mut self, chat: ChatId, step: bool) {
        if !self.store.replay {
            place::name_in_address(&chat, step && self.chat.is_some());
        }
        if self.chat.as_ref() != Some(&chat) {
            self.turn_to(chat);
        }
        self.subscribe();
    }

    fn turn_to(&mut self, chat: ChatId) {
        self.outbox.adopt(&chat);
        self.seek_only_in(&chat);
        self.session.leave(self.now_ms);
        self.leave_files(&chat);
        self.store.target.set(None);
        if !self.store.replay {
            self.take_drafts_to(&chat);
        }
        self.quiet = false;
        self.awaits_sync = true;
        self.chat = Some(chat.clone());
        set_if(&self.store.chat, Some(chat.clone()));
        self.show_waiting(&chat);
    }

    /// Each chat has its own draft. What was written before any chat was known comes along.
    fn take_drafts_to(&mut self, chat: &ChatId) {
        let (draft, stored) = (self.store.draft.get_untracked(), load_draft(Some(chat)));
        let next = if self.chat.is_some() {
            save_draft(self.chat.as_ref(), &draft);
            stored
        } else {
            save_draft(None, "");
            match (draft.trim().is_empty(), stored.trim().is_empty()) {
                _ if self.draft_of.as_ref() == Some(chat) => draft,
                (true, _) => stored,
                (false, true) => draft,
                (false, false) => format!("{stored}\n\n{draft}"),
            }
        };
        self.store.draft.set(next);
    }

    /// Shows what was written in this chat and is not with the adapter.
    pub(super) fn show_waiting(&mut self, chat: &ChatId) {
        let waiting: Vec<_> = self.waiting_in(chat).cloned().collect();
        for message in waiting {
            self.session.echo(&message, self.now_ms);
        }
    }

    pub(super) fn subscribe(&mut self) {
        if let Some(chat) = self.chat.clone() {
            let after_seq = self.session.after_seq();
            // What the reader has loaded comes back when all of it must be sent again: a row is a few frames.
            let rows = self.store.rows.with_untracked(Vec::len);
            let limit = u32::try_from(rows.saturating_mul(4)).unwrap_or(u32::MAX).clamp(FRAMES, MAX_FRAMES);
            self.send(&AppFrame::Subscribe { chat, after_seq, limit: Some(limit) });
        }
    }
}
