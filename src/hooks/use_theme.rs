//! Light or dark on `<html data-theme>`. `boot.js` has set it before the first paint; this keeps it true.

use iris_core::settings::{Settings, Theme};
use leptos::prelude::{ArcRwSignal, Get, With};

use super::use_media_query;
use crate::reactive::{effect, memo};

/// Follows the setting, and the device while the setting says so.
pub fn use_theme(settings: ArcRwSignal<Settings>) {
    let device_is_dark = use_media_query("(prefers-color-scheme: dark)");
    let theme = memo(move || match settings.with(|settings| settings.theme) {
        Theme::Light => "light",
        Theme::Dark => "dark",
        Theme::Auto if device_is_dark.get() => "dark",
        Theme::Auto => "light",
    });
    effect(move || {
        let root = web_sys::window().and_then(|window| window.document()?.document_element());
        if let Some(root) = root {
            let _ = root.set_attribute("data-theme", theme.get());
        }
    });
}
