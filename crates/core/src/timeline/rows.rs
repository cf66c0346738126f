//! The rows in their order and the changes made to them. Owns keys and places; knows no frame.
//!
//! What this device sent stays at the end until its own frame comes: rows before that are in the adapter's order. An
//! acknowledgement alone says that the adapter has the message, not what stands before it.

use super::item::{Answer, Change, Item, ItemKey, ItemKind, Phase, UserMessage};

/// The rows and the changes that were not handed out yet.
#[derive(Debug, Default)]
pub(super) struct Rows {
    items: Vec<Item>,
    next_key: u64,
    changes: Vec<Change>,
    /// Acknowledged messages whose frames have not come yet.
    unplaced: Vec<ItemKey>,
}

impl Rows {
    pub(super) fn items(&self) -> &[Item] {
        &self.items
    }

    /// The changes since the last time.
    pub(super) fn take(&mut self) -> Vec<Change> {
        std::mem::take(&mut self.changes)
    }

    /// A change that is about no row.
    pub(super) fn say(&mut self, change: Change) {
        self.changes.push(change);
    }

    /// A new row after everything that the adapter has confirmed.
    pub(super) fn push(&mut self, kind: ItemKind) -> ItemKey {
        self.insert(self.end(), kind)
    }

    /// A new row after everything.
    pub(super) fn push_last(&mut self, kind: ItemKind) -> ItemKey {
        self.insert(self.items.len(), kind)
    }

    pub(super) fn insert(&mut self, at: usize, kind: ItemKind) -> ItemKey {
        let key = ItemKey(self.next_key);
        self.next_key += 1;
        let item = Item { key, kind };
        let at = at.min(self.items.len());
        self.items.insert(at, item.clone());
        self.changes.push(Change::Insert { at, item });
        key
    }

    /// Rows of their own, whose keys none of these has or will have once they were prepended.
    pub(super) fn later(&self) -> Self {
        Self { next_key: self.next_key, ..Self::default() }
    }

    /// Puts those rows before all others. They show what is over: nothing of them was ever drawn while it grew.
    pub(super) fn prepend(&mut self, mut rows: Self) {
        for (at, item) in rows.items.iter_mut().enumerate() {
            if let ItemKind::Answer(answer) = &mut item.kind {
                answer.phase = Phase::Settled;
            }
            self.changes.push(Change::Insert { at, item: item.clone() });
        }
        self.next_key = rows.next_key;
        rows.items.append(&mut self.items);
        self.items = rows.items;
    }

    /// The row's message is with the adapter; its place will be known when its frame comes.
    pub(super) fn unplace(&mut self, key: ItemKey) {
        self.unplaced.push(key);
    }

    /// The row's frame is here: it stands after everything that came before. Its key, which is another one when rows had
    /// to change places.
    pub(super) fn place(&mut self, key: ItemKey) -> ItemKey {
        // Rows at the end that are not placed yet, this one perhaps being placed for good.
        let end = self.end_before(key);
        self.unplaced.retain(|other| *other != key);
        match self.position(key) {
            Some(at) if at > end => {
                let kind = self.items.remove(at).kind;
                self.changes.push(Change::Remove { key });
                self.insert(end, kind)
            }
            _ => key,
        }
    }

    pub(super) fn remove(&mut self, key: ItemKey) {
        if let Some(at) = self.position(key) {
            self.items.remove(at);
            self.changes.push(Change::Remove { key });
        }
    }

    /// Everything goes; the kinds of the rows that only this device has are handed back.
    pub(super) fn clear(&mut self) -> Vec<UserMessage> {
        self.changes.push(Change::Clear);
        self.unplaced.clear();
        let pending = |item: Item| match item.kind {
            ItemKind::User(message) if message.pending.is_some() => Some(message),
            _ => None,
        };
        self.items.drain(..).filter_map(pending).collect()
    }

    /// Says that a row's content has changed. A row that is new in this batch simply is what it is now.
    pub(super) fn changed(&mut self, key: ItemKey) {
        let Some(item) = self.position(key).and_then(|at| self.items.get(at)).cloned() else { return };
        match self.changes.last_mut() {
            Some(Change::Insert { item: last, .. } | Change::Set { item: last }) if last.key == key => {
                *last = item
            }
            _ => self.changes.push(Change::Set { item }),
        }
    }

    /// Where the row stands. Looked for from the end: what changes is near it.
    pub(super) fn position(&self, key: ItemKey) -> Option<usize> {
        self.items.iter().rposition(|item| item.key == key)
    }

    /// The end of the rows whose places are known.
    pub(super) fn end(&self) -> usize {
        self.items.len() - self.items.iter().rev().take_while(|item| self.floats(item)).count()
    }

    /// The same, with this row among those whose places are not known.
    fn end_before(&self, key: ItemKey) -> usize {
        let floats = |item: &&Item| item.key == key || self.floats(item);
        self.items.len() - self.items.iter().rev().take_while(floats).count()
    }

    fn floats(&self, item: &Item) -> bool {
        let pending = matches!(&item.kind, ItemKind::User(UserMessage { pending: Some(_), .. }));
        pending || self.unplaced.contains(&item.key)
    }

    /// The last row that the adapter has confirmed.
    pub(super) fn last(&self) -> Option<&Item> {
        self.items.get(self.end().checked_sub(1)?)
    }

    /// The row before this one.
    pub(super) fn before(&self, key: ItemKey) -> Option<&Item> {
        self.items.get(self.position(key)?.checked_sub(1)?)
    }

    pub(super) fn kind(&self, key: ItemKey) -> Option<&ItemKind> {
        self.items.get(self.position(key)?).map(|item| &item.kind)
    }

    pub(super) fn kind_mut(&mut self, key: ItemKey) -> Option<&mut ItemKind> {
        let at = self.position(key)?;
        self.items.get_mut(at).map(|item| &mut item.kind)
    }

    pub(super) fn answer(&self, key: ItemKey) -> Option<&Answer> {
        match self.kind(key)? {
            ItemKind::Answer(answer) => Some(answer),
            _ => None,
        }
    }

    pub(super) fn answer_mut(&mut self, key: ItemKey) -> Option<&mut Answer> {
        match self.kind_mut(key)? {
            ItemKind::Answer(answer) => Some(answer),
            _ => None,
        }
    }
}
