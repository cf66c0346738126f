//! Answers: how their texts start, grow, end and are replaced.
//!
//! A snapshot is compared with what is there by its prefix: one `memcmp` an update, far below what drawing it costs.

use super::apply::{Known, Timeline};
use super::item::{Answer, Change, ItemKey, ItemKind, Phase, TurnFooter};
use crate::ids::MessageId;
use crate::protocol::frame::{ServerFrame, Tokens, TurnStatus};

/// Hermes' own cursor. It is no part of a text, wherever an adapter let it through.
const CURSOR: char = '▉';

/// A complete text.
struct Complete<'a> {
    text: Option<&'a str>,
    reasoning: Option<&'a str>,
    model: Option<&'a str>,
    tokens: Option<Tokens>,
}

impl Timeline {
    pub(super) fn message_frame(&mut self, frame: &ServerFrame) {
        match frame {
            ServerFrame::MessageStart { message_id, .. } => self.start(message_id),
            ServerFrame::MessageUpdate { message_id, text } => self.update(message_id, without_cursor(text)),
            ServerFrame::MessageAppend { message_id, at, text } => self.append(message_id, *at, text),
            ServerFrame::MessageStop { message_id, final_text, reasoning, model, tokens } => self.stop(
                message_id,
                &Complete {
                    text: final_text.as_deref(),
                    reasoning: reasoning.as_deref(),
                    model: model.as_deref(),
                    tokens: *tokens,
                },
            ),
            ServerFrame::Message { message_id, text, reasoning, model, tokens } => self.stop(
                message_id,
                &Complete {
                    text: Some(text),
                    reasoning: reasoning.as_deref(),
                    model: model.as_deref(),
                    tokens: *tokens,
                },
            ),
            ServerFrame::ReasoningUpdate { message_id, text } => self.reason(message_id, text),
            ServerFrame::ReasoningAppend { message_id, at, text } => {
                self.append_reasoning(message_id, *at, text)
            }
            ServerFrame::Commentary { message_id, text } => self.remark(message_id, without_cursor(text)),
            _ => {}
        }
    }

    /// Whether a frame about this message's growth still matters.
    fn may_grow(&self, id: &MessageId) -> bool {
        self.messages.get(id).is_none_or(|known| !known.complete)
    }

    fn start(&mut self, id: &MessageId) {
        if self.messages.contains_key(id) {
            return;
        }
        self.at_work();
        self.end_others(id);
        if self.streaming {
            self.live_answer(id);
            self.set_typing(false);
        } else {
            self.hold(id, |_| {});
        }
    }

    fn update(&mut self, id: &MessageId, text: &str) {
        if !self.may_grow(id) {
            return;
        }
        self.start(id);
        if self.streaming {
            let key = self.place_for_text(id);
            self.set_text(id, key, text);
        } else {
            self.hold(id, |held| held.text = text.to_owned());
        }
    }

    fn append(&mut self, id: &MessageId, at: u64, text: &str) {
        if !self.may_grow(id) {
            return;
        }
        let have = self.growing(id, |answer| &answer.text, |held| &held.text);
        match extended(have, at, text) {
            Some("") => self.start(id),
            Some(tail) => {
                let tail = tail.to_owned();
                self.start(id);
                if self.streaming {
                    let key = self.place_for_text(id);
                    self.grow(key, &tail);
                } else {
                    self.hold(id, |held| held.text.push_str(&tail));
                }
            }
            None => self.missing(),
        }
    }

    fn reason(&mut self, id: &MessageId, text: &str) {
        if !self.may_grow(id) {
            return;
        }
        self.start(id);
        if !self.streaming {
            return self.hold(id, |held| held.reasoning = text.to_owned());
        }
        let key = self.live_answer(id);
        let Some(answer) = self.rows.answer_mut(key) else { return };
        match text.strip_prefix(answer.reasoning.as_str()) {
            Some("") => {}
            Some(tail) => self.grow_reasoning(key, tail),
            None => {
                answer.reasoning = text.to_owned();
                self.rows.changed(key);
            }
        }
    }

    fn append_reasoning(&mut self, id: &MessageId, at: u64, text: &str) {
        if !self.may_grow(id) {
            return;
        }
        let have = self.growing(id, |answer| &answer.reasoning, |held| &held.reasoning);
        let Some(tail) = extended(have, at, text).map(str::to_owned) else { return self.missing() };
        self.start(id);
        if self.streaming {
            let key = self.live_answer(id);
            self.grow_reasoning(key, &tail);
        } else {
            self.hold(id, |held| held.reasoning.push_str(&tail));
        }
    }

    /// The row of a live answer; a new one if there is none.
    pub(super) fn live_answer(&mut self, id: &MessageId) -> ItemKey {
        match self.messages.get(id) {
            Some(known) => known.key,
            None => self.new_answer(id, Phase::Streaming),
        }
    }

    fn new_answer(&mut self, id: &MessageId, phase: Phase) -> ItemKey {
        let answer = Answer {
            message_id: id.clone(),
            text: String::new(),
            generation: 0,
            reasoning: String::new(),
            reasoning_live: false,
            phase,
            cut: None,
            footer: TurnFooter::default(),
        };
        let key = self.rows.push(ItemKind::Answer(answer));
        self.messages.insert(id.clone(), Known { key, complete: false, resumed: false });
        if phase == Phase::Streaming && self.turn.open {
            self.turn.live.push(key);
        }
        key
    }

    /// The row in which a text appears. A row that has no text yet but others below it (its reasoning led to a tool
    /// first) is not the place: what was said later stands later.
    pub(super) fn place_for_text(&mut self, id: &MessageId) -> ItemKey {
        let key = self.live_answer(id);
        let empty = self.rows.answer(key).is_some_and(|answer| answer.text.is_empty());
        if !empty || self.rows.last().is_none_or(|last| last.key == key) {
            return key;
        }
        self.turn.live.retain(|live| *live != key);
        self.close_answer(key, TurnStatus::Complete);
        self.new_answer(id, Phase::Streaming)
    }

    /// Replaces the text of a live answer by a snapshot.
    fn set_text(&mut self, id: &MessageId, key: ItemKey, text: &str) {
        let Some(answer) = self.rows.answer_mut(key) else { return };
        if let Some(tail) = text.strip_prefix(answer.text.as_str()) {
            let tail = tail.to_owned();
            self.caught_up(id);
            return self.grow(key, &tail);
        }
        let older = answer.text.starts_with(text);
        if older && self.messages.get(id).is_some_and(|known| known.resumed) {
            return;
        }
        answer.replace(text);
        self.rows.changed(key);
        self.caught_up(id);
        self.absorb_remark(key);
    }

    /// The hot path: a live text grew at its end.
    fn grow(&mut self, key: ItemKey, tail: &str) {
        let Some(answer) = self.rows.answer_mut(key).filter(|_| !tail.is_empty()) else { return };
        let reasoned = std::mem::take(&mut answer.reasoning_live);
        answer.text.push_str(tail);
        if reasoned {
            self.rows.changed(key);
        } else {
            self.rows.say(Change::AppendText { key, text: tail.to_owned() });
        }
        self.set_typing(false);
        self.absorb_remark(key);
    }

    fn grow_reasoning(&mut self, key: ItemKey, tail: &str) {
        let Some(answer) = self.rows.answer_mut(key).filter(|_| !tail.is_empty()) else { return };
        answer.reasoning.push_str(tail);
        // Reasoning that comes after the text began is shown, but the text is what is live.
        if !answer.reasoning_live && answer.text.is_empty() {
            answer.reasoning_live = true;
            self.rows.changed(key);
        } else {
            self.rows.say(Change::AppendReasoning { key, text: tail.to_owned() });
        }
    }

    /// `message.stop` and `message`: the whole text, whatever came before it.
    fn stop(&mut self, id: &MessageId, end: &Complete<'_>) {
        let held = self.take_held(id);
        let text = end.text.map(without_cursor).filter(|text| !text.is_empty());
        let text = text.or(held.as_ref().map(|held| held.text.as_str()).filter(|text| !text.is_empty()));
        let reasoning = end.reasoning.or(held.as_ref().map(|held| held.reasoning.as_str()));
        let reasoning = reasoning.filter(|reasoning| !reasoning.is_empty());
        let Some(key) = self.row_to_complete(id, text, reasoning) else { return };
        let Some(before) = self.rows.answer(key).cloned() else { return };
        let mut answer = before.clone();
        answer.complete(text, end);
        if let Some(reasoning) = reasoning.filter(|reasoning| !self.said_above(key, id, reasoning)) {
            answer.reasoning = reasoning.to_owned();
        }
        answer.phase = match before.phase {
            Phase::Streaming if self.syncing.is_none() => Phase::Stopped,
            Phase::Streaming => Phase::Settled,
            phase => phase,
        };
        if answer != before {
            if let Some(row) = self.rows.answer_mut(key) {
                *row = answer;
            }
            self.rows.changed(key);
        }
        self.completed(id, key);
    }

    /// The row that `message.stop` is about; `None` when there is nothing to show.
    fn row_to_complete(
        &mut self,
        id: &MessageId,
        text: Option<&str>,
        reasoning: Option<&str>,
    ) -> Option<ItemKey> {
        match self.messages.get(id) {
            Some(known) if known.complete => Some(known.key),
            Some(_) if text.is_some() => Some(self.place_for_text(id)),
            Some(known) => Some(known.key),
            None if text.is_none() && reasoning.is_none() => None,
            None => {
                self.end_others(id);
                Some(self.new_answer(id, Phase::Settled))
            }
        }
    }

    /// Whether a row above of the same message shows this reasoning already (its text came after a tool).
    fn said_above(&self, key: ItemKey, id: &MessageId, reasoning: &str) -> bool {
        self.rows.items().iter().rev().any(|item| match &item.kind {
            ItemKind::Answer(answer) => {
                item.key != key && answer.message_id == *id && answer.reasoning == reasoning
            }
            _ => false,
        })
    }

    /// What follows from a text's end.
    fn completed(&mut self, id: &MessageId, key: ItemKey) {
        self.turn.live.retain(|live| *live != key);
        if let Some(known) = self.messages.get_mut(id) {
            known.complete = true;
        }
        let Some(answer) = self.rows.answer(key) else { return };
        if answer.text.is_empty() {
            self.close_answer(key, TurnStatus::Complete);
        } else {
            self.turn.last_answer = Some(key);
            self.set_typing(false);
        }
        self.absorb_remark(key);
        if self.in_plain_turn() {
            // A tool above a complete text is done, even if its peer never says so.
            self.close_tools(Some(key));
            if !self.turn.typed && self.turn.live.is_empty() && self.held.is_empty() {
                self.close(TurnStatus::Complete);
            }
        }
    }

    /// Another text begins: those that were live have ended, though their peer never said so.
    fn end_others(&mut self, id: &MessageId) {
        self.show_held_but(Some(id));
        let known = self.messages.get(id).map(|known| known.key);
        let others: Vec<ItemKey> = self.turn.live.iter().copied().filter(|key| Some(*key) != known).collect();
        self.turn.live.retain(|key| Some(*key) == known);
        for key in others {
            self.close_answer(key, TurnStatus::Complete);
        }
    }

    fn caught_up(&mut self, id: &MessageId) {
        if let Some(known) = self.messages.get_mut(id) {
            known.resumed = false;
        }
    }

    /// The connection is gone: the next snapshot of a live text may be an older one.
    pub(super) fn expect_older(&mut self) {
        for known in self.messages.values_mut() {
            known.resumed = !known.complete;
        }
    }
}

impl Answer {
    /// Puts a text in the place of another.
    pub(super) fn replace(&mut self, text: &str) {
        if !text.starts_with(self.text.as_str()) {
            self.generation += 1;
        }
        self.text = text.to_owned();
        self.reasoning_live = false;
    }

    fn complete(&mut self, text: Option<&str>, end: &Complete<'_>) {
        if let Some(text) = text {
            self.replace(text);
        }
        self.reasoning_live = false;
        // It was not lost after all.
        self.cut = self.cut.filter(|cut| *cut != TurnStatus::Lost);
        if let Some(model) = end.model {
            self.footer.model = Some(model.to_owned());
        }
        self.footer.tokens = end.tokens.or(self.footer.tokens);
    }
}

/// What `text`, which belongs at byte `at`, adds to `have`; `None` when something between is missing or contradicts.
fn extended<'t>(have: &str, at: u64, text: &'t str) -> Option<&'t str> {
    let there = have.get(usize::try_from(at).ok()?..)?;
    text.strip_prefix(there).or_else(|| there.starts_with(text).then_some(""))
}

/// The text without Hermes' cursor at its end.
fn without_cursor(text: &str) -> &str {
    match text.strip_suffix(CURSOR) {
        Some(text) => text.strip_suffix(' ').unwrap_or(text),
        None => text,
    }
}
