//! What the page of `cargo xtask bench` calls: the app's own `LiveText`, with nothing around it. The text is kept here, as the
//! app keeps it in its store, so that a call carries no more than what is new.

use iris::render::LiveText;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};
use web_sys::Element;

/// A text that is being streamed into an element.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Live {
    text: String,
    live: LiveText,
}

#[wasm_bindgen]
impl Live {
    /// Takes over an element.
    #[wasm_bindgen(constructor)]
    pub fn new(container: Element) -> Result<Live, JsValue> {
        Ok(Self { text: String::new(), live: LiveText::new(container)? })
    }

    /// Draws this too.
    pub fn write(&mut self, delta: &str) {
        self.text.push_str(delta);
        self.live.grow_to(&self.text);
    }

    /// No more will come.
    pub fn end(&mut self) {
        self.live.settle();
    }
}
