//! What is open in a chat and how it closes.
//!
//! An adapter that numbers its turns says where they begin and end. A plain peer does not: then a turn is open from
//! the first sign of work (typing, a text, a tool) until typing goes off, the user's next message, an error, or the end
//! of a text when the peer never speaks of typing at all.

use super::apply::Timeline;
use super::item::{Change, ItemKey, ItemKind, Phase, ToolState};
use crate::ids::{MessageId, ToolIndex, TurnId};
use crate::protocol::frame::{Tokens, TurnStatus};

/// What happens to be open, and the last that was. Kept after its end: a tool's result may still come.
#[derive(Debug, Default)]
pub(super) struct Turn {
    /// Its id, if the adapter gave it one.
    pub(super) id: Option<TurnId>,
    /// It runs.
    pub(super) open: bool,
    /// `turn.end` came for this one.
    pub(super) ended: Option<TurnId>,
    /// `typing` was seen on in it: then a plain peer will say when it goes off.
    pub(super) typed: bool,
    /// Its tool calls.
    pub(super) tools: Vec<Call>,
    /// Texts that may grow.
    pub(super) live: Vec<ItemKey>,
    /// The last answer that ended in it.
    pub(super) last_answer: Option<ItemKey>,
    /// Its notices.
    pub(super) notices: Vec<ItemKey>,
    /// Its questions.
    pub(super) asks: Vec<ItemKey>,
}

/// A tool call of a turn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Call {
    pub(super) index: ToolIndex,
    /// The row it stands in.
    pub(super) key: ItemKey,
    /// Its start was seen; otherwise its end came first.
    pub(super) started: bool,
}

impl Turn {
    fn is_empty(&self) -> bool {
        self.tools.is_empty() && self.live.is_empty() && self.last_answer.is_none() && self.asks.is_empty()
    }
}

/// What `turn.end` says of a turn.
pub(super) struct End<'a> {
    pub(super) status: TurnStatus,
    pub(super) exit_code: Option<i32>,
    pub(super) error: Option<&'a str>,
    pub(super) model: Option<&'a str>,
    pub(super) tokens: Option<Tokens>,
    pub(super) duration_ms: Option<u64>,
}

impl Timeline {
    /// `turn.start`. What an earlier turn left open closes; a turn that only `typing` had opened is this one.
    pub(super) fn turn_start(&mut self, id: &TurnId) {
        if self.turn.open && self.turn.id.as_ref() == Some(id) {
            return;
        }
        let only_typed = self.turn.open && self.turn.id.is_none() && self.turn.is_empty();
        if !only_typed {
            self.close(TurnStatus::Complete);
            self.begin();
        }
        self.turn.id = Some(id.clone());
    }

    /// A sign of work: a plain peer's turn begins with it.
    pub(super) fn at_work(&mut self) {
        if !self.turn.open {
            self.begin();
        }
    }

    fn begin(&mut self) {
        self.turn = Turn { open: true, ended: self.turn.ended.take(), ..Turn::default() };
        self.set_running(true);
    }

    /// `turn.end`.
    pub(super) fn turn_end(&mut self, id: &TurnId, end: &End<'_>) {
        let other = self.turn.open && self.turn.id.as_ref().is_some_and(|open| open != id);
        if other || self.turn.ended.as_ref() == Some(id) {
            return;
        }
        if !self.turn.open && self.turn.id.as_ref().is_some_and(|last| last != id) {
            self.turn = Turn::default();
        }
        self.close(end.status);
        self.mark_stopped(end.status);
        self.turn.ended = Some(id.clone());
        self.fill_footer(id, end);
        self.tell_end(end);
    }

    /// A backend may end the text itself before it says that the user stopped the turn. The text was cut all the same,
    /// unless the agent has gone on to something else.
    fn mark_stopped(&mut self, status: TurnStatus) {
        let beside = |kind: &ItemKind| matches!(kind, ItemKind::Notice(_) | ItemKind::User(_));
        let last = self.rows.items().iter().rfind(|item| !beside(&item.kind)).map(|item| item.key);
        let Some(key) = self.turn.last_answer.filter(|key| Some(*key) == last) else { return };
        if status == TurnStatus::Interrupted
            && let Some(answer) = self.rows.answer_mut(key)
            && answer.cut.is_none()
        {
            answer.cut = Some(status);
            self.rows.changed(key);
        }
    }

    /// The turn's last answer carries which turn it was and what it cost, unless its own `message.stop` said so.
    fn fill_footer(&mut self, id: &TurnId, end: &End<'_>) {
        let Some(key) = self.turn.last_answer else { return };
        let Some(answer) = self.rows.answer_mut(key) else { return };
        let mut footer = answer.footer.clone();
        footer.model = footer.model.or_else(|| end.model.map(str::to_owned));
        footer.tokens = footer.tokens.or(end.tokens);
        footer.duration_ms = end.duration_ms.or(footer.duration_ms);
        footer.turn = Some(id.clone());
        if footer != answer.footer {
            answer.footer = footer;
            self.rows.changed(key);
        }
    }

    /// Closes what is open: texts are cut where they are, tools have no result, questions have no answer.
    pub(super) fn close(&mut self, status: TurnStatus) {
        if !self.turn.open {
            return;
        }
        self.show_held();
        self.turn.open = false;
        for key in std::mem::take(&mut self.turn.live) {
            self.close_answer(key, status);
        }
        self.close_tools(None);
        self.close_asks();
        self.remove_heartbeats();
        self.set_typing(false);
        self.set_running(false);
    }

    /// Ends a text that nobody ended. One that never said anything goes.
    pub(super) fn close_answer(&mut self, key: ItemKey, status: TurnStatus) {
        let Some(answer) = self.rows.answer_mut(key) else { return };
        if answer.text.is_empty() && answer.reasoning.is_empty() {
            let id = answer.message_id.clone();
            self.forget(&id, key);
            return;
        }
        let before = (answer.reasoning_live, answer.phase, answer.cut);
        answer.reasoning_live = false;
        if answer.phase == Phase::Streaming {
            answer.phase = Phase::Stopped;
        }
        answer.cut = (status != TurnStatus::Complete).then_some(status);
        let changed = before != (answer.reasoning_live, answer.phase, answer.cut);
        if !answer.text.is_empty() {
            self.turn.last_answer = Some(key);
        }
        if changed {
            self.rows.changed(key);
        }
    }

    fn forget(&mut self, id: &MessageId, key: ItemKey) {
        self.rows.remove(key);
        if self.messages.get(id).is_some_and(|known| known.key == key) {
            self.messages.remove(id);
        }
    }

    /// Ends tools that nobody ended; with `before`, only those that stand above that row.
    pub(super) fn close_tools(&mut self, before: Option<ItemKey>) {
        let limit = before.and_then(|key| self.rows.position(key)).unwrap_or(usize::MAX);
        let mut keys: Vec<ItemKey> = self.turn.tools.iter().map(|call| call.key).collect();
        keys.dedup();
        for key in keys {
            if self.rows.position(key).is_none_or(|at| at >= limit) {
                continue;
            }
            let Some(ItemKind::Tools(tools)) = self.rows.kind_mut(key) else { continue };
            let mut closed = false;
            for tool in tools.iter_mut().filter(|tool| tool.state == ToolState::Running) {
                tool.state = ToolState::NoResult;
                closed = true;
            }
            if closed {
                self.rows.changed(key);
            }
        }
    }

    /// `typing`.
    pub(super) fn typing_frame(&mut self, on: bool) {
        if on {
            // A peer that numbers its turns says itself when one begins.
            if self.turn.id.is_none() && self.turn.ended.is_none() {
                self.at_work();
            }
            self.turn.typed = true;
            // A text that grows is sign enough.
            self.set_typing(self.turn.live.is_empty());
        } else {
            self.set_typing(false);
            if self.turn.id.is_none() {
                self.close(TurnStatus::Complete);
            }
        }
    }

    /// Whether a turn is open that only a plain peer's habits will end.
    pub(super) fn in_plain_turn(&self) -> bool {
        self.turn.open && self.turn.id.is_none()
    }

    pub(super) fn set_typing(&mut self, on: bool) {
        if self.typing != on {
            self.typing = on;
            self.rows.say(Change::Typing(on));
        }
    }

    pub(super) fn set_running(&mut self, on: bool) {
        if self.running != on {
            self.running = on;
            self.rows.say(Change::Running(on));
        }
    }
}
