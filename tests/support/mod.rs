//! What the store's tests share: a store, a host in the page, a way to wait for effects.

#![allow(dead_code, reason = "each test file uses its own part")]

use iris::store::{Row, Store};
use iris_core::settings::Settings;
use leptos::prelude::GetUntracked;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

/// A store that drops what components ask for.
pub(crate) fn store() -> Store {
    Store::new(Settings::default(), |_| {})
}

/// An empty element in the page.
pub(crate) fn host() -> HtmlElement {
    let document = web_sys::window().unwrap().document().unwrap();
    let host = document.create_element("main").unwrap();
    document.body().unwrap().append_child(&host).unwrap();
    host.unchecked_into()
}

/// Lets every effect run that waits.
pub(crate) async fn settle() {
    let turn = js_sys::Promise::new(&mut |done, _| {
        web_sys::window().unwrap().set_timeout_with_callback(&done).unwrap();
    });
    wasm_bindgen_futures::JsFuture::from(turn).await.unwrap();
}

/// The rows on screen.
pub(crate) fn rows(store: &Store) -> Vec<Row> {
    store.rows.get_untracked()
}

/// The elements that match.
pub(crate) fn all(host: &HtmlElement, selector: &str) -> Vec<Element> {
    let found = host.query_selector_all(selector).unwrap();
    (0..found.length()).map(|at| found.get(at).unwrap().unchecked_into()).collect()
}
