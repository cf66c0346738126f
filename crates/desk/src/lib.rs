//! The page's second program: what is needed only when somebody opens a recorded run, the doctor, the log reader or the
//! record of streams. Owns no transcript: a replay is drawn by the app's own components, which are told its frames.
//!
//! `modules/desk/index.js` loads it. As in the app, every subtree of a `view!` stays dynamic: Trusted Types refuse
//! `innerHTML`.

pub mod failure;
pub mod icon;
pub mod pages;
pub mod sheet;

use js_sys::Function;
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::HtmlElement;

/// Called once, before anything else: `on_panic` is told the words of a panic, after which nothing of this program may be
/// called any more.
#[wasm_bindgen]
pub fn start(on_panic: Function) {
    failure::report_to(on_panic);
}

/// Draws the page that `data-page` names into the element, which the app has made for it.
#[wasm_bindgen]
pub fn mount(element: HtmlElement) {
    pages::mount(element);
}

/// Opens the page of this name in a sheet over the app.
#[wasm_bindgen]
pub fn open(page: &str) {
    sheet::open(page);
}
