//! A hold on an element of the page, for who moves the focus, measures or scrolls.
//!
//! As Leptos's `NodeRef`, which is compiled anew for every kind of element; here the kind is asked for when it is used.

use leptos::prelude::{Get, GetUntracked, RwSignal, Set};
use leptos::tachys::html::element::ElementType;
use leptos::tachys::html::node_ref::NodeRefContainer;
use leptos::wasm_bindgen::JsCast;
use send_wrapper::SendWrapper;
use web_sys::Element;

/// The element that has it as its `node_ref`, once it is in the page.
#[derive(Clone, Copy, Debug)]
pub struct Held(RwSignal<Option<SendWrapper<Element>>>);

impl Held {
    /// Of no element yet.
    pub fn new() -> Self {
        Self(RwSignal::new(None))
    }

    /// The element, if it is one of this kind; whoever asks is told when it comes.
    pub fn get<T: JsCast>(self) -> Option<T> {
        cast(self.0.get())
    }

    /// The element, if it is one of this kind.
    pub fn get_untracked<T: JsCast>(self) -> Option<T> {
        cast(self.0.get_untracked())
    }
}

fn cast<T: JsCast>(element: Option<SendWrapper<Element>>) -> Option<T> {
    element?.take().dyn_into().ok()
}

impl Default for Held {
    fn default() -> Self {
        Self::new()
    }
}

impl<E: ElementType> NodeRefContainer<E> for Held {
    fn load(self, element: &Element) {
        self.0.set(Some(SendWrapper::new(element.clone())));
    }
}
