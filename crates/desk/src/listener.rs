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
    /// Listens on the window until dropped, before the app does.
    pub fn on_window(kind: &'static str, handler: impl FnMut(Event) + 'static) -> Option<Self> {
        let target: EventTarget = web_sys::window()?.into();
        let handler = Closure::<dyn FnMut(Event)>::new(handler);
        let function = handler.as_ref().unchecked_ref();
        target.add_event_listener_with_callback_and_bool(kind, function, true).ok()?;
        Some(Self { target, kind, handler })
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        let _ = self.target.remove_event_listener_with_callback_and_bool(
            self.kind,
            self.handler.as_ref().unchecked_ref(),
            true,
        );
    }
}
