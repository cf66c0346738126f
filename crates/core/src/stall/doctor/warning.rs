//! A warning: what is wrong, why, where, and what to write instead.

use crate::stall::Versions;
use crate::stall::timers::{File, Place};
use serde::{Deserialize, Serialize};

/// How much it matters, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Something does not work.
    Error,
    /// Something does not do what it looks like.
    Warning,
    /// Worth knowing.
    Hint,
}

/// A section that is already in the file: what is written goes below its line, for a second one of its name would make the file unreadable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Under {
    /// Its path: `agent`.
    pub section: String,
    /// Its line, from 1.
    pub line: u32,
    /// Whether the section is empty (`{}`), and the lines stand in place of its own.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub in_place: bool,
}

/// One thing to look at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warning {
    /// The rule: `cap-below-stale`.
    pub id: String,
    /// How much it matters.
    pub severity: Severity,
    /// What is the matter, in one sentence without its full stop.
    pub title: String,
    /// Why, in sentences.
    pub why: String,
    /// The line it points at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
    /// That line; absent when it could hold a secret.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<String>,
    /// Whether what is to be written stands in place of the line that is pointed at.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub replaces: bool,
    /// The lines to write, whole and in order; empty when there is nothing to write.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub write: Vec<String>,
    /// The section of `config.yaml` that is there already and takes them; absent when they stand for themselves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub under: Option<Under>,
    /// The file they belong in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub write_in: Option<File>,
    /// Which Hermes the rule is true for.
    pub versions: Versions,
}

impl Warning {
    pub(super) fn new(
        id: &str,
        severity: Severity,
        title: impl Into<String>,
        why: impl Into<String>,
        versions: Versions,
    ) -> Self {
        Self {
            id: id.to_owned(),
            severity,
            title: title.into(),
            why: why.into(),
            place: None,
            line: None,
            replaces: false,
            write: Vec::new(),
            under: None,
            write_in: None,
            versions,
        }
    }

    /// Points at a line.
    pub(super) fn at(mut self, place: Option<Place>, line: Option<String>) -> Self {
        self.place = place;
        self.line = line;
        self
    }

    /// Says what to write.
    pub(super) fn write(mut self, file: File, lines: Vec<String>) -> Self {
        self.write = lines;
        self.write_in = Some(file);
        self
    }

    /// Says what to write in place of the line.
    pub(super) fn replace(self, lines: Vec<String>) -> Self {
        let file = self.place.map_or(File::Config, |place| place.file);
        Self { replaces: self.place.is_some() && !lines.is_empty(), ..self.write(file, lines) }
    }
}
