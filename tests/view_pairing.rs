//! The page of a device that is not paired, and the banner of a backend that is not there.

#![cfg(target_arch = "wasm32")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod view;

use iris::hooks::named;
use iris::store::{Intent, Pairing};
use iris_core::connection::State;
use iris_core::protocol::frame::BackendInfo;
use leptos::prelude::*;
use view::{Page, input, settle};
use wasm_bindgen::JsCast;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::HtmlInputElement;

wasm_bindgen_test_configure!(run_in_browser);

const GO: &str = "[data-action=pair]";

async fn asked(code: Option<&str>) -> Page {
    let page = Page::open();
    page.store.pairing.set(Pairing::Ask { code: code.map(str::to_owned), why: "not paired".to_owned() });
    settle().await;
    page
}

async fn write(page: &Page, name: &str, text: &str) {
    let field: HtmlInputElement = page.one(&format!("[data-pairing] [name={name}]")).unchecked_into();
    field.set_value(text);
    input(&field).await;
}

fn goes(page: &Page) -> bool {
    page.all(&format!("{GO}:disabled")).is_empty()
}

#[wasm_bindgen_test]
async fn without_a_code_the_page_asks_for_one_and_says_where_it_comes_from() {
    let page = asked(None).await;
    assert!(page.all("textarea").is_empty(), "nothing of the chat is there");
    assert!(page.text(".field-hint").unwrap().contains("iris-adapter pair"));
    assert!(!goes(&page));
    write(&page, "code", " http://127.0.0.1:8787/#pair=abc ").await;
    write(&page, "device", " Kitchen tablet ").await;
    page.click(GO).await;
    let (code, name) = ("http://127.0.0.1:8787/#pair=abc".to_owned(), "Kitchen tablet".to_owned());
    assert_eq!(page.intents(), [Intent::Pair { code, name }]);
}

#[wasm_bindgen_test]
async fn a_code_that_came_with_the_link_needs_one_press() {
    let page = asked(Some("abc")).await;
    assert!(page.all("[name=code]").is_empty());
    let device: HtmlInputElement = page.one("[name=device]").unchecked_into();
    assert!(device.value().contains(" on "), "{}", device.value());
    page.click(GO).await;
    assert_eq!(page.intents(), [Intent::Pair { code: "abc".to_owned(), name: device.value() }]);
    page.store.pairing.set(Pairing::Working);
    settle().await;
    assert_eq!(page.text(GO).as_deref(), Some("Connecting…"));
    page.click(GO).await;
    assert_eq!(page.intents().len(), 1, "asked twice");
}

#[wasm_bindgen_test]
async fn what_did_not_work_is_told_and_another_code_can_be_given() {
    let page = asked(Some("old")).await;
    page.store.pairing.set(Pairing::Failed("The code has been used".to_owned()));
    settle().await;
    assert_eq!(page.text("[data-pairing] [role=alert]").as_deref(), Some("The code has been used"));
    assert!(page.text(".field-hint").unwrap().contains("iris-adapter pair"), "and what to do");
    write(&page, "code", "new").await;
    page.click(GO).await;
    assert!(matches!(page.intents().as_slice(), [Intent::Pair { code, .. }] if code == "new"));
    page.store.pairing.set(Pairing::None);
    settle().await;
    assert_eq!(
        (page.all("[data-pairing]").len(), page.all("textarea").len()),
        (0, 1),
        "the chat takes its place"
    );
}

#[wasm_bindgen_test]
fn a_device_is_called_what_a_person_would_call_it() {
    let check = |agent: &str, name: &str| assert_eq!(named(agent), name, "{agent}");
    check(
        "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
        "Chrome on Linux",
    );
    check(
        "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36",
        "Chrome on Android",
    );
    check(
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1",
        "Safari on iPhone",
    );
    check(
        "Mozilla/5.0 (iPad; CPU OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/120.0 Mobile/15E148 Safari/604.1",
        "Chrome on iPad",
    );
    check(
        "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15",
        "Safari on Mac",
    );
    check(
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0",
        "Firefox on Windows",
    );
    check(
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0",
        "Edge on Windows",
    );
    check("curl/8.0", "Browser");
}

#[wasm_bindgen_test]
async fn trouble_behind_the_adapter_is_told_with_what_to_do() {
    let page = Page::open();
    let trouble =
        |text: Option<&str>| Some(BackendInfo { trouble: text.map(str::to_owned), ..BackendInfo::default() });
    page.store.backend.set(trouble(Some("Hermes is not running. Start it with `hermes gateway run`")));
    settle().await;
    assert_eq!(
        page.text("[data-trouble]").as_deref(),
        Some("Hermes is not running. Start it with hermes gateway run")
    );
    assert_eq!(page.text("[data-trouble] code").as_deref(), Some("hermes gateway run"));
    page.store.connection.set(State::Offline { since_ms: 0.0, retry_at_ms: 9e12, attempt: 2 });
    settle().await;
    assert!(page.all("[data-trouble]").is_empty(), "nobody knows without a connection");
    page.store.connection.set(State::Online);
    page.store.backend.set(trouble(None));
    settle().await;
    assert!(page.all("[data-trouble]").is_empty());
}
