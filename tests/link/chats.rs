//! The list of chats, and which of them is on screen.

use iris::store::Intent;
use leptos::prelude::{GetUntracked, Set, WithUntracked};
use serde_json::json;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::{Page, hash, said};

fn listed(page: &Page) -> Vec<String> {
    page.store.chats.with_untracked(|chats| chats.iter().map(|chat| chat.title.clone()).collect())
}

fn open(page: &Page, chat: &str) {
    page.ask_for(Intent::OpenChat(chat.into()));
}

#[wasm_bindgen_test]
fn the_list_is_what_the_adapter_says_it_is() {
    let page = Page::online(&["a", "b"]);
    assert_eq!(listed(&page), ["a", "b"]);
    page.hear(
        json!({"type": "chat.updated", "chat": "b", "title": "B", "updated_ms": 5_000, "running": true}),
    );
    page.hear(json!({"type": "chat.updated", "chat": "c", "title": "C", "updated_ms": 1}));
    assert_eq!(listed(&page), ["B", "a", "C"]);
    assert!(page.store.chats.with_untracked(|chats| chats[0].running));
    page.hear(json!({"type": "chat.removed", "chat": "c"}));
    assert_eq!(listed(&page), ["B", "a"]);
}

#[wasm_bindgen_test]
fn the_backend_may_come_and_go() {
    let page = Page::online(&["a"]);
    let backend = json!({"kind": "gateway", "label": "Hermes", "trouble": "It sleeps"});
    page.hear(json!({"type": "backend.updated", "backend": backend, "capabilities": ["steer"], "commands": [{"name": "new"}]}));
    assert_eq!(page.store.backend.get_untracked().unwrap().trouble.as_deref(), Some("It sleeps"));
    assert_eq!(page.store.capabilities.get_untracked(), ["steer"]);
    assert_eq!(page.store.commands.get_untracked()[0].name, "new");
}

#[wasm_bindgen_test]
async fn another_chat_comes_on_screen_and_back_leads_to_the_one_before() {
    let page = Page::online(&["a", "b"]);
    page.sync("a", &[(1, "In a")], None);
    open(&page, "b");
    let subscribe = page.one_sent("subscribe");
    assert_eq!(subscribe, json!({"type": "subscribe", "chat": "b", "limit": 300}));
    assert_eq!((hash().as_str(), page.store.chat.get_untracked()), ("#chat=b", Some("b".into())));
    assert!(page.shows().is_empty());
    page.sync("b", &[(1, "In b")], None);
    assert_eq!(page.shows(), ["In b"]);
    web_sys::window().unwrap().history().unwrap().back().unwrap();
    page.until("going back", |page| page.store.chat.get_untracked() == Some("a".into())).await;
    assert_eq!((hash().as_str(), page.one_sent("subscribe")["chat"].as_str()), ("#chat=a", Some("a")));
}

#[wasm_bindgen_test]
fn what_is_left_of_an_earlier_visit_is_not_shown() {
    let page = Page::online(&["a", "b"]);
    page.sync("a", &[(1, "One")], None);
    open(&page, "b");
    page.hear(said("a", 2, "Elsewhere"));
    open(&page, "a");
    page.hear(said("a", 2, "Elsewhere"));
    assert!(page.shows().is_empty());
    page.sync("a", &[(1, "One"), (2, "Elsewhere")], None);
    page.hear(said("a", 3, "Live"));
    assert_eq!(page.shows(), ["One", "Elsewhere", "Live"]);
}

#[wasm_bindgen_test]
fn each_chat_has_its_own_draft() {
    let page = Page::open("");
    page.store.draft.set("before anybody was there".to_owned());
    page.greet(&["a", "b"]);
    assert_eq!(page.store.draft.get_untracked(), "before anybody was there");
    page.store.draft.set("for a".to_owned());
    open(&page, "b");
    assert_eq!(page.store.draft.get_untracked(), "");
    page.store.draft.set("for b".to_owned());
    open(&page, "a");
    assert_eq!(page.store.draft.get_untracked(), "for a");
    open(&page, "b");
    page.close();
    let page = Page::again("#chat=a");
    assert_eq!(page.store.draft.get_untracked(), "for a", "before the adapter is there");
    page.store.draft.set("for a, edited".to_owned());
    page.greet(&["b", "a"]);
    assert_eq!(page.store.draft.get_untracked(), "for a, edited");
    open(&page, "b");
    assert_eq!(page.store.draft.get_untracked(), "for b");
}

#[wasm_bindgen_test]
fn a_chat_that_goes_leaves_the_screen_to_the_next() {
    let page = Page::online(&["a", "b"]);
    page.hear(json!({"type": "chat.removed", "chat": "a"}));
    assert_eq!(page.store.chat.get_untracked(), Some("b".into()));
    assert_eq!(page.one_sent("subscribe")["chat"], "b");
    page.hear(json!({"type": "chat.removed", "chat": "b"}));
    let client_id = page.one_sent("chat.create")["client_id"].clone();
    page.hear(json!({"type": "ack", "chat": "c", "client_id": client_id, "message_id": "c"}));
    assert_eq!(page.store.chat.get_untracked(), Some("c".into()));
}

#[wasm_bindgen_test]
fn what_the_reader_wants_of_the_list_is_said() {
    let page = Page::online(&["a"]);
    page.ask_for(Intent::RenameChat("a".into(), "A new name".to_owned()));
    page.ask_for(Intent::DeleteChat("a".into()));
    let expected = [
        json!({"type": "chat.rename", "chat": "a", "title": "A new name"}),
        json!({"type": "chat.delete", "chat": "a"}),
    ];
    assert_eq!(page.sent(), expected);
}
