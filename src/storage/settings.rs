//! The settings of this device, under the key that `boot.js` reads for the theme before the first paint.

use iris_core::settings::Settings;

use crate::browser::json;

/// The key in `localStorage`.
pub const SETTINGS_KEY: &str = "iris.settings";

/// What is stored; what is missing or makes no sense is the default.
pub fn load_settings() -> Settings {
    let stored = super::read(SETTINGS_KEY).and_then(|text| json::parse(&text.into()).ok());
    stored.map_or_else(Settings::default, |stored| Settings::from_value(&stored))
}

/// Stores them. False if the browser did not let us: they then last as long as the page.
pub fn save_settings(settings: &Settings) -> bool {
    super::write(SETTINGS_KEY, &settings.to_json())
}
