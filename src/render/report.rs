//! Says on the console what the page refused to do. An answer is shown some other way; nothing here ends the page.

use wasm_bindgen::JsValue;

/// Reports a failure that the caller has already made up for.
pub fn report(what: &str, error: &JsValue) {
    crate::browser::warn(&format!("{what}: {error:?}"));
}
