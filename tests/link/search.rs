//! Searching: one question when the keys rest, and the newest answer wins.

use iris::store::{Intent, Search};
use leptos::prelude::GetUntracked;
use serde_json::{Value, json};
use wasm_bindgen_test::wasm_bindgen_test;

use crate::{Page, take_sent};

fn look_for(page: &Page, query: &str) {
    page.ask_for(Intent::Search(query.to_owned()));
}

/// Waits for the next question.
async fn question(page: &Page) -> Value {
    let asked = std::cell::RefCell::new(Vec::new());
    page.until("a question", |_| {
        asked.borrow_mut().extend(take_sent());
        !asked.borrow().is_empty()
    })
    .await;
    let asked = asked.into_inner();
    assert_eq!(asked.len(), 1, "{asked:?}");
    serde_json::from_str(&asked[0]).unwrap()
}

fn found(page: &Page, question: &Value, matched: &str) {
    let hits = [json!({"chat": "a", "seq": 1, "matched": matched})];
    page.hear(json!({"type": "search.result", "client_id": question["client_id"], "hits": hits}));
}

fn result(page: &Page) -> Option<(String, Option<Vec<String>>)> {
    let Search { query, hits } = page.store.search.get_untracked()?;
    Some((query, hits.map(|hits| hits.into_iter().map(|hit| hit.matched).collect())))
}

#[wasm_bindgen_test]
async fn one_question_is_asked_when_the_keys_rest_and_the_newest_answer_wins() {
    let page = Page::online(&["a"]);
    for query in ["r", "re", "rep "] {
        look_for(&page, query);
    }
    assert_eq!(result(&page), Some(("rep".to_owned(), None)));
    let first = question(&page).await;
    assert_eq!((first["type"].as_str(), first["query"].as_str()), (Some("search"), Some("rep")));
    look_for(&page, "repo");
    found(&page, &first, "rep");
    assert_eq!(result(&page), Some(("repo".to_owned(), None)));
    let second = question(&page).await;
    found(&page, &second, "repo");
    found(&page, &first, "rep");
    assert_eq!(result(&page), Some(("repo".to_owned(), Some(vec!["repo".to_owned()]))));
    look_for(&page, " ");
    assert_eq!(result(&page), None);
}

#[wasm_bindgen_test]
async fn a_search_goes_on_after_a_reconnect_and_ends_when_it_is_refused() {
    let page = Page::online(&["a"]);
    look_for(&page, "repo");
    question(&page).await;
    crate::closes(1006, "");
    page.ask_for(Intent::Reconnect);
    page.greet(&["a"]);
    let again = page.one_sent("search");
    page.hear(json!({"type": "error", "code": "bad_query", "text": "No", "re": again["client_id"]}));
    assert_eq!(result(&page), Some(("repo".to_owned(), Some(Vec::new()))));
}
