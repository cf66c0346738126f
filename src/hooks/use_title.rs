//! The title of the tab says in one word what the reader would come back for.

use iris_core::connection::State;
use leptos::prelude::{Get, With};

use crate::reactive::{effect, memo};
use crate::store::{Body, Store};

/// Keeps `document.title` true.
pub fn use_title(store: Store) {
    let title = memo(move || {
        if store.rows.with(|rows| rows.iter().any(|row| waits(&row.body))) {
            "Question · Iris"
        } else if store
            .connection
            .with(|state| !matches!(state, State::Online | State::Connecting { since_ms: None, .. }))
        {
            "Offline · Iris"
        } else if store.running.get() {
            "Working… · Iris"
        } else {
            "Iris"
        }
    });
    effect(move || {
        if let Some(document) = web_sys::window().and_then(|window| window.document()) {
            document.set_title(title.get());
        }
    });
}

fn waits(body: &Body) -> bool {
    matches!(body, Body::Ask(ask) if ask.outcome.with(Option::is_none))
}
