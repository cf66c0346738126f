//! What stands around the timeline: the connection, what Hermes does, suggestions, settings.

#![cfg(target_arch = "wasm32")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod view;

use iris::store::Intent;
use iris_core::connection::State;
use iris_core::protocol::frame::{AskKind, Suggestion};
use iris_core::settings::{Theme, ToolDetail};
use iris_core::timeline::{Ask, ItemKind, Phase, ToolState};
use leptos::prelude::*;
use view::{Page, answer, pause, settle, tool};
use wasm_bindgen::JsCast;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::{Event, EventInit, HtmlDialogElement, HtmlInputElement};

wasm_bindgen_test_configure!(run_in_browser);

const OFFLINE: State = State::Offline { since_ms: 0.0, retry_at_ms: 9e12, attempt: 2 };

fn said(page: &Page) -> String {
    page.text("[role=status]").unwrap()
}

#[wasm_bindgen_test]
async fn a_short_interruption_is_told_by_the_dot_alone() {
    let page = Page::open();
    page.store.connection.set(OFFLINE);
    pause(300).await;
    assert!(page.all(".banner").is_empty());
    assert_eq!(page.one(".state").get_attribute("data-connection").as_deref(), Some("offline"));
    page.store.connection.set(State::Online);
    pause(1600).await;
    assert!(page.all(".banner").is_empty());
    assert_eq!(page.text(".state").as_deref(), Some("Live"));
}

#[wasm_bindgen_test]
async fn a_longer_one_says_what_is_the_matter_and_can_be_tried_now() {
    let page = Page::open();
    page.store.connection.set(OFFLINE);
    page.until("the banner", |page| !page.all(".banner").is_empty()).await;
    let words = page.text(".banner-words").unwrap();
    assert!(words.contains("Offline") && words.contains("next try in"), "{words}");
    // The machine goes on by itself; that it tries does not take the banner away.
    page.store.connection.set(State::Connecting { attempt: 3, since_ms: Some(0.0) });
    settle().await;
    page.click(".banner button").await;
    assert_eq!(page.intents(), [Intent::Reconnect]);
    page.store.connection.set(State::Online);
    settle().await;
    assert!(page.all(".banner").is_empty());
}

#[wasm_bindgen_test]
async fn a_refusal_is_told_at_once_in_the_adapters_words() {
    let page = Page::open();
    page.store.connection.set(State::Refused { reason: "This device is not paired".to_owned() });
    settle().await;
    assert_eq!(page.text(".banner-words").as_deref(), Some("This device is not paired"));
}

#[wasm_bindgen_test]
async fn the_line_by_the_composer_says_what_hermes_does() {
    let mut page = Page::open();
    let words = |page: &Page| page.text(".working-words");
    settle().await;
    assert_eq!(words(&page), None);
    page.store.running.set(true);
    settle().await;
    assert_eq!(words(&page).as_deref(), Some("Hermes is working"));
    let key = page.add(answer("", "Let me think.", Phase::Streaming));
    settle().await;
    assert_eq!(words(&page).as_deref(), Some("Hermes is reasoning"));
    page.set(key, answer("Well,", "Let me think.", Phase::Streaming));
    settle().await;
    assert_eq!(words(&page).as_deref(), Some("Hermes is answering"));
    page.set(key, answer("Well,", "Let me think.", Phase::Stopped));
    let tools = page.add(ItemKind::Tools(vec![tool(1, ToolState::Running)]));
    settle().await;
    assert_eq!(words(&page).as_deref(), Some("Running terminal"));
    page.set(tools, ItemKind::Tools(vec![tool(1, ToolState::Running), tool(2, ToolState::Running)]));
    settle().await;
    assert_eq!(words(&page).as_deref(), Some("Running 2 tools"));
    page.store.connection.set(OFFLINE);
    settle().await;
    assert_eq!(words(&page).as_deref(), Some("The connection was lost in mid-turn"));
    assert_eq!(page.all(".dots.still").len(), 1, "the dots move without a connection");
}

#[wasm_bindgen_test]
async fn a_screen_reader_hears_a_turn_in_sentences_and_never_the_growing_text() {
    let mut page = Page::open();
    page.store.running.set(true);
    settle().await;
    assert_eq!(said(&page), "Hermes is working");
    let key = page.add(answer("The answer.", "", Phase::Streaming));
    settle().await;
    assert_eq!(said(&page), "Hermes is answering");
    page.set(key, answer("The answer.", "", Phase::Stopped));
    page.store.running.set(false);
    settle().await;
    assert_eq!(said(&page), "The answer is complete");
    page.store.running.set(true);
    page.store.connection.set(OFFLINE);
    settle().await;
    assert_eq!(said(&page), "The connection is lost");
    page.store.connection.set(State::Online);
    page.store.running.set(false);
    settle().await;
    assert_eq!(said(&page), "The connection is back");
    assert!(page.all("[data-row] [role=status], [data-row] [data-text] [aria-live]").is_empty());
}

#[wasm_bindgen_test]
async fn a_question_is_told_as_waiting_for_the_user() {
    let mut page = Page::open();
    page.store.running.set(true);
    page.add(ItemKind::Ask(Ask {
        ask_id: "a".into(),
        kind: AskKind::Clarify,
        text: "Which?".to_owned(),
        command: None,
        choices: Vec::new(),
        outcome: None,
    }));
    settle().await;
    assert_eq!(said(&page), "Hermes waits for your answer");
}

#[wasm_bindgen_test]
async fn suggestions_fill_an_empty_chat_and_stay_within_reach_between_turns() {
    let mut page = Page::open();
    page.store
        .suggestions
        .set(vec![Suggestion { label: "Summarise".to_owned(), text: "Summarise it".to_owned() }]);
    settle().await;
    page.click(".welcome [data-suggestion=Summarise]").await;
    assert_eq!(page.intents(), [Intent::Send { text: "Summarise it".to_owned(), mode: None }]);
    page.add(answer("Done.", "", Phase::Settled));
    page.store.running.set(true);
    settle().await;
    assert!(page.all("[data-suggestion]").is_empty(), "a suggestion in mid-turn");
    page.store.running.set(false);
    settle().await;
    assert_eq!(page.all(".examples [data-suggestion=Summarise]").len(), 1);
}

fn sheet(page: &Page) -> HtmlDialogElement {
    page.one(".sheet").unchecked_into()
}

async fn opened() -> Page {
    let page = Page::open();
    settle().await;
    page.one("[data-action=settings]").focus().unwrap();
    page.click("[data-action=settings]").await;
    page.until("the sheet", |page| sheet(page).open()).await;
    page
}

#[wasm_bindgen_test]
async fn every_setting_acts_at_once() {
    let page = opened().await;
    page.click("[data-setting=theme] [value=dark]").await;
    page.click("[data-setting=tool-detail] [value=nothing]").await;
    let slider: HtmlInputElement = page.one("[data-setting=speed] input").unchecked_into();
    slider.set_value("0.2");
    let init = EventInit::new();
    init.set_bubbles(true);
    slider.dispatch_event(&Event::new_with_event_init_dict("input", &init).unwrap()).unwrap();
    settle().await;
    assert_eq!(page.text(".setting-value").as_deref(), Some("300 characters a second"));
    page.click("[data-setting=streaming] input").await;
    assert!(slider.disabled());
    let settings = page.store.settings.get_untracked();
    let seen = (settings.theme, settings.tool_detail, settings.speed, settings.streaming);
    assert_eq!(seen, (Theme::Dark, ToolDetail::Nothing, 0.2, false));
}

#[wasm_bindgen_test]
async fn the_sheet_closes_by_its_button_and_beside_it_and_gives_the_focus_back() {
    for closer in [".sheet-head button", ".sheet"] {
        let page = opened().await;
        page.click(closer).await;
        page.until("the end of the sheet", |page| !sheet(page).open()).await;
        let focused = web_sys::window().unwrap().document().unwrap().active_element().unwrap();
        assert_eq!(focused.get_attribute("data-action").as_deref(), Some("settings"), "{closer}");
    }
}
