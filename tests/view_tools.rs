//! Tool cards: how they stand, how much they show, and that the setting acts on cards that are there already.

#![cfg(target_arch = "wasm32")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod view;

use iris_core::settings::ToolDetail;
use iris_core::timeline::{ItemKind, ToolState};
use leptos::prelude::*;
use view::{Page, expanded, settle, tool};
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

const WORKED: ToolState = ToolState::Done { ok: Some(true), duration: Some(0.4) };
const FAILED: ToolState = ToolState::Done { ok: Some(false), duration: Some(0.1) };

async fn choose(page: &Page, detail: ToolDetail) {
    page.store.settings.update(|settings| settings.tool_detail = detail);
    settle().await;
}

#[wasm_bindgen_test]
async fn a_truncated_card_is_one_line_and_builds_the_rest_when_it_is_opened() {
    let mut page = Page::open();
    page.add(ItemKind::Tools(vec![tool(1, WORKED)]));
    settle().await;
    let line = page.text(".tool-head").unwrap();
    assert!(line.contains("terminal: \"cat file1.txt\""), "{line}");
    assert!(line.contains("0.4"), "{line}");
    assert!(page.all(".tool-body").is_empty());
    page.click(".tool-head").await;
    let body = page.text(".tool-body").unwrap();
    assert!(body.contains("cat file1.txt --all") && body.contains("output number 1"), "{body}");
    page.click(".tool-head").await;
    assert!(page.all(".tool-body").is_empty());
}

#[wasm_bindgen_test]
async fn the_setting_acts_at_once_on_cards_that_are_there() {
    let mut page = Page::open();
    page.add(ItemKind::Tools(vec![tool(1, WORKED), tool(2, FAILED)]));
    settle().await;
    assert_eq!((page.all(".tool").len(), page.all(".tool-body").len()), (2, 0));
    choose(&page, ToolDetail::Everything).await;
    assert_eq!((page.all(".tool").len(), page.all(".tool-body").len()), (2, 2));
    choose(&page, ToolDetail::Nothing).await;
    assert!(page.all(".tool").is_empty());
    choose(&page, ToolDetail::Truncated).await;
    assert_eq!((page.all(".tool").len(), page.all(".tool-body").len()), (2, 0));
}

#[wasm_bindgen_test]
async fn a_card_closed_by_hand_stays_closed_until_the_setting_changes() {
    let mut page = Page::open();
    page.add(ItemKind::Tools(vec![tool(1, WORKED)]));
    choose(&page, ToolDetail::Everything).await;
    page.click(".tool-head").await;
    assert!(!expanded(&page.one(".tool-head")));
    choose(&page, ToolDetail::Truncated).await;
    assert!(!expanded(&page.one(".tool-head")));
}

#[wasm_bindgen_test]
async fn without_cards_a_line_says_that_tools_work_and_only_while_they_do() {
    let mut page = Page::open();
    let key = page.add(ItemKind::Tools(vec![tool(1, ToolState::Running), tool(2, ToolState::Running)]));
    choose(&page, ToolDetail::Nothing).await;
    assert_eq!(page.text(".quiet-tools").as_deref(), Some("Working · 2 tools"));
    page.set(key, ItemKind::Tools(vec![tool(1, WORKED), tool(2, ToolState::Running)]));
    settle().await;
    assert_eq!(page.text(".quiet-tools").as_deref(), Some("Working · 1 tool"));
    page.set(key, ItemKind::Tools(vec![tool(1, WORKED), tool(2, ToolState::NoResult)]));
    settle().await;
    assert_eq!(page.text(".quiet-tools"), None);
}

#[wasm_bindgen_test]
async fn each_state_has_a_word_and_a_sign() {
    let unknown = ToolState::Done { ok: None, duration: None };
    let cases = [
        (ToolState::Running, "running", "Running", false),
        (WORKED, "ok", "Done", true),
        (FAILED, "failed", "Failed", true),
        (unknown, "unknown", "Ended", true),
        (ToolState::NoResult, "no-result", "No result", true),
    ];
    for (state, name, word, icon) in cases {
        let mut page = Page::open();
        page.add(ItemKind::Tools(vec![tool(1, state)]));
        settle().await;
        assert_eq!(page.one(".tool").get_attribute("data-state").as_deref(), Some(name));
        assert!(page.text(".tool-mark").unwrap().contains(word), "{word}");
        assert_eq!(page.all(".tool-mark svg").len(), usize::from(icon), "{word}");
    }
}

#[wasm_bindgen_test]
async fn a_tool_that_its_turn_left_open_is_closed_as_no_result() {
    let mut page = Page::open();
    let key = page.add(ItemKind::Tools(vec![tool(1, ToolState::Running)]));
    settle().await;
    let card = page.one(".tool");
    page.set(key, ItemKind::Tools(vec![tool(1, ToolState::NoResult)]));
    settle().await;
    assert!(page.one(".tool").is_same_node(Some(&card)), "the card was drawn again");
    assert_eq!(page.text(".tool-took").as_deref(), Some("No result"));
    assert!(page.all("[data-state=running]").is_empty());
}

#[wasm_bindgen_test]
async fn a_very_long_argument_is_drawn_in_parts() {
    let mut page = Page::open();
    let mut long = tool(1, WORKED);
    long.args = serde_json::json!({ "content": "x".repeat(100_000) }).as_object().cloned().unwrap();
    page.add(ItemKind::Tools(vec![long]));
    choose(&page, ToolDetail::Everything).await;
    let drawn = || page.text(".tool-body .long-text").unwrap().len();
    assert!(drawn() < 5_000, "{}", drawn());
    while !page.all(".more").is_empty() {
        page.click(".more").await;
    }
    assert_eq!(drawn(), 100_000);
}
