//! How a frame is written: one JSON object, its `type`, the rest flat.
//!
//! Owns the spelling, the limits and the errors; `frame.rs` owns what a frame is, and nothing here knows what it does.
//!
//! A frame is read field by field out of a parsed object instead of by a derived deserialiser. So a frame looks only
//! at its own fields (any other is ignored, whatever its type), an error names the frame and the field, and the code
//! is a fraction of an internally tagged enum's in the wasm file.

mod app;
mod continuation;
mod fields;
mod server;
mod surrogates;
mod words;
mod writer;

use serde_json::{Map, Value};

use super::frame::{AppFrame, Envelope};

pub use self::app::APP_TYPES;
pub use self::continuation::{Growth, ServerReader, Tail};
pub use self::server::SERVER_TYPES;

/// The longest frame an adapter takes, bytes.
pub const MAX_TO_ADAPTER: usize = 64 * 1024;

/// The longest frame an app takes, bytes.
pub const MAX_TO_APP: usize = 16 * 1024 * 1024;

/// Why a text is no frame. Safe to show: it holds names and positions, never a frame's content.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// Longer than the reader allows.
    #[error("a frame of {len} bytes is longer than the {max} that are allowed")]
    TooLong {
        /// Its length.
        len: usize,
        /// The limit.
        max: usize,
    },
    /// No JSON, or nested too deep.
    #[error("not a JSON text: {0}")]
    Json(String),
    /// JSON, but no object.
    #[error("a frame is a JSON object, this is {0}")]
    NotAnObject(&'static str),
    /// An object without a `type`.
    #[error("a frame needs a `type` that is a string")]
    NoType,
    /// A field that the type needs is not there.
    #[error("`{kind}` needs `{field}`")]
    Missing {
        /// The frame's `type`.
        kind: String,
        /// The field; a path where it is inside another.
        field: String,
    },
    /// A field is not what it must be.
    #[error("`{kind}`: `{field}` must be {expected}, not {found}")]
    Wrong {
        /// The frame's `type`.
        kind: String,
        /// The field; a path where it is inside another.
        field: String,
        /// What it must be.
        expected: &'static str,
        /// What it is.
        found: &'static str,
    },
}

/// Reads a frame from the adapter that stands alone; what a socket brings is read by a [`ServerReader`].
/// A `type` that this version does not know is a frame too, not an error.
pub fn decode_server(text: &str) -> Result<Envelope, DecodeError> {
    let (kind, map) = object(text, MAX_TO_APP)?;
    server::read(&kind, map)
}

/// Reads a frame from the adapter out of JSON that somebody else has parsed: a browser brings a parser of its own.
///
/// The caller has kept to [`MAX_TO_APP`].
pub fn decode_server_value(value: Value) -> Result<Envelope, DecodeError> {
    let (kind, map) = typed(value)?;
    server::read(&kind, map)
}

/// Reads a frame from the adapter out of an object that somebody else has parsed.
pub fn decode_server_object(mut map: Map<String, Value>) -> Result<Envelope, DecodeError> {
    match map.remove("type") {
        Some(Value::String(kind)) => server::read(&kind, map),
        _ => Err(DecodeError::NoType),
    }
}

/// Reads a frame from an app. A `type` that this version does not know is a frame too, not an error.
pub fn decode_app(text: &str) -> Result<AppFrame, DecodeError> {
    let (kind, map) = object(text, MAX_TO_ADAPTER)?;
    app::read(&kind, map)
}

/// Writes a frame of the adapter.
pub fn encode_server(envelope: &Envelope) -> String {
    server::write(envelope)
}

/// Writes a frame of an app.
pub fn encode_app(frame: &AppFrame) -> String {
    app::write(frame)
}

/// The object and its `type`, taken out of it.
fn object(text: &str, max: usize) -> Result<(String, Map<String, Value>), DecodeError> {
    typed(parse_within(text, max)?)
}

fn parse_within(text: &str, max: usize) -> Result<Value, DecodeError> {
    if text.len() > max {
        return Err(DecodeError::TooLong { len: text.len(), max });
    }
    parse(text)
}

fn typed(value: Value) -> Result<(String, Map<String, Value>), DecodeError> {
    match value {
        Value::Object(mut map) => match map.remove("type") {
            Some(Value::String(kind)) => Ok((kind, map)),
            _ => Err(DecodeError::NoType),
        },
        other => Err(DecodeError::NotAnObject(fields::name_of(&other))),
    }
}

/// Parses, and if that fails once more with every lone surrogate replaced: half an emoji must not cost the frame.
pub(crate) fn parse(text: &str) -> Result<Value, DecodeError> {
    serde_json::from_str(text).or_else(|error| {
        let repaired = surrogates::repair(text).and_then(|text| serde_json::from_str(&text).ok());
        repaired.ok_or_else(|| DecodeError::Json(error.to_string()))
    })
}

#[cfg(test)]
mod document;
#[cfg(test)]
mod tests;
