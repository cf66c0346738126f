//! A value that somebody wrote down, and where.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Which of the two files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum File {
    /// `config.yaml`
    Config,
    /// `.env`, or the environment written as its lines.
    Env,
}

impl fmt::Display for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Config => "config.yaml",
            Self::Env => ".env",
        })
    }
}

/// A place in a file, both numbers from 1; the column counts characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Place {
    /// The file.
    pub file: File,
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// What decided: a key of the configuration by its path, or a variable by its name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// `agent.stream_drain_timeout`, `HERMES_STREAM_RETRIES`
    pub name: String,
    /// Where it is written; absent when it was not read from a file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
}

/// A setting as Hermes reads it.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Setting {
    /// Nobody wrote it down.
    #[default]
    Unset,
    /// It counts.
    Given(f64, Source),
    /// It is written down, and Hermes does not use it: why, in words.
    Ignored(Source, String),
    /// It is written down, and Hermes fails on it.
    Fails(Source, String),
}

impl Setting {
    /// The value, where it counts.
    pub fn value(&self) -> Option<f64> {
        match self {
            Self::Given(value, _) => Some(*value),
            _ => None,
        }
    }

    /// What was written, whether it counts or not.
    pub fn source(&self) -> Option<&Source> {
        match self {
            Self::Unset => None,
            Self::Given(_, source) | Self::Ignored(source, _) | Self::Fails(source, _) => Some(source),
        }
    }
}
