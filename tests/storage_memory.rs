//! What a device remembers survives a reload, and whatever stands in storage, the page starts.

#![cfg(target_arch = "wasm32")]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]

mod support;

use iris::hooks::{use_stored_draft, use_stored_settings, use_theme};
use iris::storage::{SETTINGS_KEY, load_draft, load_settings, save_draft, save_settings};
use iris_core::settings::{Settings, Theme, ToolDetail};
use leptos::prelude::*;
use support::{host, settle};
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

fn storage() -> web_sys::Storage {
    web_sys::window().unwrap().local_storage().unwrap().unwrap()
}

fn theme_on_screen() -> Option<String> {
    web_sys::window().unwrap().document().unwrap().document_element().unwrap().get_attribute("data-theme")
}

/// Calls the hook under an owner, with effects running.
fn mounted(hook: impl FnOnce() + 'static) {
    let mounted = leptos::mount::mount_to(host(), move || {
        hook();
    });
    mounted.forget();
}

#[wasm_bindgen_test]
fn settings_come_back() {
    let settings =
        Settings { speed: 0.8, streaming: false, tool_detail: ToolDetail::Nothing, theme: Theme::Light };
    assert!(save_settings(&settings));
    assert_eq!(load_settings(), settings);
}

#[wasm_bindgen_test]
fn broken_settings_are_the_default() {
    for broken in ["", "{", "[]", "\"dark\"", "{\"theme\":7,\"speed\":null}"] {
        storage().set_item(SETTINGS_KEY, broken).unwrap();
        assert_eq!(load_settings(), Settings::default(), "{broken}");
    }
}

#[wasm_bindgen_test]
fn an_empty_draft_leaves_nothing_behind() {
    let before = storage().length().unwrap();
    assert!(save_draft("half a thought"));
    assert_eq!(load_draft(), "half a thought");
    assert!(save_draft(""));
    assert_eq!((load_draft(), storage().length().unwrap()), (String::new(), before));
}

#[wasm_bindgen_test]
fn a_full_storage_is_reported_and_survived() {
    let too_long = "x".repeat(11 << 20);
    assert!(!save_draft(&too_long));
    assert!(save_draft(""));
}

#[wasm_bindgen_test]
async fn a_draft_is_stored_when_the_page_goes_away() {
    save_draft("left here");
    let draft = ArcRwSignal::new(String::new());
    let watched = draft.clone();
    mounted(move || use_stored_draft(watched));
    assert_eq!(draft.get_untracked(), "left here");
    draft.set("left here, and more".to_owned());
    settle().await;
    web_sys::window().unwrap().dispatch_event(&web_sys::Event::new("pagehide").unwrap()).unwrap();
    assert_eq!(load_draft(), "left here, and more");
    save_draft("");
}

#[wasm_bindgen_test]
async fn a_chosen_theme_shows_at_once_and_is_stored() {
    storage().remove_item(SETTINGS_KEY).unwrap();
    let settings = ArcRwSignal::new(load_settings());
    let watched = settings.clone();
    mounted(move || {
        use_stored_settings(watched.clone());
        use_theme(watched);
    });
    settle().await;
    assert!(storage().get_item(SETTINGS_KEY).unwrap().is_none(), "nothing changed, nothing is stored");
    for (theme, expected) in [(Theme::Dark, "dark"), (Theme::Light, "light")] {
        settings.update(|settings| settings.theme = theme);
        settle().await;
        assert_eq!(theme_on_screen().as_deref(), Some(expected));
        assert_eq!(load_settings().theme, theme);
    }
}
