//! Keeps the settings on the device, and every tab of it in step.

use iris_core::settings::Settings;
use leptos::prelude::{ArcRwSignal, Get, GetUntracked, Set, StoredValue};
use wasm_bindgen::JsCast;
use web_sys::StorageEvent;

use crate::browser::Listener;
use crate::reactive::effect;
use crate::storage::{SETTINGS_KEY, load_settings, save_settings};

/// Stores the settings when they change here, and takes them over when they change in another tab.
pub fn use_stored_settings(settings: ArcRwSignal<Settings>) {
    let shared = settings.clone();
    let take_over = move |event: web_sys::Event| {
        let ours =
            event.dyn_ref::<StorageEvent>().is_some_and(|event| event.key().as_deref() == Some(SETTINGS_KEY));
        let stored = load_settings();
        if ours && stored != shared.get_untracked() {
            shared.set(stored);
        }
    };
    StoredValue::new_local(Listener::on_window("storage", take_over));
    let mut last = None;
    effect(move || {
        let now = settings.get();
        if last.replace(now).is_some_and(|last| last != now) {
            save_settings(&now);
        }
    });
}
