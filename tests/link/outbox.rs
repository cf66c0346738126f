//! Messages that the adapter has not acknowledged: none is lost, none is sent twice.

use iris::storage::load_outbox;
use iris::store::{Body, Intent};
use iris_core::ids::ClientId;
use iris_core::protocol::frame::SendMode;
use leptos::prelude::GetUntracked;
use serde_json::json;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::{Page, stored_elsewhere};

fn client_id(page: &Page) -> ClientId {
    let rows = page.store.rows.get_untracked();
    let id = rows.iter().rev().find_map(|row| match &row.body {
        Body::User(user) => user.client_id.get_untracked(),
        _ => None,
    });
    id.unwrap()
}

#[wasm_bindgen_test]
fn a_message_survives_a_reload_and_is_sent_once_with_its_id() {
    let page = Page::online(&["a", "b"]);
    page.ask_for(Intent::OpenChat("b".into()));
    crate::closes(1006, "");
    page.ask_for(Intent::Send { text: "Hello".to_owned(), mode: Some(SendMode::Steer) });
    let id = client_id(&page);
    page.close();
    let page = Page::again("#chat=b");
    assert_eq!(page.shows(), ["Hello …"], "before the adapter is there");
    page.greet(&["a", "b"]);
    let expected = json!({"type": "message.send", "client_id": id.as_str(), "chat": "b", "text": "Hello", "mode": "steer"});
    assert_eq!(page.one_sent("message.send"), expected);
    page.sync("b", &[(1, "Before")], None);
    assert_eq!(page.shows(), ["Before", "Hello …"]);
    page.hear(json!({"type": "ack", "chat": "b", "seq": 2, "client_id": id.as_str(), "message_id": "u2"}));
    page.hear(json!({"type": "user.message", "chat": "b", "seq": 2, "message_id": "u2", "client_id": id.as_str(), "text": "Hello"}));
    assert_eq!((page.shows().join(", "), load_outbox()), ("Before, Hello".to_owned(), vec![]));
    page.close();
    let page = Page::again("#chat=b");
    page.greet(&["a", "b"]);
    assert!(page.shows().is_empty() && page.sent().iter().all(|frame| frame["type"] != "message.send"));
}

#[wasm_bindgen_test]
fn a_message_waits_in_its_own_chat() {
    let page = Page::online(&["a", "b"]);
    page.write("In a");
    page.ask_for(Intent::OpenChat("b".into()));
    assert!(page.shows().is_empty());
    page.write("In b");
    page.ask_for(Intent::OpenChat("a".into()));
    assert_eq!(page.shows(), ["In a …"]);
    page.sync("a", &[], None);
    assert_eq!(page.shows(), ["In a …"]);
}

#[wasm_bindgen_test]
fn a_message_written_before_any_chat_is_known_goes_to_the_first() {
    let page = Page::open("");
    page.write("Hello");
    page.greet(&[]);
    let create = page.one_sent("chat.create")["client_id"].clone();
    page.hear(json!({"type": "ack", "chat": "new", "client_id": create, "message_id": "new"}));
    assert_eq!(page.one_sent("message.send")["chat"], "new");
    assert_eq!(page.shows(), ["Hello …"]);
}

#[wasm_bindgen_test]
fn a_failed_message_is_kept_with_its_reason_until_it_is_tried_again() {
    let page = Page::online(&["a"]);
    page.write("Hello");
    let id = client_id(&page);
    page.hear(json!({"type": "error", "chat": "a", "code": "no", "text": "Not now", "re": id.as_str()}));
    assert_eq!(page.shows(), ["Hello ✗ Not now"]);
    page.close();
    let page = Page::again("#chat=a");
    page.greet(&["a"]);
    assert_eq!(page.shows(), ["Hello ✗ Not now"]);
    assert!(page.sent().iter().all(|frame| frame["type"] != "message.send"));
    page.ask_for(Intent::Retry(id.clone()));
    assert_eq!(page.one_sent("message.send")["client_id"], id.as_str());
    assert_eq!(page.shows(), ["Hello …"]);
    page.ask_for(Intent::Discard(id));
    assert_eq!((page.store.draft.get_untracked().as_str(), load_outbox()), ("Hello", vec![]));
}

#[wasm_bindgen_test]
fn what_another_tab_has_settled_is_settled_here() {
    let page = Page::online(&["a"]);
    page.sync("a", &[], None);
    page.write("Hello");
    let id = client_id(&page);
    stored_elsewhere(&format!("iris.outbox.{id}"), None);
    stored_elsewhere("iris.outbox.nobody's", None);
    assert!(page.shows().is_empty());
    page.hear(json!({"type": "user.message", "chat": "a", "seq": 1, "message_id": "u1", "client_id": id.as_str(), "text": "Hello"}));
    assert_eq!(page.shows(), ["Hello"]);
}

#[wasm_bindgen_test]
fn a_message_whose_chat_is_gone_can_be_sent_in_another() {
    let page = Page::online(&["a"]);
    page.write("Hello");
    let id = client_id(&page);
    crate::closes(1006, "");
    page.ask_for(Intent::Reconnect);
    page.greet(&["b"]);
    assert_eq!(page.shows(), ["Hello ✗ The chat that this was written in is gone"]);
    page.sent();
    page.ask_for(Intent::Retry(id));
    assert_eq!(page.one_sent("message.send")["chat"], "b");
}

#[wasm_bindgen_test]
fn a_deleted_chat_takes_its_unsent_messages_along() {
    let page = Page::online(&["a", "b"]);
    page.write("Hello");
    page.hear(json!({"type": "chat.removed", "chat": "a"}));
    assert!(page.shows().is_empty() && load_outbox().is_empty());
}
