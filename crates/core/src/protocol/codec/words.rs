//! The fixed words of the wire and the values they stand for, each pair once.

use crate::protocol::frame::{AskKind, Level, SendMode, TurnStatus};

pub(super) const TURN_STATUS: &[(&str, TurnStatus)] = &[
    ("complete", TurnStatus::Complete),
    ("error", TurnStatus::Error),
    ("interrupted", TurnStatus::Interrupted),
    ("lost", TurnStatus::Lost),
];

pub(super) const LEVEL: &[(&str, Level)] =
    &[("info", Level::Info), ("warning", Level::Warning), ("error", Level::Error)];

pub(super) const ASK_KIND: &[(&str, AskKind)] =
    &[("approval", AskKind::Approval), ("clarify", AskKind::Clarify), ("confirm", AskKind::Confirm)];

pub(super) const SEND_MODE: &[(&str, SendMode)] =
    &[("queue", SendMode::Queue), ("steer", SendMode::Steer), ("interrupt", SendMode::Interrupt)];

/// The word for a value.
pub(super) fn word<T: PartialEq>(table: &[(&'static str, T)], value: &T) -> &'static str {
    table.iter().find(|(_, known)| known == value).map_or("", |(word, _)| word)
}

/// The value of a word.
pub(super) fn value<T: Copy>(table: &[(&'static str, T)], word: &str) -> Option<T> {
    table.iter().find(|(known, _)| *known == word).map(|(_, value)| *value)
}
