//! What an empty chat offers, and the same offers as a compact row once the chat is under way.

use iris_core::format::visible;
use iris_core::protocol::frame::Suggestion;
use leptos::prelude::*;

use super::composer::Pen;
use super::follow::Follow;
use super::icon::Mark;
use super::store;
use crate::fixed::fixed;
use crate::reactive::{dynamic, handler, memo};
use crate::store::Intent;

/// The empty chat: a welcome and the suggestions.
#[component]
pub fn Welcome() -> impl IntoView {
    let store = store();
    let (backend, suggestions) = (store.backend, store.suggestions);
    let demo = memo(move || backend.with(|backend| backend.as_ref().is_some_and(|b| b.kind == "demo")));
    view! {
        <div class={"welcome"}>
            <Mark />
            <h2 class={"welcome-title"}>
                {move || if demo.get() { "Watch Hermes work" } else { "What should Hermes do?" }}
            </h2>
            <p class={"welcome-lead"}>
                {move || {
                    if demo.get() {
                        "These are recorded turns of the real Hermes, played with their own timing. \
                         Anything else you write comes back as the answer."
                    } else {
                        "You see every step while it happens: the reasoning, the tools and the answer."
                    }
                }}
            </p>
            <ul {..fixed(&[("class", "welcome-list"), ("role", "list")])}>
                {dynamic(move || suggestions.get().into_iter().map(item).collect_view())}
            </ul>
        </div>
    }
}

/// The suggestions in one line that scrolls sideways.
#[component]
pub fn Examples() -> impl IntoView {
    let suggestions = store().suggestions;
    view! {
        <div {..fixed(&[("class", "examples"), ("role", "group"), ("aria-label", "Examples")])}>
            <span {..fixed(&[("class", "examples-title"), ("aria-hidden", "true")])}>{"Examples"}</span>
            {dynamic(move || suggestions.get().into_iter().map(|offered| offer(offered, "example")).collect_view())}
        </div>
    }
}

fn item(suggestion: Suggestion) -> AnyView {
    view! { <li class={"welcome-item"}>{offer(suggestion, "welcome-offer")}</li> }.into_any()
}

fn offer(suggestion: Suggestion, class: &'static str) -> AnyView {
    let store = store();
    let (follow, pen) = (use_context::<Follow>(), use_context::<Pen>());
    let Suggestion { label, text } = suggestion;
    let says_more = label != text;
    let title = visible(&text).into_owned();
    let send = move |_| {
        store.ask_for(Intent::Send { text: text.clone(), mode: None });
        if let Some(follow) = follow {
            follow.attach();
        }
        // The button goes; the focus must not go with it.
        if let Some(pen) = pen {
            pen.take_up();
        }
    };
    view! {
        <button {..fixed(&[("type", "button")])} class=class data-suggestion=label.clone() title=says_more.then(|| title.clone()) on:click=handler(send)>
            <span class={"offer-label"}>{visible(&label).into_owned()}</span>
            {says_more.then(|| view! { <span class={"offer-text"}>{title.clone()}</span> }.into_any())}
        </button>
    }
    .into_any()
}
