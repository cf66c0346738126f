//! An event listener that is taken off when it is dropped.

use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Event, EventTarget};

/// A listener on one target for one kind of event.
pub struct Listener {
    target: EventTarget,
    kind: &'static str,
    handler: Closure<dyn FnMut(Event)>,
}

impl Listener {
    /// Listens until dropped.
    pub fn new(target: &EventTarget, kind: &'static str, handler: impl FnMut(Event) + 'static) -> Self {
        let handler = Closure::<dyn FnMut(Event)>::new(handler);
        // It fails only for a function that is none.
        let _ = target.add_event_listener_with_callback(kind, handler.as_ref().unchecked_ref());
        Self { target: target.clone(), kind, handler }
    }

    /// Listens on the window.
    pub fn on_window(kind: &'static str, handler: impl FnMut(Event) + 'static) -> Option<Self> {
        web_sys::window().map(|window| Self::new(&window, kind, handler))
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        let _ =
            self.target.remove_event_listener_with_callback(self.kind, self.handler.as_ref().unchecked_ref());
    }
}
