//! The settings of one device and their allowed values.

use serde::{Deserialize, Serialize};

/// How much of a tool call is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ToolDetail {
    /// Name, full arguments, output preview.
    Everything,
    /// One line, expandable.
    #[default]
    Truncated,
    /// No tool cards; a quiet line says that tools work.
    Nothing,
}

/// Light or dark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Theme {
    /// As the device has it.
    #[default]
    Auto,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

/// The settings of this device.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// "Streaming speed": seconds between visible updates, 0.2 to 0.8. The rate is 60 / value characters a second.
    pub speed: f64,
    /// Off: every reply appears once, complete.
    pub streaming: bool,
    /// How much of a tool call is shown.
    pub tool_detail: ToolDetail,
    /// Light or dark.
    pub theme: Theme,
}

impl Default for Settings {
    fn default() -> Self {
        Self { speed: 0.4, streaming: true, tool_detail: ToolDetail::default(), theme: Theme::default() }
    }
}

impl Settings {
    /// The slowest and fastest value of `speed`, seconds.
    pub const SPEED: std::ops::RangeInclusive<f64> = 0.2..=0.8;

    /// Characters a second that the reveal aims at: 300 at 0.2, 75 at 0.8. A value out of range counts as the nearest in it.
    pub fn characters_per_second(&self) -> f64 {
        let speed = if self.speed.is_finite() { self.speed } else { Self::default().speed };
        60.0 / speed.clamp(*Self::SPEED.start(), *Self::SPEED.end())
    }
}
