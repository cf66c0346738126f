//! Texts that grow unseen because streaming is off on this device. Nothing of them may be lost when their end is missing.

use super::apply::{Held, Timeline};
use super::item::{Answer, Phase};
use crate::ids::MessageId;

impl Timeline {
    /// What there is of a growing text, shown or held.
    pub(super) fn growing(
        &self,
        id: &MessageId,
        shown: fn(&Answer) -> &String,
        held: fn(&Held) -> &String,
    ) -> &str {
        let waiting = self.held.iter().find(|entry| entry.id == *id).map(held);
        let row = || self.messages.get(id).and_then(|known| self.rows.answer(known.key)).map(shown);
        waiting.or_else(row).map_or("", String::as_str)
    }

    /// Changes the unseen text of this message, which begins with what is shown of it.
    pub(super) fn hold(&mut self, id: &MessageId, change: impl FnOnce(&mut Held)) {
        let mut held = self.take_held(id).unwrap_or_else(|| Held {
            id: id.clone(),
            text: self.growing(id, |answer| &answer.text, |held| &held.text).to_owned(),
            reasoning: self.growing(id, |answer| &answer.reasoning, |held| &held.reasoning).to_owned(),
        });
        change(&mut held);
        self.held.push(held);
    }

    pub(super) fn take_held(&mut self, id: &MessageId) -> Option<Held> {
        let at = self.held.iter().position(|held| held.id == *id)?;
        Some(self.held.remove(at))
    }

    /// Shows what grew unseen: its turn is over, or something else follows it, or streaming is on again.
    pub(super) fn show_held(&mut self) {
        self.show_held_but(None);
    }

    pub(super) fn show_held_but(&mut self, id: Option<&MessageId>) {
        let all = std::mem::take(&mut self.held);
        let (keep, show): (Vec<Held>, Vec<Held>) = all.into_iter().partition(|held| Some(&held.id) == id);
        self.held = keep;
        for held in show.iter().filter(|held| !held.text.is_empty() || !held.reasoning.is_empty()) {
            self.show(held);
        }
    }

    fn show(&mut self, held: &Held) {
        let key =
            if held.text.is_empty() { self.live_answer(&held.id) } else { self.place_for_text(&held.id) };
        let streaming = self.streaming;
        let Some(answer) = self.rows.answer_mut(key) else { return };
        let before = answer.clone();
        if !held.text.is_empty() && answer.text != held.text {
            answer.replace(&held.text);
        }
        if !held.reasoning.is_empty() {
            answer.reasoning.clone_from(&held.reasoning);
        }
        if !streaming {
            answer.phase = Phase::Settled;
        }
        if *answer != before {
            self.rows.changed(key);
        }
    }
}
