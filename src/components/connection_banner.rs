//! What is wrong with the connection, since when, and what is being done about it.

use iris_core::connection::{State, words};
use iris_core::format::visible;
use leptos::prelude::*;

use super::icon::{Glyph, Icon};
use super::store;
use crate::browser::Timeout;
use crate::fixed::fixed;
use crate::hooks::use_now;
use crate::reactive::{effect, handler, memo, optional};
use crate::store::Intent;

/// A blip that is shorter stays unmentioned.
const PATIENCE_MS: f64 = 1500.0;

/// The banner; nothing while all is well.
#[component]
pub fn ConnectionBanner() -> impl IntoView {
    let store = store();
    let connection = RwSignal::from(store.connection.clone());
    let online = memo(move || connection.with(|state| *state == State::Online));
    let refused = memo(move || connection.with(|state| matches!(state, State::Refused { .. })));
    let patient = RwSignal::new(true);
    let mut timer = None;
    effect(move || {
        // The old one is stopped before the new one starts.
        drop(timer.take());
        patient.set(true);
        timer = (!online.get()).then(|| Timeout::new(PATIENCE_MS, move || patient.set(false)));
    });
    let shown = memo(move || !online.get() && (refused.get() || !patient.get()));
    let now = use_now();
    let sentence = memo(move || connection.with(|state| visible(&words(state, now.get())).into_owned()));
    optional(move || {
        shown.get().then(|| {
            let store = store.clone();
            view! {
                <aside
                    {..fixed(&[("aria-label", "Connection")])}
                    class=move || if refused.get() { "banner refused" } else { "banner" }
                >
                    <Icon glyph=Glyph::Warning />
                    <p class={"banner-words"}>{move || sentence.get()}</p>
                    <button {..fixed(&[("type", "button"), ("class", "button"), ("data-action", "reconnect")])} on:click=handler(move |_| store.ask_for(Intent::Reconnect))>
                        {move || if refused.get() { "Try again" } else { "Try now" }}
                    </button>
                </aside>
            }
        })
    })
}
