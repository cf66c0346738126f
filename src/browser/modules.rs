//! JavaScript that is no part of the first load: `dist/modules/NAME.js`, loaded when the first element needs it.

use js_sys::{Function, Reflect};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::Element;

/// Hands an element to a module, which does its work when it has come. Without it the element stays as it is.
pub fn load(name: &str, element: &Element) {
    call("irisModule", name, element);
}

/// Opens a page of the desk, with files for it.
pub fn open(page: &str, files: &JsValue) {
    call("irisDesk", page, files);
}

/// Calls a function of `boot.js`, if it is there.
fn call(function: &str, name: &str, what: &JsValue) {
    let found = Reflect::get(&js_sys::global(), &JsValue::from_str(function)).ok();
    if let Some(function) = found.and_then(|found| found.dyn_into::<Function>().ok()) {
        let _ = function.call2(&JsValue::NULL, &JsValue::from_str(name), what);
    }
}
