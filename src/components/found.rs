//! The place that a search found: it is brought into view, and pointed out for a moment.

use std::time::Duration;

use iris_core::timeline::ItemKey;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use super::follow::Follow;
use crate::reactive::effect;
use crate::store::Store;

/// How long it is pointed out.
const SHOWN: Duration = Duration::from_millis(2400);

/// A row's key, as an attribute of its element: `data-key`.
#[derive(Clone, Copy)]
pub(super) struct RowKey(pub(super) ItemKey);

/// The value of `data-key` for the row that is being drawn.
pub(super) fn row_key() -> Option<String> {
    use_context::<RowKey>().map(|RowKey(key)| key.0.to_string())
}

/// Follows the store's target.
pub(super) fn point_out_target(store: &Store, follow: Follow) {
    let target = store.target.clone();
    effect(move || {
        let Some(key) = target.get() else { return };
        let target = target.clone();
        // The row may be drawn in this same batch.
        let show = move || {
            if let Some(row) = row(follow, key) {
                point_out(follow, row);
            }
            target.set(None);
        };
        set_timeout(show, Duration::ZERO);
    });
}

fn row(follow: Follow, key: ItemKey) -> Option<HtmlElement> {
    let content = follow.content.get_untracked::<HtmlElement>()?;
    content.query_selector(&format!("[data-key=\"{}\"]", key.0)).ok().flatten()?.dyn_into().ok()
}

fn point_out(follow: Follow, row: HtmlElement) {
    // Who listens goes on reading from here. What fails here is only the hint.
    let _ = row.set_attribute("tabindex", "-1");
    let _ = row.focus();
    follow.show(&row);
    let _ = row.class_list().add_1("found");
    let end = move || {
        let _ = row.class_list().remove_1("found");
    };
    set_timeout(end, SHOWN);
}
