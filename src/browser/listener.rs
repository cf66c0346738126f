//! An event listener that is taken off when it is dropped.

use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{AddEventListenerOptions, Event, EventTarget};

/// A listener on one target for one kind of event.
pub struct Listener {
    target: EventTarget,
    kind: &'static str,
    handler: Closure<dyn FnMut(Event)>,
}

impl Listener {
    /// Listens until dropped.
    pub fn new(target: &EventTarget, kind: &'static str, handler: impl FnMut(Event) + 'static) -> Self {
        Self::add(target, kind, Box::new(handler), false)
    }

    /// Listens until dropped, and promises never to hold up scrolling.
    pub fn passive(target: &EventTarget, kind: &'static str, handler: impl FnMut(Event) + 'static) -> Self {
        Self::add(target, kind, Box::new(handler), true)
    }

    /// Kept out of line: two dozen places listen.
    #[inline(never)]
    fn add(target: &EventTarget, kind: &'static str, handler: Box<dyn FnMut(Event)>, passive: bool) -> Self {
        let handler = Closure::wrap(handler);
        let function = handler.as_ref().unchecked_ref();
        let added = if passive {
            let options = AddEventListenerOptions::new();
            options.set_passive(true);
            target.add_event_listener_with_callback_and_add_event_listener_options(kind, function, &options)
        } else {
            target.add_event_listener_with_callback(kind, function)
        };
        if added.is_err() {
            super::warn("a listener could not be added");
        }
        Self { target: target.clone(), kind, handler }
    }

    /// Listens on the window; `None` only where there is none.
    pub fn on_window(kind: &'static str, handler: impl FnMut(Event) + 'static) -> Option<Self> {
        web_sys::window().map(|window| Self::new(&window, kind, handler))
    }

    /// Listens on the document.
    pub fn on_document(kind: &'static str, handler: impl FnMut(Event) + 'static) -> Option<Self> {
        web_sys::window()?.document().map(|document| Self::new(&document, kind, handler))
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        let function = self.handler.as_ref().unchecked_ref();
        // Failing to take it off leaves a dead function behind, nothing worse.
        let _ = self.target.remove_event_listener_with_callback(self.kind, function);
    }
}
