//! The keyboard while a replay is open: space plays and pauses, the arrows go back and on, with shift from tool to tool.

use wasm_bindgen::JsCast;
use web_sys::{Element, Event, KeyboardEvent};

use super::{order, position, signals};
use crate::listener::Listener;
use crate::wire::Order;

/// How far an arrow goes, played milliseconds.
const STEP_MS: u64 = 5_000;
/// What has keys of its own.
const BUSY: &str =
    "input, textarea, select, button, a, summary, dialog *, [contenteditable], [role=separator]";

pub(super) fn listeners() -> impl Iterator<Item = Listener> {
    Listener::on_window("keydown", |event| pressed(&event)).into_iter()
}

fn pressed(event: &Event) {
    let Some(event) = event.dyn_ref::<KeyboardEvent>() else { return };
    let elsewhere = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    let busy = elsewhere.is_some_and(|element| element.matches(BUSY).unwrap_or(true));
    if busy || event.default_prevented() || event.ctrl_key() || event.alt_key() || event.meta_key() {
        return;
    }
    let Some(now) = signals().map(|signals| signals.state) else { return };
    use leptos::prelude::WithUntracked;
    let (at, playing) = now.with_untracked(|(state, said)| (position(state, *said), state.playing));
    let wanted = match (event.key().as_str(), event.shift_key()) {
        (" ", _) if playing => Order::Pause,
        (" ", _) => Order::Play,
        ("ArrowLeft", false) => Order::Seek { to_ms: at.saturating_sub(STEP_MS) },
        ("ArrowRight", false) => Order::Seek { to_ms: at.saturating_add(STEP_MS) },
        ("ArrowLeft", true) => Order::Tool { forward: false },
        ("ArrowRight", true) => Order::Tool { forward: true },
        _ => return,
    };
    event.prevent_default();
    order(&wanted);
}
