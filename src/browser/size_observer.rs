//! A `ResizeObserver` that stops when it is dropped.

use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Element, ResizeObserver};

/// Calls back after layout and before paint whenever an observed element changed its size.
#[derive(Debug)]
pub struct SizeObserver {
    observer: ResizeObserver,
    _callback: Closure<dyn FnMut()>,
}

impl SizeObserver {
    /// An observer of nothing yet; `None` where the browser has none.
    pub fn new(handle: impl FnMut() + 'static) -> Option<Self> {
        let callback = Closure::<dyn FnMut()>::new(handle);
        let observer = ResizeObserver::new(callback.as_ref().unchecked_ref()).ok()?;
        Some(Self { observer, _callback: callback })
    }

    /// Observes this element too.
    pub fn observe(&self, element: &Element) {
        self.observer.observe(element);
    }
}

impl Drop for SizeObserver {
    fn drop(&mut self) {
        self.observer.disconnect();
    }
}
