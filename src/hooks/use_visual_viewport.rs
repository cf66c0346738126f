//! The part of the window that the keyboard leaves free, as the CSS variables `--vvh` and `--vv-top`.
//!
//! Safari ignores `interactive-widget` and slides the window under the keyboard instead of resizing it.

use iris_core::format::decimal;
use leptos::prelude::StoredValue;
use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, VisualViewport};

use crate::browser::Listener;

/// Keeps the variables on `<html>` up to date. Without `visualViewport` there are none and the style falls back to `dvh`.
pub fn use_visual_viewport() {
    let Some(viewport) = web_sys::window().and_then(|window| window.visual_viewport()) else { return };
    measure(&viewport);
    for kind in ["resize", "scroll"] {
        let seen = viewport.clone();
        StoredValue::new_local(Listener::new(&viewport, kind, move |_| measure(&seen)));
    }
}

/// A pinched page is left alone: its viewport shrinks too, but the layout must not follow the fingers.
fn measure(viewport: &VisualViewport) {
    if (viewport.scale() - 1.0).abs() > 0.01 {
        return;
    }
    let root = web_sys::window()
        .and_then(|window| window.document()?.document_element())
        .and_then(|root| root.dyn_into::<HtmlElement>().ok());
    if let Some(style) = root.map(|root| root.style()) {
        let _ = style.set_property("--vvh", &format!("{}px", decimal(viewport.height(), 2)));
        let _ = style.set_property("--vv-top", &format!("{}px", decimal(viewport.offset_top(), 2)));
    }
}
