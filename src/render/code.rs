//! What belongs to a code block besides its code: the header with its language and its buttons, whether its lines wrap,
//! and the module that colours it. Does not draw the code (`build.rs`).

use std::cell::Cell;

use wasm_bindgen::JsValue;
use web_sys::Element;

use super::actions::{self, COPY, WRAP};
use super::build::{Pen, put};
use crate::browser::modules;

/// The module with the colours; it hears of everything else by itself.
const MODULE: &str = "highlight";

thread_local! {
    /// Whether lines wrap in the blocks that are still to come: as in the last one that the reader has changed.
    static WRAPS: Cell<bool> = const { Cell::new(false) };
}

impl Pen {
    /// A code block's frame and its header.
    pub(super) fn code_frame(&self, lang: &str) -> Result<Element, JsValue> {
        let block = self.element("div", "")?;
        let header = self.element("header", "")?;
        put(&header, &self.label("span", "lang", label(lang))?)?;
        let wrap = actions::button(&self.document, WRAP)?;
        put(&header, &wrap)?;
        put(&header, &actions::button(&self.document, COPY)?)?;
        put(&block, &header)?;
        set_wrap(&block, &wrap, WRAPS.get())?;
        colour(&block, lang);
        Ok(block)
    }
}

/// The word in the header.
pub(super) fn label(lang: &str) -> &str {
    if lang.is_empty() { "text" } else { lang }
}

/// Has the block coloured, where there is a language. It may be told more than once.
pub(super) fn colour(block: &Element, lang: &str) {
    if !lang.is_empty() {
        modules::load(MODULE, block);
    }
}

/// Wraps the lines of a block, or no longer. Nothing above it changes, so its header stays where the finger is.
pub(super) fn toggle_wrap(block: &Element, button: &Element) -> Result<(), JsValue> {
    let wraps = button.get_attribute("aria-pressed").as_deref() != Some("true");
    WRAPS.set(wraps);
    set_wrap(block, button, wraps)
}

fn set_wrap(block: &Element, button: &Element, wraps: bool) -> Result<(), JsValue> {
    block.set_class_name(if wraps { "code wrap" } else { "code" });
    button.set_attribute("aria-pressed", if wraps { "true" } else { "false" })
}
