//! Older history, and the way to what a search found.

use iris::store::{Body, Intent, Older};
use iris_core::protocol::frame::SearchHit;
use leptos::prelude::{GetUntracked, WithUntracked};
use serde_json::json;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::{Page, said};

fn answer(page: &Page, chat: &str, before_seq: Option<u64>, texts: &[(u64, &str)]) {
    let frames: Vec<_> = texts.iter().map(|(seq, text)| said(chat, *seq, text)).collect();
    page.hear(json!({"type": "history.page", "chat": chat, "before_seq": before_seq, "frames": frames}));
}

fn hit(chat: &str, seq: u64) -> Intent {
    let (before, matched, after) = (String::new(), "x".to_owned(), String::new());
    Intent::OpenHit(SearchHit { chat: chat.into(), seq, before, matched, after })
}

/// The text of the row that was pointed out.
fn target(page: &Page) -> Option<String> {
    let key = page.store.target.get_untracked()?;
    page.store.rows.with_untracked(|rows| match &rows.iter().find(|row| row.key == key)?.body {
        Body::User(user) => Some(user.text.get_untracked()),
        _ => None,
    })
}

#[wasm_bindgen_test]
fn a_page_comes_before_what_is_there() {
    let page = Page::online(&["a"]);
    page.sync("a", &[(9, "nine")], Some(9));
    assert_eq!(page.store.older.get_untracked(), Older::More);
    page.sent();
    page.ask_for(Intent::OlderHistory);
    page.ask_for(Intent::OlderHistory);
    let asked = page.one_sent("history");
    assert_eq!(asked, json!({"type": "history", "chat": "a", "before_seq": 9, "limit": 300}));
    assert_eq!(page.store.older.get_untracked(), Older::Loading);
    page.hear(said("a", 10, "live meanwhile"));
    answer(&page, "a", Some(5), &[(5, "five"), (7, "seven")]);
    assert_eq!(
        (page.shows().join(" "), page.store.older.get_untracked()),
        ("five seven nine live meanwhile".to_owned(), Older::More)
    );
    page.ask_for(Intent::OlderHistory);
    answer(&page, "a", None, &[(2, "two")]);
    assert_eq!((page.shows().len(), page.store.older.get_untracked()), (5, Older::None));
}

#[wasm_bindgen_test]
fn a_page_that_cannot_be_had_can_be_asked_for_again() {
    let page = Page::online(&["a"]);
    page.sync("a", &[(9, "nine")], Some(9));
    page.ask_for(Intent::OlderHistory);
    page.hear(json!({"type": "error", "chat": "a", "code": "busy", "text": "Later", "re": "history"}));
    assert_eq!(page.store.older.get_untracked(), Older::More);
    page.sent();
    page.ask_for(Intent::OlderHistory);
    page.one_sent("history");
}

#[wasm_bindgen_test]
fn a_page_of_an_earlier_visit_leaves_no_hole() {
    let page = Page::online(&["a", "b"]);
    page.sync("a", &[(9, "nine")], Some(9));
    page.ask_for(Intent::OlderHistory);
    page.ask_for(Intent::OpenChat("b".into()));
    page.ask_for(Intent::OpenChat("a".into()));
    page.sync("a", &[(12, "twelve")], Some(12));
    answer(&page, "a", None, &[(5, "five")]);
    assert_eq!((page.shows(), page.store.older.get_untracked()), (vec!["twelve".to_owned()], Older::More));
}

#[wasm_bindgen_test]
fn a_hit_in_another_chat_is_loaded_and_pointed_out() {
    let page = Page::online(&["a", "b"]);
    page.sync("a", &[(1, "one")], None);
    page.ask_for(hit("b", 3));
    assert_eq!(page.store.chat.get_untracked(), Some("b".into()));
    page.sync("b", &[(30, "thirty")], Some(20));
    assert_eq!(page.one_sent("history")["before_seq"], 20);
    answer(&page, "b", Some(10), &[(10, "ten")]);
    assert_eq!((page.one_sent("history")["before_seq"].as_u64(), target(&page)), (Some(10), None));
    answer(&page, "b", Some(2), &[(2, "two"), (3, "three"), (4, "four")]);
    assert_eq!(target(&page).as_deref(), Some("three"));
    assert!(page.sent().is_empty());
}

#[wasm_bindgen_test]
fn a_hit_that_is_there_is_pointed_out_at_once() {
    let page = Page::online(&["a"]);
    page.sync("a", &[(1, "one"), (2, "two")], None);
    page.ask_for(hit("a", 2));
    assert_eq!(target(&page).as_deref(), Some("two"));
}

#[wasm_bindgen_test]
fn a_hit_that_is_not_there_any_more_is_said_so() {
    let page = Page::online(&["a"]);
    page.sync("a", &[(9, "nine")], Some(9));
    page.ask_for(hit("a", 40));
    assert!(page.shows().last().unwrap().contains("not in this chat any more"), "{:?}", page.shows());
    page.ask_for(hit("a", 4));
    answer(&page, "a", None, &[]);
    // What came next is the best that there is.
    assert_eq!(target(&page).as_deref(), Some("nine"));
}

#[wasm_bindgen_test]
fn the_way_to_a_hit_goes_on_after_a_reconnect() {
    let page = Page::online(&["a"]);
    page.sync("a", &[(9, "nine")], Some(9));
    crate::closes(1006, "");
    page.ask_for(hit("a", 4));
    assert_eq!(page.store.older.get_untracked(), Older::More);
    page.ask_for(Intent::Reconnect);
    page.greet(&["a"]);
    page.sync("a", &[(9, "nine")], Some(9));
    assert_eq!(page.one_sent("history")["before_seq"], 9);
    crate::closes(1006, "");
    assert_eq!(page.store.older.get_untracked(), Older::More, "nothing is on its way any more");
    page.ask_for(Intent::Reconnect);
    page.greet(&["a"]);
    page.sync("a", &[(9, "nine")], Some(9));
    answer(&page, "a", None, &[(4, "four")]);
    assert_eq!(target(&page).as_deref(), Some("four"));
}

#[wasm_bindgen_test]
fn who_goes_elsewhere_is_not_led_to_the_hit_later() {
    let page = Page::online(&["a", "b"]);
    page.ask_for(hit("b", 2));
    page.ask_for(Intent::OpenChat("a".into()));
    page.ask_for(Intent::OpenChat("b".into()));
    page.sync("b", &[(2, "two")], None);
    assert_eq!(target(&page), None);
}
