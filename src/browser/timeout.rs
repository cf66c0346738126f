//! `setTimeout` and `setInterval` that are cleared when they are dropped.

use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::Window;

/// One call, later.
pub struct Timeout {
    id: Option<i32>,
    _call: Closure<dyn FnMut()>,
}

impl Timeout {
    /// Calls once after so many milliseconds, unless dropped before.
    pub fn new(delay_ms: f64, call: impl FnMut() + 'static) -> Self {
        let call = Closure::<dyn FnMut()>::new(call);
        let id = start(&call, delay_ms, Window::set_timeout_with_callback_and_timeout_and_arguments_0);
        Self { id, _call: call }
    }
}

impl Drop for Timeout {
    fn drop(&mut self) {
        if let (Some(id), Some(window)) = (self.id, web_sys::window()) {
            window.clear_timeout_with_handle(id);
        }
    }
}

/// A call at a steady pace.
pub struct Interval {
    id: Option<i32>,
    _call: Closure<dyn FnMut()>,
}

impl Interval {
    /// Calls every so many milliseconds until dropped.
    pub fn new(period_ms: f64, call: impl FnMut() + 'static) -> Self {
        let call = Closure::<dyn FnMut()>::new(call);
        let id = start(&call, period_ms, Window::set_interval_with_callback_and_timeout_and_arguments_0);
        Self { id, _call: call }
    }
}

impl Drop for Interval {
    fn drop(&mut self) {
        if let (Some(id), Some(window)) = (self.id, web_sys::window()) {
            window.clear_interval_with_handle(id);
        }
    }
}

type Start = fn(&Window, &js_sys::Function, i32) -> Result<i32, wasm_bindgen::JsValue>;

/// The browser takes whole milliseconds up to 2^31 - 1 and treats a longer delay as none.
fn start(call: &Closure<dyn FnMut()>, delay_ms: f64, start: Start) -> Option<i32> {
    let delay = delay_ms.ceil().clamp(0.0, f64::from(i32::MAX)) as i32;
    start(&web_sys::window()?, call.as_ref().unchecked_ref(), delay).ok()
}
