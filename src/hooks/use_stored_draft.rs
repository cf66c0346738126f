//! Keeps the composer's text on the device while it is written.

use leptos::prelude::{ArcRwSignal, Get, GetUntracked, Set, StoredValue};

use crate::browser::{Listener, Timeout};
use crate::reactive::effect;
use crate::storage::{load_draft, save_draft};

/// How long the keys must rest: writing to storage blocks the page, and a draft may be long.
const REST_MS: f64 = 300.0;

/// Fills the draft with what was left here, and stores it as it changes; at once when the page goes away.
pub fn use_stored_draft(draft: ArcRwSignal<String>) {
    draft.set(load_draft());
    for kind in ["pagehide", "visibilitychange"] {
        let draft = draft.clone();
        let save = move |_| {
            save_draft(&draft.get_untracked());
        };
        // `visibilitychange` bubbles to the window.
        StoredValue::new_local(Listener::on_window(kind, save));
    }
    let mut pending = None;
    effect(move || {
        drop(pending.take());
        let text = draft.get();
        let save = move || {
            save_draft(&text);
        };
        pending = Some(Timeout::new(REST_MS, save));
    });
}
