//! What stands before the first row: pages of older frames become rows in front of it. And which row a frame is in.
//!
//! A page is whole turns, so it is shown by a timeline of its own: nothing in it touches what runs at the end.

use super::apply::Timeline;
use super::item::{Change, ItemKey, ItemKind};
use crate::protocol::frame::{Envelope, TurnStatus};

/// In which row the frames up to a number ended up, in order of the numbers.
#[derive(Debug, Default)]
pub(super) struct Places(Vec<(u64, ItemKey)>);

impl Places {
    /// Notes what a frame changed. A text that grows has one entry, however many frames it takes.
    pub(super) fn note(&mut self, seq: Option<u64>, changes: &[Change]) {
        let Some((seq, key)) = seq.zip(changes.iter().rev().find_map(row_of)) else { return };
        match self.0.last_mut() {
            Some((last, same)) if *same == key => *last = seq,
            _ => self.0.push((seq, key)),
        }
    }

    /// The rows that hold this frame and what came after it; some may be gone.
    fn from(&self, seq: u64) -> impl Iterator<Item = ItemKey> {
        self.0.iter().filter(move |(last, _)| *last >= seq).map(|(_, key)| *key)
    }
}

fn row_of(change: &Change) -> Option<ItemKey> {
    match change {
        Change::Insert { item, .. } | Change::Set { item } => Some(item.key),
        Change::AppendText { key, .. } | Change::AppendReasoning { key, .. } => Some(*key),
        _ => None,
    }
}

impl Timeline {
    /// There is more before the first row: what to ask for in `history`.
    pub fn before_seq(&self) -> Option<u64> {
        self.before_seq
    }

    /// The row in which the frame with this number is, or, when it has none, what came next; `None` when it is not here.
    pub fn row_of(&self, seq: u64) -> Option<ItemKey> {
        if self.before_seq.is_some_and(|before| seq < before) {
            return None;
        }
        self.places.from(seq).find(|key| self.rows.position(*key).is_some())
    }

    /// `history.page`. One that was not asked for, or came already, is nothing new.
    pub(super) fn page(&mut self, before_seq: Option<u64>, frames: &[Envelope]) {
        let Some(first) = self.before_seq.filter(|first| before_seq.is_none_or(|before| before < *first))
        else {
            return;
        };
        self.before_seq = before_seq;
        let mut page = Self::new();
        page.syncing = Some(first);
        page.rows = self.rows.later();
        for envelope in frames.iter().filter(|envelope| envelope.seq.is_none_or(|seq| seq < first)) {
            page.apply(envelope);
        }
        // A page that breaks its word and leaves something open.
        page.close(TurnStatus::Lost);
        self.drop_doubles(&page);
        self.rows.prepend(page.rows);
        self.messages.extend(page.messages);
        page.places.0.append(&mut self.places.0);
        self.places = page.places;
    }

    /// What the page has is in its place there: a message that was acknowledged again, say, after its chat was shown
    /// without it.
    fn drop_doubles(&mut self, page: &Self) {
        let said_here = page.rows.items().iter().filter_map(|item| match &item.kind {
            ItemKind::User(message) => self.echo(message.client_id.as_ref()?).map(|(key, _)| key),
            _ => None,
        });
        let known =
            page.messages.keys().filter_map(|id| self.messages.get(id)).filter(|known| known.complete);
        let doubles: Vec<ItemKey> = said_here.chain(known.map(|known| known.key)).collect();
        for key in doubles {
            self.rows.remove(key);
        }
    }
}
