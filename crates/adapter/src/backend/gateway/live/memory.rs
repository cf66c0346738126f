//! Where a chat stands on the plugin's line, and what of that the hub keeps for the next life of the adapter. Pure.

use serde::{Deserialize, Serialize};

/// What is kept: enough to tell the open turn again from its start, or to go on behind the last one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Memory {
    /// The gateway process that the numbers are of.
    pub(super) instance: String,
    /// The line with which the newest turn begins.
    pub(super) from: u64,
    /// The last line that is told in full.
    pub(super) to: u64,
}

impl Memory {
    /// Reads what was kept; what another backend kept is nothing.
    pub(super) fn read(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }

    /// For the hub.
    pub(super) fn write(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// How far the line of one gateway process has been read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Place {
    /// The process; absent before any was met.
    pub(super) instance: Option<String>,
    /// The last line.
    seen: u64,
    /// The line with which began what goes on now; absent while Hermes rests.
    began: Option<u64>,
}

impl Place {
    /// The place behind line `seen` of a process.
    pub(super) fn behind(instance: &str, seen: u64) -> Self {
        Self { instance: Some(instance.to_owned()), seen, began: None }
    }

    /// A line comes; whether it is a new one.
    pub(super) fn enter(&mut self, n: u64) -> bool {
        let new = n > self.seen;
        if new {
            self.seen = n;
            self.began.get_or_insert(n);
        }
        new
    }

    /// Hermes rests: the next line begins something new.
    pub(super) fn rest(&mut self) {
        self.began = None;
    }

    /// To be kept when a turn begins with the line that was just entered.
    pub(super) fn at_start(&self) -> Option<Memory> {
        let from = self.began.unwrap_or(self.seen);
        Some(Memory { instance: self.instance.clone()?, from, to: from.saturating_sub(1) })
    }

    /// To be kept when the line that was just entered is told in full.
    pub(super) fn at_end(&self) -> Option<Memory> {
        let from = self.began.unwrap_or(self.seen);
        Some(Memory { instance: self.instance.clone()?, from, to: self.seen })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_is_remembered_from_its_first_line_and_left_behind_at_its_end() {
        let mut place = Place::behind("i", 10);
        assert!(!place.enter(10), "known");
        assert!(place.enter(12) && place.enter(15));
        let kept = |from, to| Some(Memory { instance: "i".to_owned(), from, to });
        assert_eq!(place.at_start(), kept(12, 11));
        assert_eq!(place.at_end(), kept(12, 15));
        place.rest();
        place.enter(20);
        assert_eq!(place.at_start(), kept(20, 19));
    }

    #[test]
    fn what_is_kept_can_be_read_and_anything_else_is_nothing() {
        let memory = Memory { instance: "i".to_owned(), from: 3, to: 2 };
        assert_eq!(Memory::read(&memory.write()), Some(memory));
        for text in ["", "null", "session_1", r#"{"instance":"i"}"#, r#"{"instance":"i","from":-1,"to":0}"#] {
            assert_eq!(Memory::read(text), None, "{text}");
        }
    }
}
