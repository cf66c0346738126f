//! JavaScript that is no part of the first load: `dist/modules/NAME.js`, loaded when the first element needs it.

use js_sys::{Function, Reflect};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::Element;

/// Hands an element to a module, which does its work when it has come. Without it the element stays as it is.
pub fn load(name: &str, element: &Element) {
    let found = Reflect::get(&js_sys::global(), &JsValue::from_str("irisModule")).ok();
    if let Some(load) = found.and_then(|load| load.dyn_into::<Function>().ok()) {
        let _ = load.call2(&JsValue::NULL, &JsValue::from_str(name), element);
    }
}
