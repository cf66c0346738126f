//! A native dialog over the page: it keeps the focus inside and gives it back.

use leptos::prelude::*;
use web_sys::HtmlDialogElement;

use crate::held::Held;
use crate::reactive::{effect, handler, optional};

/// The dialog. Escape, the back gesture and a press beside it close it; its content lives only while it is open.
#[component]
pub fn Modal(
    /// Its class.
    class: &'static str,
    /// Its name, for those who listen.
    label: &'static str,
    /// Whether it is open.
    open: RwSignal<bool>,
    /// What is in it.
    children: ChildrenFn,
) -> impl IntoView {
    let dialog = Held::new();
    effect(move || {
        let Some(dialog) = dialog.get::<HtmlDialogElement>() else { return };
        match (open.get(), dialog.open()) {
            // It fails only when the dialog is open already.
            (true, false) => drop(dialog.show_modal()),
            (false, true) => dialog.close(),
            _ => {}
        }
    });
    // The event comes late: by then it may be open again.
    let closed = move |_| {
        if dialog.get_untracked::<HtmlDialogElement>().is_some_and(|dialog| !dialog.open()) {
            open.set(false);
        }
    };
    // The backdrop belongs to the dialog itself; everything drawn is inside the content.
    let beside = move |event: web_sys::MouseEvent| {
        if event.target() == event.current_target() {
            open.set(false);
        }
    };
    view! {
        <dialog
            class=class
            node_ref=dialog
            aria-label=label
            on:close=handler(closed)
            on:click=handler(beside)
        >
            {optional(move || open.get().then(|| children()))}
        </dialog>
    }
}
