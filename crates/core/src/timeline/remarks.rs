//! Rows that stand beside the answers and are none: interim remarks, and files from the agent.

use super::apply::{Known, Timeline};
use super::item::{FileItem, ItemKey, ItemKind};
use crate::ids::MessageId;

impl Timeline {
    /// `commentary`.
    pub(super) fn remark(&mut self, id: &MessageId, text: &str) {
        self.take_held(id);
        let Some(known) = self.messages.get(id).copied() else {
            if !text.is_empty() {
                self.show_held();
                let key = self.rows.push(ItemKind::Commentary { text: text.to_owned() });
                self.messages.insert(id.clone(), Known { key, complete: true, resumed: false });
            }
            return;
        };
        match self.rows.kind_mut(known.key) {
            Some(ItemKind::Commentary { text: old }) if old != text => {
                *old = text.to_owned();
                self.rows.changed(known.key);
            }
            // What streamed as an answer was only a remark.
            Some(ItemKind::Answer(_)) if !known.complete => self.become_remark(id, known.key, text),
            _ => {}
        }
    }

    /// `file`. Said again, it is the same row.
    pub(super) fn file(&mut self, file: FileItem) {
        let id = file.message_id.clone();
        let Some(known) = self.messages.get(&id).copied() else {
            self.show_held();
            let key = self.rows.push(ItemKind::File(file));
            self.messages.insert(id, Known { key, complete: true, resumed: false });
            return;
        };
        if let Some(ItemKind::File(old)) = self.rows.kind_mut(known.key)
            && *old != file
        {
            *old = file;
            self.rows.changed(known.key);
        }
    }

    fn become_remark(&mut self, id: &MessageId, old: ItemKey, text: &str) {
        let at = self.rows.position(old).unwrap_or(usize::MAX);
        self.rows.remove(old);
        self.turn.live.retain(|live| *live != old);
        let key = self.rows.insert(at, ItemKind::Commentary { text: text.to_owned() });
        self.messages.insert(id.clone(), Known { key, complete: true, resumed: false });
    }

    /// An answer that begins with the remark right above it says it again: the remark goes.
    pub(super) fn absorb_remark(&mut self, key: ItemKey) {
        let Some(answer) = self.rows.answer(key) else { return };
        if let Some(above) = self.rows.before(key)
            && let ItemKind::Commentary { text } = &above.kind
            && answer.text.starts_with(text.trim_end())
        {
            self.rows.remove(above.key);
        }
    }
}
