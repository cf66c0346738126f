//! What a reader asks for while nobody answers: the host of these tests has no `/ws`.

#![cfg(target_arch = "wasm32")]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]

mod support;

use std::rc::Rc;

use iris::store::{Body, Intent, Store, UserRow};
use iris::transport::Link;
use iris_core::connection::State;
use iris_core::ids::ClientId;
use iris_core::settings::Settings;
use iris_core::timeline::item::Pending;
use leptos::prelude::*;
use support::{rows, settle};
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

fn page() -> (Rc<Link>, Store) {
    let link = Link::start(Settings::default());
    let store = link.store();
    (link, store)
}

fn send(store: &Store, text: &str) {
    store.ask_for(Intent::Send { text: text.to_owned(), mode: None });
}

fn messages(store: &Store) -> Vec<UserRow> {
    let user = |row: iris::store::Row| match row.body {
        Body::User(user) => Some(user),
        _ => None,
    };
    rows(store).into_iter().filter_map(user).collect()
}

fn texts(store: &Store) -> Vec<String> {
    messages(store).iter().map(|message| message.text.get_untracked()).collect()
}

fn client_id(store: &Store, at: usize) -> ClientId {
    messages(store)[at].client_id.get_untracked().unwrap()
}

#[wasm_bindgen_test]
fn a_message_is_shown_at_once_and_not_said_to_be_sent() {
    let (_link, store) = page();
    send(&store, "  hello\nworld ");
    assert_eq!(texts(&store), ["hello\nworld"]);
    assert_eq!(messages(&store)[0].pending.get_untracked(), Some(Pending::Sending));
}

#[wasm_bindgen_test]
fn nothing_and_the_same_again_in_a_moment_are_no_messages() {
    let (_link, store) = page();
    for text in ["", " \n ", "yes", "yes", " yes ", "no", "yes"] {
        send(&store, text);
    }
    assert_eq!(texts(&store), ["yes", "no", "yes"]);
}

#[wasm_bindgen_test]
fn a_message_that_is_too_long_fails_with_the_reason() {
    let (_link, store) = page();
    send(&store, &"\"".repeat(40_000));
    let pending = messages(&store)[0].pending.get_untracked();
    assert!(matches!(&pending, Some(Pending::Failed(why)) if why.contains("64 kB")), "{pending:?}");
}

#[wasm_bindgen_test]
fn a_discarded_message_goes_back_into_the_composer_above_what_stands_there() {
    let (_link, store) = page();
    send(&store, "first");
    send(&store, "second");
    store.ask_for(Intent::Discard(client_id(&store, 1)));
    assert_eq!((texts(&store), store.draft.get_untracked()), (vec!["first".to_owned()], "second".to_owned()));
    let first = client_id(&store, 0);
    store.ask_for(Intent::Discard(first.clone()));
    store.ask_for(Intent::Discard(first));
    assert_eq!((texts(&store), store.draft.get_untracked()), (Vec::new(), "first\n\nsecond".to_owned()));
}

#[wasm_bindgen_test]
fn a_message_that_is_tried_again_is_one_message_with_one_id() {
    let (_link, store) = page();
    send(&store, "hello");
    let id = client_id(&store, 0);
    store.ask_for(Intent::Retry(id.clone()));
    store.ask_for(Intent::Retry(ClientId::from("nobody's")));
    assert_eq!((texts(&store), client_id(&store, 0)), (vec!["hello".to_owned()], id));
}

#[wasm_bindgen_test]
async fn a_page_without_an_adapter_says_so_and_a_dropped_link_is_silent() {
    let (link, store) = page();
    assert!(matches!(store.connection.get_untracked(), State::Connecting { attempt: 1, since_ms: None }));
    for _ in 0..500 {
        settle().await;
        if matches!(store.connection.get_untracked(), State::Offline { .. }) {
            break;
        }
    }
    assert!(matches!(store.connection.get_untracked(), State::Offline { .. }));
    for intent in [Intent::Stop, Intent::NewChat, Intent::Reconnect] {
        store.ask_for(intent);
    }
    assert!(matches!(store.connection.get_untracked(), State::Connecting { .. }));
    drop(link);
    send(&store, "into the void");
    assert!(texts(&store).is_empty());
}
