//! Notices that stand in one row: the same one again, and a burst of them about one trouble. Owns which belong together,
//! and the sentence for all of them.

use super::item::Notice;
use crate::protocol::frame::{Facts, Level};
use crate::stall::trouble::{ASKED_AGAIN, Kind, tries};

/// The most that a row keeps of what was said before; the oldest of more goes, but stays counted.
const MAX_BEFORE: usize = 40;

impl Notice {
    /// A notice without details that was said once.
    pub fn new(level: Level, code: &str, text: &str) -> Self {
        Self {
            level,
            code: code.to_owned(),
            text: text.to_owned(),
            detail: None,
            facts: Facts::default(),
            times: 1,
            before: Vec::new(),
            left_out: 0,
        }
    }

    /// Everything that the row says, the newest first.
    pub fn all(&self) -> impl Iterator<Item = &Self> {
        std::iter::once(self).chain(self.before.iter().rev())
    }

    /// How many messages of Hermes' the row stands for.
    pub fn messages(&self) -> u32 {
        let of_hermes = self.all().filter(|notice| notice.code != ASKED_AGAIN);
        of_hermes.fold(self.left_out, |sum, notice| sum.saturating_add(notice.times))
    }

    /// All of them in a sentence without its full stop, where the newest alone would not tell enough.
    pub fn summary(&self) -> Option<String> {
        if self.level != Level::Error || self.before.is_empty() {
            return None;
        }
        Some(self.tries()).filter(|n| *n > 1).map(|n| format!("Hermes tried {n} times, then gave up"))
    }

    /// How many tries there were, at least: each silence is one, after each drop came another, and some lines count them. A
    /// turn that waited for its provider in cycles tells its own count, which is another.
    fn tries(&self) -> u32 {
        let count = |kind: Kind| {
            let of_kind = self.all().filter(|notice| Kind::of(&notice.code) == Some(kind));
            of_kind.fold(0, |sum: u32, notice| sum.saturating_add(notice.times))
        };
        if count(Kind::Recovering) > 0 || self.all().any(|notice| notice.code == "recovery_over") {
            return 0;
        }
        let drops = count(Kind::Dropped);
        let counted = self.all().filter_map(|notice| tries(&notice.code, &notice.facts)).max();
        count(Kind::Reconnecting).max(drops.saturating_add(drops.min(1))).max(counted.unwrap_or(0))
    }

    fn is_trouble(&self) -> bool {
        Kind::of(&self.code).is_some_and(Kind::is_trouble)
    }

    fn is_same(&self, other: &Self) -> bool {
        self.level == other.level
            && self.code == other.code
            && self.text == other.text
            && self.detail == other.detail
    }

    /// Whether that one belongs into this row: it says the same, or how the same trouble goes on, or what came of it.
    pub(super) fn takes(&self, other: &Self) -> bool {
        let trouble = self.all().any(Self::is_trouble);
        self.is_same(other) || (trouble && (other.level == Level::Error || other.is_trouble()))
    }

    /// Whether that one says the same better, or of a later time.
    fn gives_way_to(&self, next: &Self) -> bool {
        self.code == ASKED_AGAIN && Kind::of(&next.code).is_some_and(Kind::is_asked_again)
    }

    /// Puts the next one in front.
    pub(super) fn add(&mut self, next: Self) {
        if self.gives_way_to(&next) {
            let (before, left_out) = (std::mem::take(&mut self.before), self.left_out);
            *self = Self { before, left_out, ..next };
            return;
        }
        if self.is_same(&next) {
            self.times = self.times.saturating_add(1);
            return;
        }
        let (mut before, mut left_out) =
            (std::mem::take(&mut self.before), std::mem::take(&mut self.left_out));
        before.push(std::mem::replace(self, next));
        if before.len() > MAX_BEFORE {
            left_out = left_out.saturating_add(before.remove(0).times);
        }
        (self.before, self.left_out) = (before, left_out);
    }
}
