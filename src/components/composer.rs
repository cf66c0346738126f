//! Where the user writes. The draft lives in the store, so that a reload keeps it.

use iris_core::connection::State;
use leptos::ev;
use leptos::prelude::*;
use web_sys::{HtmlElement, HtmlTextAreaElement};

use super::attachments::{AttachButton, Uploads, pasted, takes_files};
use super::busy_mode::BusyModes;
use super::follow::Follow;
use super::icon::{Glyph, Icon};
use super::slash::{LIST_ID, Slash, SlashList};
use super::store;
use crate::fixed::fixed;
use crate::held::Held;
use crate::hooks::use_media_query;
use crate::reactive::{effect, handler, memo, optional};
use crate::store::{Intent, Store, Upload, UploadState};

/// What a key does in the composer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyMeans {
    /// Send the draft.
    Send,
    /// Whatever the browser makes of it.
    Text,
}

/// The facts about a key press that matter here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Press<'a> {
    /// `KeyboardEvent.key`.
    pub key: &'a str,
    /// Shift is down.
    pub shift: bool,
    /// Control or Command is down.
    pub command: bool,
    /// An input method composes a character; its Enter picks a candidate.
    pub composing: bool,
    /// The keyboard is on the screen and has no other way to a new line.
    pub touch: bool,
}

impl Press<'_> {
    /// Enter sends where there is a Shift key to hold, Control+Enter everywhere; composing never does.
    pub fn means(self) -> KeyMeans {
        let sends = self.command || !(self.shift || self.touch);
        if self.key == "Enter" && sends && !self.composing { KeyMeans::Send } else { KeyMeans::Text }
    }
}

/// The text field, for those who hand the focus back to it, and how one writes into it.
#[derive(Clone, Copy)]
pub struct Pen {
    field: Held,
    touch: ReadSignal<bool>,
}

impl Pen {
    /// A pen without a field yet.
    pub fn new() -> Self {
        Self { field: Held::new(), touch: use_media_query("(any-pointer: coarse) and (hover: none)") }
    }

    /// One goes on writing. Not on a touch screen: its keyboard would cover half the page.
    pub fn take_up(self) {
        if let Some(field) = self.field.get_untracked::<HtmlElement>().filter(|_| !self.touch.get_untracked())
        {
            // A field that cannot take the focus leaves it where it is.
            let _ = field.focus();
        }
    }
}

impl Default for Pen {
    fn default() -> Self {
        Self::new()
    }
}

/// The composer.
#[component]
pub fn Composer(
    /// A turn runs.
    busy: Memo<bool>,
    /// What a message does to it.
    modes: BusyModes,
    /// Where one writes.
    pen: Pen,
) -> impl IntoView {
    let store = store();
    let draft = RwSignal::from(store.draft.clone());
    let state = use_state(&store, busy, modes);
    let connection = store.connection.clone();
    let online = memo(move || connection.with(|state| *state == State::Online));
    let files = {
        let store = store.clone();
        memo(move || takes_files(&store))
    };
    let Pen { field: area, touch } = pen;
    let follow = use_context::<Follow>();
    let slash = Slash::new(&store);
    keep_in_step(area, draft);
    effect(move || {
        if area.get::<HtmlElement>().is_some() {
            pen.take_up();
        }
    });

    let (intents, pastes) = (store.clone(), store.clone());
    let send = Callback::new(move |()| {
        if state.get_untracked() == Sendable::Yes {
            let text = draft.get_untracked();
            draft.set(String::new());
            let mode = untrack(|| modes.mode()).filter(|_| busy.get_untracked());
            intents.ask_for(Intent::Send { text, mode });
            if let Some(follow) = follow {
                follow.attach();
            }
        }
    });
    let stop = Callback::new(move |()| store.ask_for(Intent::Stop));
    let pressed = move |event: ev::KeyboardEvent| {
        let key = event.key();
        let press = press(&event, touch.get_untracked(), &key);
        if !(press.composing || press.shift || press.command) && slash.takes(&key) {
            event.prevent_default();
        } else if press.means() == KeyMeans::Send {
            event.prevent_default();
            send.run(());
        }
    };
    let placeholder = move || match modes.words().filter(|_| busy.get()) {
        _ if state.get() == Sendable::Refused => "Hermes cannot be reached",
        // What is done with it then depends on what runs then.
        Some(_) if !online.get() => "Sent when the connection is back",
        Some(words) => words,
        None => "Message Hermes",
    };
    view! {
        <div class={"composer"}>
            <SlashList slash />
            <Uploads />
            {optional(move || files.get().then(|| view! { <AttachButton /> }))}
            <div class={"grow"} data-draft=move || draft.get()>
                <textarea
                    {..fixed(&[
                        ("class", "composer-text"), ("rows", "1"), ("aria-label", "Message Hermes"),
                        ("aria-autocomplete", "list"), ("aria-controls", LIST_ID), ("autocapitalize", "sentences"),
                    ])}
                    node_ref=area
                    aria-activedescendant=move || slash.active()
                    placeholder=move || placeholder()
                    enterkeyhint=move || if touch.get() { "enter" } else { "send" }
                    on:input=handler(move |event| draft.set(event_target_value(&event)))
                    on:keydown=handler(pressed)
                    on:paste=handler(move |event| pasted(&pastes, &event))
                ></textarea>
            </div>
            {optional(move || busy.get().then(|| view! { <Stop stop /> }))}
            {optional(move || state.get().shows(busy.get()).then(|| view! { <Send state send /> }))}
        </div>
    }
}

/// Whether the draft can go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sendable {
    Yes,
    /// There is nothing in it.
    Blank,
    /// A file is on its way, or did not get there.
    Files,
    /// A turn runs, and nothing can be said to it.
    Busy,
    /// The adapter wants nothing from this page.
    Refused,
}

impl Sendable {
    fn words(self) -> &'static str {
        match self {
            Self::Yes => "Send",
            Self::Blank | Self::Busy => "Send (write something first)",
            Self::Files => "Send (wait for the files, or remove them)",
            Self::Refused => "Send (Hermes cannot be reached)",
        }
    }

    /// While a turn runs, the button is there only when there is something to send.
    fn shows(self, busy: bool) -> bool {
        !busy || matches!(self, Self::Yes | Self::Files)
    }
}

fn use_state(store: &Store, busy: Memo<bool>, modes: BusyModes) -> Memo<Sendable> {
    let Store { draft, uploads, connection, .. } = store.clone();
    memo(move || {
        let ready = |upload: &Upload| matches!(upload.state, UploadState::Ready(_));
        let (none, all_ready) = uploads.with(|all| (all.is_empty(), all.iter().all(ready)));
        if connection.with(|state| matches!(state, State::Refused { .. })) {
            Sendable::Refused
        } else if busy.get() && modes.mode().is_none() {
            Sendable::Busy
        } else if !all_ready {
            Sendable::Files
        } else if none && draft.with(|draft| draft.trim().is_empty()) {
            Sendable::Blank
        } else {
            Sendable::Yes
        }
    })
}

/// Sends. Pressing it leaves the focus in the text.
#[component]
fn Send(state: Memo<Sendable>, send: Callback<()>) -> impl IntoView {
    let words = move || state.get().words();
    view! {
        <button
            {..fixed(&[("type", "button"), ("class", "go"), ("data-action", "send")])}
            title=move || words()
            aria-label=move || words()
            prop:disabled=move || state.get() != Sendable::Yes
            on:mousedown=|event| event.prevent_default()
            on:click=handler(move |_| send.run(()))
        >
            <Icon glyph=Glyph::Up />
        </button>
    }
}

/// Stops the running turn. Pressing it leaves the focus in the text.
#[component]
fn Stop(stop: Callback<()>) -> impl IntoView {
    view! {
        <button
            {..fixed(&[
                ("type", "button"), ("class", "go stop"), ("data-action", "stop"), ("title", "Stop"),
                ("aria-label", "Stop"),
            ])}
            on:mousedown=|event| event.prevent_default()
            on:click=handler(move |_| stop.run(()))
        >
            <Icon glyph=Glyph::Stop />
        </button>
    }
}

/// Chrome and Firefox say so themselves; Safari ends the composition first and leaves only the key code.
fn press<'a>(event: &ev::KeyboardEvent, touch: bool, key: &'a str) -> Press<'a> {
    let composing = event.is_composing() || event.key_code() == 229;
    Press { key, shift: event.shift_key(), command: event.ctrl_key() || event.meta_key(), composing, touch }
}

/// Writes the draft into the text field only where they differ: writing the same text moves the caret.
fn keep_in_step(area: Held, draft: RwSignal<String>) {
    effect(move || {
        if let Some(area) = area.get::<HtmlTextAreaElement>() {
            draft.with(|draft| {
                if area.value() != *draft {
                    area.set_value(draft);
                }
            });
        }
    });
}
