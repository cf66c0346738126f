//! Notices, questions and errors: rows that are no message.

use super::apply::Timeline;
use super::item::{Ask, Item, ItemKey, ItemKind, Notice};
use super::turn::End;
use crate::protocol::frame::{Level, ServerFrame, TurnStatus};

/// Notices that say "still at it": the newest is enough, and after the turn none.
const HEARTBEATS: [&str; 2] = ["working", "heartbeat"];

/// What a question that its turn left open came to.
const UNANSWERED: &str = "Not answered";

/// Whether a row only says that work goes on.
pub(super) fn is_heartbeat(kind: &ItemKind) -> bool {
    matches!(kind, ItemKind::Notice(notice) if HEARTBEATS.contains(&notice.code.as_str()))
}

impl Timeline {
    pub(super) fn notice_frame(&mut self, frame: &ServerFrame) {
        match frame {
            ServerFrame::Notice { level, code, text, detail, facts } => {
                let notice = Notice::new(*level, code, text);
                self.notice(Notice { detail: detail.clone(), facts: facts.clone(), ..notice });
            }
            ServerFrame::Ask { ask_id, kind, text, command, choices } => self.ask(Ask {
                ask_id: ask_id.clone(),
                kind: *kind,
                text: text.clone(),
                command: command.clone(),
                choices: choices.clone(),
                outcome: None,
            }),
            ServerFrame::AskClosed { ask_id, outcome } => {
                let open =
                    |item: &&super::Item| matches!(&item.kind, ItemKind::Ask(ask) if ask.ask_id == *ask_id);
                if let Some(key) = self.rows.items().iter().rfind(open).map(|item| item.key) {
                    self.set_outcome(key, outcome);
                }
            }
            _ => {}
        }
    }

    fn notice(&mut self, notice: Notice) {
        self.show_held();
        let old = HEARTBEATS.contains(&notice.code.as_str()).then(|| self.notice_of(&notice.code)).flatten();
        if let Some(key) = old {
            if self.rows.last().is_some_and(|last| last.key == key) {
                return self.replace_notice(key, notice);
            }
            self.turn.notices.retain(|known| *known != key);
            self.rows.remove(key);
        }
        if let Some(key) = self.row_that_takes(&notice) {
            return self.add_to(key, notice);
        }
        let key = self.rows.push(ItemKind::Notice(notice));
        self.turn.notices.push(key);
    }

    fn replace_notice(&mut self, key: ItemKey, notice: Notice) {
        if let Some(ItemKind::Notice(old)) = self.rows.kind_mut(key)
            && *old != notice
        {
            *old = notice;
            self.rows.changed(key);
        }
    }

    /// This turn's row of notices that stands last, if it says the same or is about the same trouble. A heartbeat below it
    /// says nothing.
    fn row_that_takes(&self, notice: &Notice) -> Option<ItemKey> {
        let confirmed = self.rows.items().get(..self.rows.end())?;
        let last = confirmed.iter().rev().find(|item| !is_heartbeat(&item.kind))?;
        match &last.kind {
            ItemKind::Notice(old) if self.turn.notices.contains(&last.key) && old.takes(notice) => {
                Some(last.key)
            }
            _ => None,
        }
    }

    fn add_to(&mut self, key: ItemKey, notice: Notice) {
        if let Some(ItemKind::Notice(old)) = self.rows.kind_mut(key) {
            old.add(notice);
            self.rows.changed(key);
        }
    }

    /// This turn's notice with that code.
    fn notice_of(&self, code: &str) -> Option<ItemKey> {
        self.turn.notices.iter().copied().rfind(
            |key| matches!(self.rows.kind(*key), Some(ItemKind::Notice(notice)) if notice.code == code),
        )
    }

    pub(super) fn remove_heartbeats(&mut self) {
        for code in HEARTBEATS {
            if let Some(key) = self.notice_of(code) {
                self.rows.remove(key);
            }
        }
    }

    fn ask(&mut self, mut ask: Ask) {
        let same = |item: &&super::Item| matches!(&item.kind, ItemKind::Ask(old) if old.ask_id == ask.ask_id);
        let Some(item) = self.rows.items().iter().rfind(same) else {
            self.show_held();
            let key = self.rows.push(ItemKind::Ask(ask));
            if self.turn.open {
                self.turn.asks.push(key);
            }
            return;
        };
        let key = item.key;
        let Some(ItemKind::Ask(old)) = self.rows.kind_mut(key) else { return };
        ask.outcome.clone_from(&old.outcome);
        if ask != *old {
            *old = ask;
            self.rows.changed(key);
        }
    }

    fn set_outcome(&mut self, key: ItemKey, outcome: &str) {
        if let Some(ItemKind::Ask(ask)) = self.rows.kind_mut(key)
            && ask.outcome.as_deref() != Some(outcome)
        {
            ask.outcome = Some(outcome.to_owned());
            self.rows.changed(key);
        }
    }

    pub(super) fn close_asks(&mut self) {
        for key in std::mem::take(&mut self.turn.asks) {
            if matches!(self.rows.kind(key), Some(ItemKind::Ask(ask)) if ask.outcome.is_none()) {
                self.set_outcome(key, UNANSWERED);
            }
        }
    }

    /// `error`. About a message that was sent: that one failed. About nothing that was asked: the turn has.
    pub(super) fn error(&mut self, code: &str, text: &str, re: Option<&str>, about_turn: bool) {
        if re.is_some_and(|re| self.fail(&re.into(), text)) {
            return;
        }
        self.notice(Notice::new(Level::Error, code, text));
        if about_turn {
            self.close(TurnStatus::Error);
        }
    }

    /// What a turn's end has to tell that the transcript does not show yet.
    pub(super) fn tell_end(&mut self, end: &End<'_>) {
        let (level, code, text) = match end.status {
            TurnStatus::Complete => return,
            TurnStatus::Interrupted => (Level::Info, "stopped", "Stopped".to_owned()),
            TurnStatus::Lost => (Level::Info, "lost", "Connection to the run was lost".to_owned()),
            TurnStatus::Error => (Level::Error, "error", failure(end)),
        };
        if !self.tells(level, code, &text) {
            self.notice(Notice::new(level, code, &text));
        }
    }

    /// Whether a notice of this turn, or its answer, says it already.
    fn tells(&self, level: Level, code: &str, text: &str) -> bool {
        let noticed = self.turn.notices.iter().any(|key| match self.rows.kind(*key) {
            Some(ItemKind::Notice(row)) => row.all().any(|notice| match level {
                Level::Error => notice.level == level && notice.text == text,
                _ => notice.code == code,
            }),
            _ => false,
        });
        let answer = self.turn.last_answer.and_then(|key| self.rows.answer(key));
        // What stands last and is cut says so itself, if it is this turn's.
        let last = self.rows.last().filter(|item| Some(item.key) == self.turn.last_answer);
        let cut = code == "stopped"
            && matches!(last, Some(Item { kind: ItemKind::Answer(last), .. }) if last.cut == Some(TurnStatus::Interrupted));
        noticed
            || cut
            || (level == Level::Error && answer.is_some_and(|answer| answer.text.contains(text.trim())))
    }
}

fn failure(end: &End<'_>) -> String {
    match (end.error.filter(|error| !error.trim().is_empty()), end.exit_code) {
        (Some(error), _) => error.to_owned(),
        (None, Some(code)) => format!("The turn failed with exit code {code}"),
        (None, None) => "The turn failed".to_owned(),
    }
}
