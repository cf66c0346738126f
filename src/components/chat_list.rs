//! The list of chats: a new one, the search, and every chat with the newest on top.

use iris_core::ids::ChatId;
use leptos::prelude::*;

use super::chat_entry::{ChatEntry, Edit};
use super::chats::Chats;
use super::composer::Pen;
use super::icon::{Glyph, Icon, Mark};
use super::later::{Later, later};
use super::search::SearchField;
use super::store;
use crate::browser::Interval;
use crate::fixed::fixed;
use crate::reactive::{Entry, dynamic, handler, list, memo, optional};
use crate::store::Intent;

/// How often "5 min ago" is looked at again.
const REFRESH_MS: f64 = 60_000.0;

/// The list.
#[component]
pub fn ChatList(
    /// Whether it shows; told when the reader has chosen.
    chats: Chats,
) -> impl IntoView {
    let store = store();
    let capabilities = store.capabilities.clone();
    let can_search = memo(move || capabilities.with(|all| all.iter().any(|one| one == "search")));
    let words = RwSignal::new(
        store.search.with_untracked(|search| search.as_ref().map(|s| s.query.clone()).unwrap_or_default()),
    );
    let searching = memo(move || can_search.get() && words.with(|words| !words.trim().is_empty()));
    let pen = use_context::<Pen>();
    let new_chat = move |_| {
        store.ask_for(Intent::NewChat);
        chats.chosen();
        if let Some(pen) = pen {
            pen.take_up();
        }
    };
    view! {
        <div {..fixed(&[("class", "chats"), ("data-chats", "")])}>
            <header class={"chats-head"}>
                <Mark />
                <span class={"chats-name"}>{"Iris"}</span>
                <button
                    {..fixed(&[
                        ("type", "button"), ("class", "icon-button chats-close"), ("aria-label", "Close"),
                        ("title", "Close"),
                    ])}
                    on:click=handler(move |_| chats.chosen())
                >
                    <Icon glyph=Glyph::Cross />
                </button>
            </header>
            <button {..fixed(&[("type", "button"), ("class", "button chats-new"), ("data-action", "new-chat")])} on:click=handler(new_chat)>
                <Icon glyph=Glyph::Compose />
                {"New chat"}
            </button>
            {optional(move || can_search.get().then(|| view! { <SearchField words chats /> }))}
            {dynamic(move || {
                later(if searching.get() { Later::Hits(words, chats) } else { Later::All(chats) })
            })}
        </div>
    }
}

/// Every chat.
#[component]
pub fn All(
    /// Told when the reader has chosen.
    chats: Chats,
) -> impl IntoView {
    let all = store().chats;
    let now = RwSignal::new(js_sys::Date::now());
    StoredValue::new_local(Interval::new(REFRESH_MS, move || now.set(js_sys::Date::now())));
    let edit = RwSignal::new(None::<(ChatId, Edit)>);
    let none = {
        let all = all.clone();
        memo(move || all.with(Vec::is_empty))
    };
    let entries = move || {
        // A summary that changes brings a new "now" with it.
        now.set(js_sys::Date::now());
        all.with(|all| all.iter().map(|chat| entry(chat.id.clone(), edit, now, chats)).collect())
    };
    view! {
        <ul {..fixed(&[("class", "chat-list"), ("role", "list"), ("aria-label", "Chats")])}>
            {list(entries)}
        </ul>
        {optional(move || none.get().then(|| view! { <p class={"chats-none"}>{"No chats yet"}</p> }))}
    }
}

fn entry(id: ChatId, edit: RwSignal<Option<(ChatId, Edit)>>, now: RwSignal<f64>, chats: Chats) -> Entry {
    Entry::new(key(&id), move || view! { <ChatEntry id edit now chats /> })
}

/// A number for an id (FNV-1a): what the list tells its entries apart by.
fn key(id: &ChatId) -> u64 {
    id.as_str()
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325, |key, byte| (key ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
