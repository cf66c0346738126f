//! One JSON object a line: what the recordings of the gateway and `stream-json` have in common.
//!
//! Owns the limit and the errors, which name the line; what an object means is its reader's business.

use serde_json::{Map, Value};

use crate::protocol::codec::{self, DecodeError};

/// The longest line that is looked at. A tool's result is the longest thing in one; Hermes cuts those far below this.
pub const MAX_LINE_BYTES: usize = 8 << 20;

/// Why a line is not what it should be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct LineError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub problem: Problem,
}

/// What can be wrong with a line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// Longer than [`MAX_LINE_BYTES`].
    #[error("{0} bytes long, the limit is {MAX_LINE_BYTES}")]
    TooLong(usize),
    /// Not JSON.
    #[error("not JSON ({0})")]
    NotJson(String),
    /// JSON, but not an object.
    #[error("not a JSON object")]
    NotAnObject,
    /// An object that is no frame of ours, and why.
    #[error("{0}")]
    NotAFrame(String),
    /// A field without which the object means nothing.
    #[error("`{kind}` without a usable `{field}`")]
    Missing {
        /// What the object is, or `?`.
        kind: String,
        /// The field.
        field: &'static str,
    },
}

impl Problem {
    /// The object called `kind` needs `field`.
    pub fn missing(kind: &str, field: &'static str) -> Self {
        Self::Missing { kind: kind.to_owned(), field }
    }
}

/// The lines that hold something, each with its number from 1.
pub fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(index, line)| (index + 1, line))
}

/// Reads one line with `read`; `number` is only for the error.
///
/// # Errors
/// When the line holds no object, or not one that `read` accepts.
pub fn read_line<T>(
    number: usize,
    line: &str,
    read: impl FnOnce(&Map<String, Value>) -> Result<T, Problem>,
) -> Result<T, LineError> {
    let parsed = || {
        if line.len() > MAX_LINE_BYTES {
            return Err(Problem::TooLong(line.len()));
        }
        let value = parse(line)?;
        read(value.as_object().ok_or(Problem::NotAnObject)?)
    };
    parsed().map_err(|problem| LineError { line: number, problem })
}

/// Parses a line; a lone surrogate in it (half an emoji) is read as U+FFFD.
fn parse(line: &str) -> Result<Value, Problem> {
    codec::parse(line).map_err(|error| match error {
        DecodeError::Json(reason) => Problem::NotJson(reason),
        other => Problem::NotJson(other.to_string()),
    })
}
