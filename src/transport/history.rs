//! Older history: asked for in pages, by the reader or on the way to what a search found.

use iris_core::ids::ChatId;
use iris_core::protocol::frame::{Facts, Level, SearchHit};
use iris_core::protocol::{AppFrame, Envelope, ServerFrame};
use leptos::prelude::{GetUntracked, Set};

use super::chats::FRAMES;
use super::driver::Driver;
use crate::store::{Older, set_if};

/// Frames of a page on the way to a hit, and how many pages it may take.
const SEEK_FRAMES: u32 = 2_000;
const SEEK_PAGES: u32 = 50;

const NOT_FOUND: &str = "The place that the search found is not in this chat any more";

/// The way to what a search found.
pub(super) struct Seek {
    chat: ChatId,
    seq: u64,
    pages: u32,
}

impl Driver {
    /// The reader wants what stands before the first row.
    pub(super) fn older_history(&mut self) {
        if self.store.older.get_untracked() == Older::More {
            self.ask_for_page(FRAMES);
        }
    }

    fn ask_for_page(&mut self, limit: u32) -> bool {
        let Some((chat, before_seq)) = self.chat.clone().zip(self.session.before_seq()) else { return false };
        let sent = self.send(&AppFrame::History { chat: chat.clone(), before_seq, limit });
        if sent {
            self.pages.push((chat, before_seq));
            set_if(&self.store.older, Older::Loading);
        }
        sent
    }

    /// A page, which belongs before what was the first row when it was asked for. Another one is of no use.
    pub(super) fn page(&mut self, envelope: Envelope) {
        let asked = self.answered(envelope.chat.as_ref());
        if asked.is_some() && asked == self.session.before_seq() && envelope.chat == self.chat {
            self.session.frame(envelope, self.now_ms);
            self.seek();
        } else if asked.is_some() && self.pages.is_empty() {
            self.session.say_older();
        }
    }

    /// No page comes: the adapter said why not.
    pub(super) fn no_page(&mut self, chat: Option<&ChatId>) {
        self.answered(chat);
        self.session.say_older();
        self.seeking = None;
    }

    /// Answers come in the order of the requests: where the page begins that this one is.
    fn answered(&mut self, chat: Option<&ChatId>) -> Option<u64> {
        let at = self.pages.iter().position(|(asked, _)| Some(asked) == chat)?;
        Some(self.pages.remove(at).1)
    }

    /// Shows the place that a search found, whatever has to be loaded for it.
    pub(super) fn open_hit(&mut self, hit: SearchHit) {
        self.seeking = Some(Seek { chat: hit.chat.clone(), seq: hit.seq, pages: 0 });
        self.open_chat(hit.chat);
        self.seek();
    }

    /// Goes on with the way to a hit, when its chat is here.
    pub(super) fn seek(&mut self) {
        // Without a connection the way waits; the next history leads on.
        let online = self.is_online();
        let Some(seek) = &mut self.seeking else { return };
        if Some(&seek.chat) != self.chat.as_ref() || self.awaits_sync || self.session.is_syncing() {
            return;
        }
        if let Some(key) = self.session.row_of(seek.seq) {
            self.seeking = None;
            return self.store.target.set(Some(key));
        }
        if !online {
            return;
        }
        seek.pages += 1;
        let further =
            seek.pages <= SEEK_PAGES && self.session.before_seq().is_some_and(|before| seek.seq < before);
        // A page that the reader has asked for may bring it; the way goes on when it is here.
        let loads = self.store.older.get_untracked() == Older::Loading;
        if !(further && (loads || self.ask_for_page(SEEK_FRAMES))) {
            self.seeking = None;
            self.tell(Level::Info, "not_found", NOT_FOUND, None);
        }
    }

    /// The reader goes to this chat: the way to a hit in another one ends here.
    pub(super) fn seek_only_in(&mut self, chat: &ChatId) {
        self.seeking.take_if(|seek| seek.chat != *chat);
    }

    /// Tells the reader something in the chat.
    pub(super) fn tell(&mut self, level: Level, code: &str, text: &str, detail: Option<String>) {
        let (code, text, facts) = (code.to_owned(), text.to_owned(), Facts::default());
        let frame = ServerFrame::Notice { level, code, text, detail, facts };
        self.session.frame(Envelope { chat: None, seq: None, frame }, self.now_ms);
    }
}
