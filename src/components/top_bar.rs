//! The bar on top: what this chat is about, how the connection stands, settings and a new chat.

use iris_core::connection::State;
use iris_core::format;
use leptos::prelude::*;

use super::chat_entry::given_title;
use super::chats::Chats;
use super::composer::Pen;
use super::icon::{Glyph, Icon};
use super::store;
use crate::fixed::fixed;
use crate::reactive::{handler, memo, optional};
use crate::store::{Body, Intent, Row, Store};

/// The bar.
#[component]
pub fn TopBar(
    /// Whether the list of chats shows.
    chats: Chats,
    /// Opens the settings.
    settings_open: RwSignal<bool>,
) -> impl IntoView {
    let store = store();
    let title = memo({
        let store = store.clone();
        move || title(&store).unwrap_or_else(|| "Iris".to_owned())
    });
    let connection = RwSignal::from(store.connection.clone());
    let state = move || connection.with(short);
    let empty = {
        let rows = store.rows.clone();
        memo(move || rows.with(Vec::is_empty))
    };
    let pen = use_context::<Pen>();
    let new_chat = move |_| {
        store.ask_for(Intent::NewChat);
        if let Some(pen) = pen {
            pen.take_up();
        }
    };
    let list = move || if chats.shown() { "Hide the chats" } else { "Show the chats" };
    view! {
        <header class={"top"}>
            <button
                {..fixed(&[("type", "button"), ("class", "icon-button"), ("data-action", "chats"), ("aria-label", "Chats")])}
                title=move || list()
                aria-expanded=move || chats.shown().to_string()
                on:click=handler(move |_| chats.toggle())
            >
                <Icon glyph=Glyph::Menu />
            </button>
            <h1 class={"top-title"}>{move || title.get()}</h1>
            <span class=move || state().class data-connection=move || state().name>
                {move || state().words}
            </span>
            // The list beside the text has one of its own.
            {optional(move || (!chats.beside()).then(|| {
                let new_chat = new_chat.clone();
                view! {
                    <button
                        {..fixed(&[
                            ("type", "button"), ("class", "icon-button"), ("data-action", "new-chat"),
                            ("title", "New chat"), ("aria-label", "New chat"),
                        ])}
                        prop:disabled=move || empty.get()
                        on:click=handler(new_chat)
                    >
                        <Icon glyph=Glyph::Compose />
                    </button>
                }
            }))}
            <button
                {..fixed(&[
                    ("type", "button"), ("class", "icon-button"), ("data-action", "settings"), ("title", "Settings"),
                    ("aria-label", "Settings"), ("aria-haspopup", "dialog"),
                ])}
                on:click=handler(move |_| settings_open.set(true))
            >
                <Icon glyph=Glyph::Sliders />
            </button>
        </header>
    }
}

/// The chat's title, or else the beginning of the user's first words.
fn title(store: &Store) -> Option<String> {
    let named = store.chat.with(|chat| chat.as_ref().and_then(|id| given_title(store, id)));
    named.or_else(|| store.rows.with(|rows| first_words(rows)))
}

fn first_words(rows: &[Row]) -> Option<String> {
    let text = rows.iter().find_map(|row| match &row.body {
        Body::User(row) => Some(row.text.get()),
        _ => None,
    })?;
    Some(format::one_line(&text, 90)).filter(|title| !title.is_empty())
}

struct Short {
    words: &'static str,
    class: &'static str,
    name: &'static str,
}

/// The state in a word.
fn short(state: &State) -> Short {
    match state {
        State::Online => Short { words: "Live", class: "state live", name: "online" },
        State::Connecting { .. } => {
            Short { words: "Connecting", class: "state connecting", name: "connecting" }
        }
        State::Offline { .. } => Short { words: "Offline", class: "state offline", name: "offline" },
        State::Refused { .. } => Short { words: "Refused", class: "state offline", name: "refused" },
    }
}
