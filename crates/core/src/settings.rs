//! The settings of one device and their allowed values.

use serde_json::Value;

use crate::format::decimal;

/// How much of a tool call is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ToolDetail {
    /// Name, full arguments, output preview.
    Everything,
    /// One line, expandable.
    #[default]
    Truncated,
    /// No tool cards; a quiet line says that tools work.
    Nothing,
}

impl ToolDetail {
    const ALL: [Self; 3] = [Self::Everything, Self::Truncated, Self::Nothing];

    /// The word for it, as a device stores it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Everything => "everything",
            Self::Truncated => "truncated",
            Self::Nothing => "nothing",
        }
    }

    /// The value that a word stands for.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|value| value.name() == name)
    }
}

/// Light or dark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// As the device has it.
    #[default]
    Auto,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

impl Theme {
    const ALL: [Self; 3] = [Self::Auto, Self::Light, Self::Dark];

    /// The word for it, as a device stores it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    /// The value that a word stands for.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|value| value.name() == name)
    }
}

/// The settings of this device.
#[derive(Clone, Copy, Debug, PartialEq)]
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

    /// Reads what a device stored. Each field stands alone: one that is missing or makes no sense takes its default.
    pub fn from_value(stored: &Value) -> Self {
        let default = Self::default();
        let field = |name: &str| stored.get(name);
        let word = |name: &str| field(name).and_then(Value::as_str).unwrap_or_default();
        let speed = field("speed").and_then(Value::as_f64).unwrap_or(default.speed);
        Self {
            speed: speed.clamp(*Self::SPEED.start(), *Self::SPEED.end()),
            streaming: field("streaming").and_then(Value::as_bool).unwrap_or(default.streaming),
            tool_detail: ToolDetail::named(word("tool_detail")).unwrap_or(default.tool_detail),
            theme: Theme::named(word("theme")).unwrap_or(default.theme),
        }
    }

    /// What a device stores.
    pub fn to_json(&self) -> String {
        format!(
            r#"{{"speed":{},"streaming":{},"tool_detail":"{}","theme":"{}"}}"#,
            decimal(self.speed, 2),
            self.streaming,
            self.tool_detail.name(),
            self.theme.name(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from_json(text: &str) -> Settings {
        Settings::from_value(&serde_json::from_str(text).unwrap_or_default())
    }

    #[test]
    fn what_was_stored_comes_back() {
        let settings = Settings {
            speed: 0.7,
            streaming: false,
            tool_detail: ToolDetail::Everything,
            theme: Theme::Dark,
        };
        assert_eq!(from_json(&settings.to_json()), settings);
    }

    #[test]
    fn nonsense_in_one_field_leaves_the_others() {
        let check = |text: &str, expected: Settings| assert_eq!(from_json(text), expected, "{text}");
        let default = Settings::default();
        check("", default);
        check("{", default);
        check("[1]", default);
        check("null", default);
        check(r#"{"theme":"dark","speed":"fast"}"#, Settings { theme: Theme::Dark, ..default });
        check(r#"{"theme":"neon","streaming":false}"#, Settings { streaming: false, ..default });
        check(r#"{"speed":9}"#, Settings { speed: 0.8, ..default });
        check(r#"{"speed":-1e300}"#, Settings { speed: 0.2, ..default });
        check(
            r#"{"tool_detail":"nothing","more":1}"#,
            Settings { tool_detail: ToolDetail::Nothing, ..default },
        );
    }
}
