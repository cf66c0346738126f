//! What a device remembers survives a reload, and whatever stands in storage, the page starts.

#![cfg(target_arch = "wasm32")]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]

mod support;

use iris::hooks::{use_stored_draft, use_stored_settings, use_theme};
use iris::storage::{SETTINGS_KEY, keep, load_draft, load_outbox, load_settings, save_draft, save_settings};
use iris_core::connection::{Kept, Message};
use iris_core::ids::ChatId;
use iris_core::protocol::frame::{FileInfo, SendMode};
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
    assert!(save_draft(None, "half a thought"));
    assert_eq!(load_draft(None), "half a thought");
    assert!(save_draft(None, ""));
    assert_eq!((load_draft(None), storage().length().unwrap()), (String::new(), before));
}

#[wasm_bindgen_test]
fn each_chat_has_its_draft_and_the_oldest_go() {
    let chat = |n: usize| ChatId(format!("chat{n}"));
    for n in 0..60 {
        assert!(save_draft(Some(&chat(n)), &format!("draft {n}")));
    }
    assert!(save_draft(Some(&chat(20)), "newer"));
    assert!(save_draft(Some(&chat(60)), "last"));
    let left = |n: usize| load_draft(Some(&chat(n)));
    assert_eq!([left(9), left(10), left(11)], ["", "", "draft 11"]);
    assert_eq!([left(20), left(60), load_draft(None)], ["newer", "last", ""]);
    (0..=60).for_each(|n| assert!(save_draft(Some(&chat(n)), "")));
    for broken in ["", "{", "[[]]", "[[1,2],null,[\"chat1\"]]"] {
        storage().set_item("iris.drafts", broken).unwrap();
        assert_eq!(left(1), "", "{broken}");
    }
    storage().remove_item("iris.drafts").unwrap();
}

#[wasm_bindgen_test]
fn a_message_that_waits_comes_back_as_it_was() {
    let file = FileInfo {
        id: "f1".into(),
        name: "ü \"x\".png".to_owned(),
        media_type: "image/png".to_owned(),
        size: 9,
    };
    let whole = Message {
        client_id: "outbox-a".into(),
        chat: Some("c1".into()),
        text: "Hello\n\"you\"".to_owned(),
        attachments: vec![file],
        mode: Some(SendMode::Steer),
        written_ms: 1_796_040_000_000,
        failed: Some("No".to_owned()),
    };
    let bare = Message { client_id: "outbox-b".into(), ..Message::default() };
    for message in [&whole, &bare] {
        keep(&Kept::Write(message.clone()));
    }
    storage().set_item("iris.outbox.broken", "{").unwrap();
    storage().set_item("iris.outbox.other", "{\"type\":\"typing\",\"on\":true}").unwrap();
    let mut loaded = load_outbox();
    loaded.sort_by_key(|message| message.client_id.clone());
    assert_eq!(loaded, [whole, bare]);
    for id in ["outbox-a", "outbox-b", "broken", "other"] {
        keep(&Kept::Forget(id.into()));
    }
    assert_eq!(load_outbox(), []);
}

#[wasm_bindgen_test]
fn a_full_storage_is_reported_and_survived() {
    let too_long = "x".repeat(11 << 20);
    assert!(save_draft(None, "short"));
    assert!(!save_draft(Some(&"c1".into()), &too_long));
    assert_eq!(load_draft(None), "short", "the others stay");
    assert!(save_draft(None, ""));
}

#[wasm_bindgen_test]
async fn a_draft_is_stored_when_the_page_goes_away() {
    let (draft, chat) = (ArcRwSignal::new(String::new()), ArcRwSignal::new(Some(ChatId::from("c1"))));
    let watched = (draft.clone(), chat.clone());
    mounted(move || use_stored_draft(watched.0, watched.1));
    draft.set("left here".to_owned());
    settle().await;
    web_sys::window().unwrap().dispatch_event(&web_sys::Event::new("pagehide").unwrap()).unwrap();
    assert_eq!(load_draft(Some(&"c1".into())), "left here");
    assert_eq!(load_draft(None), "");
    save_draft(Some(&"c1".into()), "");
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
