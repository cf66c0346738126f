//! What happens when this program panics: whoever loaded it is told, and shows it in its own words. The app and its chat
//! are another program, and go on.

use std::cell::RefCell;

use js_sys::Function;
use wasm_bindgen::JsValue;

thread_local! {
    static REPORT: RefCell<Option<Function>> = const { RefCell::new(None) };
}

/// From now on a panic's words go to this function, and with its place to the console.
pub fn report_to(report: Function) {
    REPORT.set(Some(report));
    std::panic::set_hook(Box::new(|panic| {
        let words = JsValue::from_str(&panic.to_string());
        web_sys::console::error_1(&words);
        if let Some(report) = REPORT.take() {
            // Nothing is left to do about a failure to show a failure.
            let _ = report.call1(&JsValue::NULL, &words);
        }
    }));
}
