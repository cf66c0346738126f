//! What happens when this program panics: whoever loaded it is told, and shows it in its own words. The app and its chat
//! are another program, and go on.

use std::cell::RefCell;

use wasm_bindgen::JsValue;

use crate::host::Host;

thread_local! {
    static HOST: RefCell<Option<Host>> = const { RefCell::new(None) };
}

/// From now on a panic's words go to this host, and with its place to the console.
pub fn report_to(host: Host) {
    HOST.set(Some(host));
    std::panic::set_hook(Box::new(|panic| {
        let words = panic.to_string();
        web_sys::console::error_1(&JsValue::from_str(&words));
        if let Some(host) = HOST.take() {
            host.stopped(&words);
        }
    }));
}
