//! What the browser thinks of the network: `false` is certain, `true` only means that there is one.

use leptos::prelude::{ArcRwSignal, ReadSignal, RwSignal, Set, StoredValue};

use crate::browser::Listener;

/// Follows `navigator.onLine`.
pub fn use_online() -> ReadSignal<bool> {
    let online = ArcRwSignal::new(web_sys::window().is_none_or(|window| window.navigator().on_line()));
    for (kind, value) in [("online", true), ("offline", false)] {
        let signal = online.clone();
        StoredValue::new_local(Listener::on_window(kind, move |_| signal.set(value)));
    }
    RwSignal::from(online).read_only()
}
