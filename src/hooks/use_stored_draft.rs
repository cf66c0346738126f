//! Keeps the composer's text on the device while it is written.

use iris_core::ids::ChatId;
use leptos::prelude::{ArcRwSignal, Get, GetUntracked, StoredValue};

use crate::browser::{Listener, Timeout};
use crate::reactive::effect;
use crate::storage::save_draft;

/// How long the keys must rest: writing to storage blocks the page, and a draft may be long.
const REST_MS: f64 = 300.0;

/// Stores the draft of the chat on screen as it changes; at once when the page goes away.
/// Which text stands there when another chat comes is the link's business.
pub fn use_stored_draft(draft: ArcRwSignal<String>, chat: ArcRwSignal<Option<ChatId>>) {
    for kind in ["pagehide", "visibilitychange"] {
        let (draft, chat) = (draft.clone(), chat.clone());
        let save = move |_| {
            save_draft(chat.get_untracked().as_ref(), &draft.get_untracked());
        };
        // `visibilitychange` bubbles to the window.
        StoredValue::new_local(Listener::on_window(kind, save));
    }
    let mut pending: Option<Timeout> = None;
    effect(move || {
        let first = pending.take().is_none();
        let (text, chat) = (draft.get(), chat.get_untracked());
        // What has been sent must not come back as a draft, whenever the page dies. At first it may not be loaded yet.
        let rest_ms = if text.is_empty() && !first { 0.0 } else { REST_MS };
        let save = move || {
            save_draft(chat.as_ref(), &text);
        };
        pending = Some(Timeout::new(rest_ms, save));
    });
}
