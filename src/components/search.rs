//! The search through every chat: its field, and what it found.

use iris_core::format::visible;
use iris_core::protocol::frame::SearchHit;
use leptos::ev::KeyboardEvent;
use leptos::prelude::*;

use super::chat_entry::title;
use super::chats::Chats;
use super::icon::{Glyph, Icon};
use super::store;
use crate::browser::Timeout;
use crate::fixed::fixed;
use crate::reactive::{dynamic, effect, handler};
use crate::store::Intent;

/// How long the keys must rest before the adapter is asked.
const REST_MS: f64 = 200.0;

/// The field.
#[component]
pub fn SearchField(
    /// What is looked for.
    words: RwSignal<String>,
    /// Told when the reader has chosen.
    chats: Chats,
) -> impl IntoView {
    let (asks, opens) = (store(), store());
    let mut asked = asks.search.with_untracked(|s| s.as_ref().map(|s| s.query.clone()).unwrap_or_default());
    let mut pending = None;
    effect(move || {
        drop(pending.take());
        let query = words.with(|words| words.trim().to_owned());
        if query != asked {
            asked.clone_from(&query);
            let store = asks.clone();
            let ask = move || store.ask_for(Intent::Search(query.clone()));
            pending = Some(Timeout::new(REST_MS, ask));
        }
    });
    let pressed = move |event: KeyboardEvent| match event.key().as_str() {
        "Escape" if words.with_untracked(|words| !words.is_empty()) => {
            // The drawer stays.
            event.prevent_default();
            event.stop_propagation();
            words.set(String::new());
        }
        "Enter" if !event.is_composing() => {
            let found = opens.search.with_untracked(|s| s.as_ref()?.hits.as_ref()?.first().cloned());
            if let Some(hit) = found {
                opens.ask_for(Intent::OpenHit(hit));
                chats.chosen();
            }
        }
        _ => {}
    };
    view! {
        <label class={"search"}>
            <Icon glyph=Glyph::Search />
            <span class={"aloud"}>{"Search all chats"}</span>
            <input
                {..fixed(&[
                    ("class", "search-field"), ("data-search", ""), ("type", "search"), ("placeholder", "Search"),
                    ("autocomplete", "off"), ("enterkeyhint", "search"),
                ])}
                prop:value=move || words.get()
                on:input=handler(move |event| words.set(event_target_value(&event)))
                on:keydown=handler(pressed)
            />
        </label>
    }
}

/// What was found.
#[component]
pub fn Hits(
    /// What is looked for.
    words: RwSignal<String>,
    /// Told when the reader has chosen.
    chats: Chats,
) -> impl IntoView {
    let search = store().search;
    let say = |words: String| {
        view! { <p {..fixed(&[("class", "chats-none"), ("role", "status")])}>{words}</p> }.into_any()
    };
    dynamic(move || {
        let typed = words.with(|words| words.trim().to_owned());
        // What was found for other words is not shown for these.
        let hits = search.with(|s| s.as_ref().filter(|s| s.query == typed).and_then(|s| s.hits.clone()));
        match hits {
            None => say("Searching…".to_owned()),
            Some(hits) if hits.is_empty() => say(format!("Nothing found for “{}”", visible(&typed))),
            Some(hits) => view! {
                <ul {..fixed(&[("class", "chat-list"), ("role", "list"), ("aria-label", "Found")])}>
                    {hits.into_iter().map(|hit| found(hit, chats)).collect_view()}
                </ul>
            }
            .into_any(),
        }
    })
}

fn found(hit: SearchHit, chats: Chats) -> AnyView {
    let store = store();
    let title = title(&store, &hit.chat);
    let (before, matched, after) = (shown(&hit.before), shown(&hit.matched), shown(&hit.after));
    let open = move |_| {
        store.ask_for(Intent::OpenHit(hit.clone()));
        chats.chosen();
    };
    view! {
        <li class={"chat"}>
            <button {..fixed(&[("type", "button"), ("class", "hit"), ("data-hit", "")])} on:click=handler(open)>
                <span class={"chat-title"}>{title}</span>
                <span class={"hit-text"}>
                    {before}
                    <mark>{matched}</mark>
                    {after}
                </span>
            </button>
        </li>
    }
    .into_any()
}

fn shown(text: &str) -> String {
    visible(text).into_owned()
}
