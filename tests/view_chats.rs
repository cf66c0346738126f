//! The list of chats: what it says of each, what can be done with one, and the search.

#![cfg(target_arch = "wasm32")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod view;

use iris::store::{Intent, Search};
use iris_core::connection::State;
use iris_core::ids::ChatId;
use iris_core::protocol::frame::{ChatSummary, SearchHit};
use leptos::prelude::*;
use view::{Page, expanded, focused, input, key, settle};
use wasm_bindgen::JsCast;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::HtmlInputElement;

wasm_bindgen_test_configure!(run_in_browser);

fn chat(id: &str, title: &str, age_ms: f64, running: bool) -> ChatSummary {
    let updated_ms = (js_sys::Date::now() - age_ms) as u64;
    ChatSummary { id: id.into(), title: title.to_owned(), updated_ms, running }
}

/// A page with two chats, `a` on screen, and its list in sight.
async fn page_with_chats() -> Page {
    let page = Page::open();
    page.store.chats.set(vec![
        chat("a", "The build", 0.0, true),
        chat("b", "Tea \u{202e}and toast", 3.0 * 3_600_000.0, false),
    ]);
    page.store.chat.set(Some("a".into()));
    page.store.capabilities.set(vec!["search".to_owned()]);
    settle().await;
    show_list(&page).await;
    page
}

/// The window of a test may be wide or narrow.
async fn show_list(page: &Page) {
    if !expanded(&page.one("[data-action=chats]")) {
        page.click("[data-action=chats]").await;
    }
    page.until("the list", |page| !page.all("[data-chats] .chat-list").is_empty()).await;
}

#[wasm_bindgen_test]
async fn each_chat_says_its_title_its_age_and_whether_it_runs() {
    let page = page_with_chats().await;
    let chats = page.all("[data-chat]");
    let attribute = |at: usize, name: &str| chats.get(at).unwrap().get_attribute(name);
    assert_eq!(
        (attribute(0, "data-chat").as_deref(), attribute(1, "data-chat").as_deref()),
        (Some("a"), Some("b"))
    );
    assert_eq!((attribute(0, "aria-current").as_deref(), attribute(1, "aria-current")), (Some("true"), None));
    assert_eq!((attribute(0, "data-running").as_deref(), attribute(1, "data-running")), (Some(""), None));
    assert_eq!(page.text("[data-chat=a]").as_deref(), Some("The buildHermes is working"));
    assert_eq!(page.text("[data-chat=b]").as_deref(), Some("Tea [U+202E]and toast3 h ago"));
    assert_eq!(page.text(".top-title").as_deref(), Some("The build"), "the bar says which chat it is");
    page.store.connection.set(State::Offline { since_ms: 0.0, retry_at_ms: 0.0, attempt: 1 });
    settle().await;
    assert!(page.all("[data-running]").is_empty(), "without a connection nobody knows what runs");
}

#[wasm_bindgen_test]
async fn a_chat_that_changes_keeps_its_place_in_the_page() {
    let page = page_with_chats().await;
    let before = page.one("[data-chat=b]");
    page.store.chats.set(vec![chat("b", "Tea", 0.0, true), chat("a", "The build", 0.0, false)]);
    settle().await;
    assert_eq!(page.text("[data-chat]").as_deref(), Some("TeaHermes is working"), "the newest comes first");
    assert!(page.one("[data-chat=b]").is_same_node(Some(&before)));
}

#[wasm_bindgen_test]
async fn a_press_opens_a_chat_and_begins_another() {
    let page = page_with_chats().await;
    page.click("[data-chat=b]").await;
    show_list(&page).await;
    page.click("[data-chats] [data-action=new-chat]").await;
    assert_eq!(page.intents(), [Intent::OpenChat("b".into()), Intent::NewChat]);
}

async fn offer(page: &Page) {
    page.click("[data-chat=b] + [data-action=chat-menu]").await;
}

#[wasm_bindgen_test]
async fn a_chat_is_renamed_in_place() {
    let page = page_with_chats().await;
    offer(&page).await;
    page.click("[data-action=rename-chat]").await;
    let field: HtmlInputElement = page.one(".chat-input").unchecked_into();
    assert!(focused().is_same_node(Some(&field)), "one writes at once");
    assert_eq!(field.value(), "Tea [U+202E]and toast");
    let selected = (field.selection_start().unwrap(), field.selection_end().unwrap());
    assert_eq!(selected, (Some(0), Some(21)), "what is typed takes the title's place");
    field.set_value("  Tea only ");
    // A turn that begins meanwhile leaves what is written alone.
    page.store.chats.update(|all| all.iter_mut().for_each(|chat| chat.running = true));
    settle().await;
    assert_eq!(page.one(".chat-input").unchecked_into::<HtmlInputElement>().value(), "  Tea only ");
    page.click(".chat-form [type=submit]").await;
    assert_eq!(page.intents(), [Intent::RenameChat("b".into(), "Tea only".to_owned())]);
    assert!(page.all(".chat-input").is_empty());
}

#[wasm_bindgen_test]
async fn a_title_that_is_left_as_it_was_asks_for_nothing() {
    let page = page_with_chats().await;
    for value in [None, Some("   ")] {
        offer(&page).await;
        page.click("[data-action=rename-chat]").await;
        if let Some(value) = value {
            page.one(".chat-input").unchecked_into::<HtmlInputElement>().set_value(value);
        }
        page.click(".chat-form [type=submit]").await;
    }
    assert!(page.intents().is_empty());
}

#[wasm_bindgen_test]
async fn a_chat_is_deleted_only_by_those_who_say_so_twice() {
    let page = page_with_chats().await;
    offer(&page).await;
    page.click("[data-action=delete-chat]").await;
    assert_eq!(
        page.text(".chat-ask").as_deref(),
        Some("Delete “Tea [U+202E]and toast”? This cannot be undone.")
    );
    assert_eq!(focused().text_content().as_deref(), Some("Keep it"), "Enter alone deletes nothing");
    key(&focused(), "Escape").await;
    assert!(page.intents().is_empty() && page.all(".chat-ask").is_empty());
    offer(&page).await;
    page.click("[data-action=delete-chat]").await;
    page.click("[data-action=confirm-delete]").await;
    assert_eq!(page.intents(), [Intent::DeleteChat("b".into())]);
}

fn hit() -> SearchHit {
    let words = |text: &str| text.to_owned();
    SearchHit {
        chat: ChatId::from("b"),
        seq: 4,
        before: words("with "),
        matched: words("toast"),
        after: words(" and <b>jam"),
    }
}

async fn look_for(page: &Page, words: &str) -> HtmlInputElement {
    let field: HtmlInputElement = page.one("[data-search]").unchecked_into();
    field.set_value(words);
    input(&field).await;
    field
}

#[wasm_bindgen_test]
async fn a_search_shows_what_it_found_and_enter_opens_the_first() {
    let page = page_with_chats().await;
    let field = look_for(&page, " toast ").await;
    assert_eq!(page.text(".chats-none").as_deref(), Some("Searching…"));
    page.until("the question", |page| page.intents() == [Intent::Search("toast".to_owned())]).await;
    page.store.search.set(Some(Search { query: "toast".to_owned(), hits: Some(vec![hit()]) }));
    settle().await;
    assert_eq!(page.text("[data-hit]").as_deref(), Some("Tea [U+202E]and toastwith toast and <b>jam"));
    assert_eq!(page.text("[data-hit] mark").as_deref(), Some("toast"));
    key(&field, "Enter").await;
    assert_eq!(page.intents().last(), Some(&Intent::OpenHit(hit())));
    show_list(&page).await;
    page.click("[data-hit]").await;
    assert_eq!(page.intents().last(), Some(&Intent::OpenHit(hit())));
}

#[wasm_bindgen_test]
async fn a_search_says_that_there_is_nothing_and_escape_ends_it() {
    let page = page_with_chats().await;
    let field = look_for(&page, "coffee").await;
    page.store.search.set(Some(Search { query: "coffee".to_owned(), hits: Some(Vec::new()) }));
    settle().await;
    assert_eq!(page.text(".chats-none").as_deref(), Some("Nothing found for “coffee”"));
    look_for(&page, "coffees").await;
    assert_eq!(page.text(".chats-none").as_deref(), Some("Searching…"), "an old answer for new words");
    key(&field, "Escape").await;
    assert_eq!(page.all("[data-chat]").len(), 2);
    page.until("the end of the search", |page| page.intents().last() == Some(&Intent::Search(String::new())))
        .await;
}

#[wasm_bindgen_test]
async fn where_nobody_can_search_there_is_no_field() {
    let page = page_with_chats().await;
    page.store.capabilities.set(Vec::new());
    settle().await;
    assert!(page.all("[data-search]").is_empty());
}
