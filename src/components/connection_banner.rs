//! What is wrong with the connection, since when, and what is being done about it.

use std::time::Duration;

use iris_core::connection::{State, words};
use iris_core::format::visible;
use leptos::prelude::*;

use super::icon::{Glyph, Icon};
use super::store;
use crate::hooks::use_now;
use crate::store::Intent;

/// A blip that is shorter stays unmentioned.
const PATIENCE: Duration = Duration::from_millis(1500);

/// The banner; nothing while all is well.
#[component]
pub fn ConnectionBanner() -> impl IntoView {
    let store = store();
    let connection = RwSignal::from(store.connection.clone());
    let online = Memo::new(move |_| connection.with(|state| *state == State::Online));
    let refused = Memo::new(move |_| connection.with(|state| matches!(state, State::Refused { .. })));
    let patient = RwSignal::new(true);
    Effect::new(move |timer: Option<Option<TimeoutHandle>>| {
        if let Some(timer) = timer.flatten() {
            timer.clear();
        }
        patient.set(true);
        (!online.get()).then(|| set_timeout_with_handle(move || patient.set(false), PATIENCE).ok()).flatten()
    });
    let shown = Memo::new(move |_| !online.get() && (refused.get() || !patient.get()));
    let now = use_now();
    let sentence =
        Signal::derive(move || connection.with(|state| visible(&words(state, now.get())).into_owned()));
    move || {
        shown.get().then(|| {
            let store = store.clone();
            view! {
                <aside
                    class=move || if refused.get() { "banner refused" } else { "banner" }
                    aria-label={"Connection"}
                >
                    <Icon glyph=Glyph::Warning />
                    <p class={"banner-words"}>{sentence}</p>
                    <button type={"button"} class={"button"} data-action={"reconnect"} on:click=move |_| store.ask_for(Intent::Reconnect)>
                        {move || if refused.get() { "Try again" } else { "Try now" }}
                    </button>
                </aside>
            }
        })
    }
}
