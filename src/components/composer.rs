//! Where the user writes. The draft lives in the store, so that a reload keeps it.

use iris_core::connection::State;
use leptos::ev;
use leptos::html;
use leptos::prelude::*;

use super::follow::Follow;
use super::icon::{Glyph, Icon};
use super::store;
use crate::hooks::use_media_query;
use crate::reactive::{dynamic, effect, memo};
use crate::store::Intent;

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
    field: NodeRef<html::Textarea>,
    touch: ReadSignal<bool>,
}

impl Pen {
    /// A pen without a field yet.
    pub fn new() -> Self {
        Self { field: NodeRef::new(), touch: use_media_query("(any-pointer: coarse) and (hover: none)") }
    }

    /// One goes on writing. Not on a touch screen: its keyboard would cover half the page.
    pub fn take_up(self) {
        if let Some(field) = self.field.get_untracked().filter(|_| !self.touch.get_untracked()) {
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
    /// A turn runs: the button stops it.
    busy: Memo<bool>,
    /// Where one writes.
    pen: Pen,
) -> impl IntoView {
    let store = store();
    let draft = RwSignal::from(store.draft.clone());
    let connection = store.connection.clone();
    let refused = memo(move || connection.with(|state| matches!(state, State::Refused { .. })));
    let Pen { field: area, touch } = pen;
    let blank = memo(move || draft.with(|draft| draft.trim().is_empty()));
    let can_send = memo(move || !(blank.get() || busy.get() || refused.get()));
    let follow = use_context::<Follow>();
    keep_in_step(area, draft);
    effect(move || {
        if area.get().is_some() {
            pen.take_up();
        }
    });

    let intents = store.clone();
    let send = Callback::new(move |()| {
        if can_send.get_untracked() {
            let text = draft.get_untracked();
            draft.set(String::new());
            intents.ask_for(Intent::Send { text, mode: None });
            if let Some(follow) = follow {
                follow.attach();
            }
        }
    });
    let stop = Callback::new(move |()| store.ask_for(Intent::Stop));
    let pressed = move |event: ev::KeyboardEvent| {
        if press(&event, touch.get_untracked(), &event.key()).means() == KeyMeans::Send {
            event.prevent_default();
            send.run(());
        }
    };
    view! {
        <div class={"composer"}>
            <div class={"grow"} data-draft=move || draft.get()>
                <textarea
                    class={"composer-text"}
                    node_ref=area
                    rows={"1"}
                    aria-label={"Message Hermes"}
                    placeholder=move || if refused.get() { "Hermes cannot be reached" } else { "Message Hermes" }
                    autocapitalize={"sentences"}
                    enterkeyhint=move || if touch.get() { "enter" } else { "send" }
                    on:input=move |event| draft.set(event_target_value(&event))
                    on:keydown=pressed
                ></textarea>
            </div>
            <Go busy can_send send stop />
        </div>
    }
}

/// The round button: sends, and stops while a turn runs. Pressing it leaves the focus in the text.
#[component]
fn Go(busy: Memo<bool>, can_send: Memo<bool>, send: Callback<()>, stop: Callback<()>) -> impl IntoView {
    let words = move || match (busy.get(), can_send.get()) {
        (true, _) => "Stop",
        (false, true) => "Send",
        (false, false) => "Send (write something first)",
    };
    view! {
        <button
            type={"button"}
            class={"go"}
            class:stop=move || busy.get()
            data-action=move || if busy.get() { "stop" } else { "send" }
            title=words
            aria-label=words
            prop:disabled=move || !(busy.get() || can_send.get())
            on:mousedown=|event| event.prevent_default()
            on:click=move |_| if busy.get_untracked() { stop.run(()) } else { send.run(()) }
        >
            {dynamic(move || view! { <Icon glyph=if busy.get() { Glyph::Stop } else { Glyph::Up } /> })}
        </button>
    }
}

/// Chrome and Firefox say so themselves; Safari ends the composition first and leaves only the key code.
fn press<'a>(event: &ev::KeyboardEvent, touch: bool, key: &'a str) -> Press<'a> {
    let composing = event.is_composing() || event.key_code() == 229;
    Press { key, shift: event.shift_key(), command: event.ctrl_key() || event.meta_key(), composing, touch }
}

/// Writes the draft into the text field only where they differ: writing the same text moves the caret.
fn keep_in_step(area: NodeRef<html::Textarea>, draft: RwSignal<String>) {
    effect(move || {
        if let Some(area) = area.get() {
            draft.with(|draft| {
                if area.value() != *draft {
                    area.set_value(draft);
                }
            });
        }
    });
}
