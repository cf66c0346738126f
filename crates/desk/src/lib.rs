//! The page's second program: what is needed only when somebody opens a recorded run, the doctor, the log
//! reader, the list of streamed replies or the export of a chat.
//! Owns no transcript: a replay is drawn by the app's own components, which are told its frames.
//!
//! `modules/desk/index.js` loads it. As in the app, every subtree of a `view!` stays dynamic: Trusted Types refuse
//! `innerHTML`.

pub mod adapter;
pub mod failure;
pub mod host;
pub mod icon;
pub mod listener;
pub mod pages;
pub mod replay;
pub mod sheet;
pub mod strip;
pub mod wire;
pub mod worker;

use js_sys::Array;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::{DedicatedWorkerGlobalScope, File, HtmlElement};

use host::Host;

/// Called once, before anything else. The host is told the words of a panic, after which nothing of this program may be called
/// any more.
#[wasm_bindgen]
pub fn start(host: Host) {
    host::set(host.clone());
    failure::report_to(host);
}

/// Called once in a worker, after [`start`]: reads and plays what the page sends.
#[wasm_bindgen]
pub fn serve(scope: DedicatedWorkerGlobalScope) {
    worker::serve(scope);
}

/// Draws the page that `data-page` names into the element, which the app has made for it.
#[wasm_bindgen]
pub fn mount(element: HtmlElement) {
    pages::mount(element);
}

/// Opens the page of this name in a sheet over the app; files are runs to replay.
#[wasm_bindgen]
pub fn open(page: &str, files: &Array) {
    let files: Vec<_> = files.iter().filter_map(|file| file.dyn_into::<File>().ok()).collect();
    if files.is_empty() {
        sheet::open(page);
    } else {
        replay::open(files);
    }
}

/// Says why a run cannot be opened.
#[wasm_bindgen]
pub fn refuse(name: String, why: String) {
    replay::refused(name, why);
}
