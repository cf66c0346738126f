//! What a timer can be set to.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A timer's value.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Value {
    /// So many seconds. Zero or less fires at once.
    Seconds(f64),
    /// So many times.
    Count(i64),
    /// It never fires.
    Never,
    /// It is switched off.
    Off,
    /// Hermes stops with an error instead of using it.
    Breaks,
}

/// `value` in seconds as a timer: infinity and "not a number" never pass.
pub fn seconds(value: f64) -> Value {
    if value.is_nan() || value == f64::INFINITY { Value::Never } else { Value::Seconds(value) }
}

impl Value {
    /// The seconds, infinity where it never fires; `None` where it is no duration.
    pub fn as_seconds(self) -> Option<f64> {
        match self {
            Self::Seconds(seconds) => Some(seconds),
            Self::Never => Some(f64::INFINITY),
            Self::Count(_) | Self::Off | Self::Breaks => None,
        }
    }

    /// The count; `None` where it is none.
    pub fn as_count(self) -> Option<i64> {
        match self {
            Self::Count(count) => Some(count),
            _ => None,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // At most two decimals, and none that say nothing.
            Self::Seconds(value) => write!(f, "{} s", (value * 100.0).round() / 100.0),
            Self::Count(value) => write!(f, "{value}"),
            Self::Never => f.write_str("never"),
            Self::Off => f.write_str("off"),
            Self::Breaks => f.write_str("error"),
        }
    }
}
