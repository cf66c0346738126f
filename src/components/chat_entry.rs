//! One chat of the list: opens it, says how it stands, and changes or deletes it in place.

use iris_core::connection::State;
use iris_core::format::{self, visible};
use iris_core::ids::ChatId;
use iris_core::protocol::frame::ChatSummary;
use leptos::ev::KeyboardEvent;
use leptos::prelude::*;
use web_sys::{HtmlElement, HtmlInputElement};

use super::chats::Chats;
use super::icon::{Glyph, Icon};
use super::later::{Later, later};
use super::{export_address, store};
use crate::fixed::fixed;
use crate::held::Held;
use crate::reactive::{dynamic, effect, handler, memo, optional};
use crate::store::{Intent, Store};

/// The longest title in the list, characters; the style shortens it further.
const MAX_TITLE: usize = 200;

/// What is being done to a chat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edit {
    /// Its actions are offered.
    Offer,
    /// It gets another title.
    Rename,
    /// Whether it is really to go.
    Delete,
}

/// The one chat that something is being done to.
pub type Editing = RwSignal<Option<(ChatId, Edit)>>;

/// The title that a chat was given, for people; none if it has none yet.
pub(crate) fn given_title(store: &Store, id: &ChatId) -> Option<String> {
    let title = |chat: &ChatSummary| format::one_line(&chat.title, MAX_TITLE);
    let title = store.chats.with(|all| all.iter().find(|chat| chat.id == *id).map(title));
    title.filter(|title| !title.is_empty())
}

/// A chat's title in a list.
pub(crate) fn title(store: &Store, id: &ChatId) -> String {
    given_title(store, id).unwrap_or_else(|| "New chat".to_owned())
}

/// The chat.
#[component]
pub fn ChatEntry(
    /// Which.
    id: ChatId,
    /// What is being done to which chat.
    edit: RwSignal<Option<(ChatId, Edit)>>,
    /// The time, milliseconds since 1970.
    now: RwSignal<f64>,
    /// Told when the reader has chosen it.
    chats: Chats,
) -> impl IntoView {
    let at = id.clone();
    let doing =
        memo(move || edit.with(|edit| edit.as_ref().filter(|(id, _)| *id == at).map(|(_, edit)| *edit)));
    let (all, at) = (store().chats, id.clone());
    let summary = memo(move || all.with(|all| all.iter().find(|chat| chat.id == at).cloned()));
    let (all, at) = (store(), id.clone());
    let title = memo(move || title(&all, &at));
    let change = memo(move || doing.get().filter(|edit| *edit != Edit::Offer));
    let escape = move |event: KeyboardEvent| {
        if event.key() == "Escape" && doing.get_untracked().is_some() {
            // The drawer stays.
            event.prevent_default();
            event.stop_propagation();
            edit.set(None);
        }
    };
    view! {
        <li class={"chat"} class:busy=move || doing.get().is_some() on:keydown=handler(escape)>
            {dynamic(move || {
                let id = id.clone();
                match change.get() {
                    // What the reader is at does not change under the hand.
                    Some(Edit::Rename) => later(Later::Rename(id, title.get_untracked(), edit)),
                    Some(Edit::Delete) => later(Later::Delete(id, title.get_untracked(), edit)),
                    _ => view! { <Open id title summary doing edit now chats /> }.into_any(),
                }
            })}
        </li>
    }
}

#[component]
fn Open(
    id: ChatId,
    title: Memo<String>,
    summary: Memo<Option<ChatSummary>>,
    doing: Memo<Option<Edit>>,
    edit: Editing,
    now: RwSignal<f64>,
    chats: Chats,
) -> impl IntoView {
    let store = store();
    let (shown, at) = (store.chat.clone(), id.clone());
    let current = memo(move || shown.with(|shown| shown.as_ref() == Some(&at)));
    // Without a connection nobody knows what runs.
    let connection = store.connection.clone();
    let online = memo(move || connection.with(|state| *state == State::Online));
    let replay = store.replay;
    let at_work = if replay { "Playing" } else { "Hermes is working" };
    let running = memo(move || online.get() && summary.with(|s| s.as_ref().is_some_and(|s| s.running)));
    let when = move || {
        summary.with(|s| s.as_ref().map(|s| format::ago((now.get() as u64).saturating_sub(s.updated_ms))))
    };
    let offered = move || doing.get() == Some(Edit::Offer);
    let (at, offer) = (id.clone(), id.clone());
    let open = move |_| {
        store.ask_for(Intent::OpenChat(at.clone()));
        edit.set(None);
        chats.chosen();
    };
    view! {
        <div class={"chat-line"} class:on=move || current.get()>
            <button
                {..fixed(&[("type", "button"), ("class", "chat-open")])}
                data-chat=id.as_str().to_owned()
                data-running=move || running.get().then_some("")
                aria-current=move || current.get().then_some("true")
                on:click=handler(open)
            >
                <span class={"chat-title"}>{move || title.get()}</span>
                <span class={"chat-when"}>
                    {move || if running.get() { Some(at_work.to_owned()) } else { when() }}
                </span>
            </button>
            <button
                {..fixed(&[
                    ("type", "button"), ("class", "icon-button small chat-more"), ("data-action", "chat-menu"),
                    ("title", "Actions"),
                ])}
                aria-label=move || format!("Actions for “{}”", title.get())
                aria-expanded=move || offered().to_string()
                on:click=handler(move |_| edit.set((!offered()).then(|| (offer.clone(), Edit::Offer))))
            >
                <Icon glyph=Glyph::Dots />
            </button>
        </div>
        {optional(move || offered().then(|| later(Later::Actions(id.clone(), edit))))}
    }
}

/// What can be done to a chat.
#[component]
pub fn Actions(
    /// The chat.
    id: ChatId,
    /// What is being done.
    edit: Editing,
) -> impl IntoView {
    let (rename, delete) = (id.clone(), id.clone());
    // A recorded run is a file already.
    let export = (!store().replay).then(|| {
        let href = export_address(&id, None);
        view! { <a {..fixed(&[("class", "button"), ("data-action", "export-chat")])} href=href>{"Export…"}</a> }.into_any()
    });
    view! {
        <div class={"chat-actions"}>
            <button {..fixed(&[("type", "button"), ("class", "button"), ("data-action", "rename-chat")])}
                on:click=handler(move |_| edit.set(Some((rename.clone(), Edit::Rename))))>
                {"Rename"}
            </button>
            {export}
            <button {..fixed(&[("type", "button"), ("class", "button"), ("data-action", "delete-chat")])}
                on:click=handler(move |_| edit.set(Some((delete.clone(), Edit::Delete))))>
                {"Delete…"}
            </button>
        </div>
    }
}

/// A new title for a chat.
#[component]
pub fn Rename(
    /// The chat.
    id: ChatId,
    /// The title that it has.
    title: String,
    /// What is being done.
    edit: Editing,
) -> impl IntoView {
    let store = store();
    let field = Held::new();
    let before = title.clone();
    effect(move || {
        if let Some(field) = field.get::<HtmlInputElement>() {
            field.set_value(&title);
            // A field that cannot take the focus leaves it where it is.
            let _ = field.focus();
            field.select();
        }
    });
    let submit = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        let title = field
            .get_untracked::<HtmlInputElement>()
            .map(|field| field.value().trim().to_owned())
            .unwrap_or_default();
        if !title.is_empty() && title != before {
            store.ask_for(Intent::RenameChat(id.clone(), title));
        }
        edit.set(None);
    };
    view! {
        <form class={"chat-form"} on:submit=handler(submit)>
            <input
                {..fixed(&[
                    ("class", "chat-input"), ("type", "text"), ("name", "title"), ("aria-label", "Title"),
                    ("autocomplete", "off"), ("enterkeyhint", "done"), ("maxlength", "200"),
                ])}
                node_ref=field
            />
            <div class={"chat-actions"}>
                <button {..fixed(&[("type", "submit"), ("class", "button primary")])}>{"Save"}</button>
                <button {..fixed(&[("type", "button"), ("class", "button")])} on:click=handler(move |_| edit.set(None))>{"Cancel"}</button>
            </div>
        </form>
    }
}

/// Whether a chat is to go.
#[component]
pub fn Delete(
    /// The chat.
    id: ChatId,
    /// Its title.
    title: String,
    /// What is being done.
    edit: Editing,
) -> impl IntoView {
    let store = store();
    let keep = Held::new();
    effect(move || {
        if let Some(keep) = keep.get::<HtmlElement>() {
            let _ = keep.focus();
        }
    });
    let delete = move |_| {
        edit.set(None);
        store.ask_for(Intent::DeleteChat(id.clone()));
    };
    view! {
        <div {..fixed(&[("class", "chat-form"), ("role", "group"), ("aria-label", "Delete this chat")])}>
            <p {..fixed(&[("class", "chat-ask"), ("role", "alert")])}>{format!("Delete “{}”? This cannot be undone.", visible(&title))}</p>
            <div class={"chat-actions"}>
                <button {..fixed(&[("type", "button"), ("class", "button danger"), ("data-action", "confirm-delete")])} on:click=handler(delete)>
                    {"Delete"}
                </button>
                <button {..fixed(&[("type", "button"), ("class", "button")])} node_ref=keep on:click=handler(move |_| edit.set(None))>{"Keep it"}</button>
            </div>
        </div>
    }
}
