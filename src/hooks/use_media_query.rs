//! Whether a media query holds, as a signal.

use leptos::prelude::{ArcRwSignal, ReadSignal, RwSignal, Set, StoredValue};

use crate::browser::Listener;

/// Follows this media query; a query that the browser does not understand never holds.
pub fn use_media_query(query: &str) -> ReadSignal<bool> {
    let list = web_sys::window().and_then(|window| window.match_media(query).ok().flatten());
    let holds = ArcRwSignal::new(list.as_ref().is_some_and(web_sys::MediaQueryList::matches));
    if let Some(list) = list {
        let (target, signal) = (list.clone(), holds.clone());
        StoredValue::new_local(Listener::new(&target, "change", move |_| signal.set(list.matches())));
    }
    RwSignal::from(holds).read_only()
}
