//! The ways that files come in while a replay or its sheet is open: dropped on the page, pasted as files or as text. The chat
//! behind, which takes files too, finds them taken.

use js_sys::Array;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{ClipboardEvent, DataTransfer, DragEvent, Event, File, FileList};

use super::open;
use crate::listener::Listener;

/// What text that is pasted is called.
const PASTED: &str = "pasted.jsonl";

/// Takes what is dropped or pasted anywhere on the page, until they are dropped.
pub fn listeners() -> impl Iterator<Item = Listener> {
    [
        Listener::on_window("dragover", |event| event.prevent_default()),
        Listener::on_window("drop", |event| dropped(&event)),
        Listener::on_window("paste", |event| pasted(&event)),
    ]
    .into_iter()
    .flatten()
}

/// Opens files that are dropped, unless somebody has taken them.
fn dropped(event: &Event) {
    let Some(event) = event.dyn_ref::<DragEvent>().filter(|event| !event.default_prevented()) else { return };
    let files = in_transfer(event.data_transfer());
    if !files.is_empty() {
        event.prevent_default();
        open(files);
    }
}

/// Opens files or text that is pasted, unless it is for a field that takes text.
fn pasted(event: &Event) {
    let Some(event) = event.dyn_ref::<ClipboardEvent>().filter(|event| !event.default_prevented()) else {
        return;
    };
    let target = event.target().and_then(|target| target.dyn_into::<web_sys::Element>().ok());
    if target.is_some_and(|target| target.matches("input, textarea:not([data-paste])").unwrap_or(false)) {
        return;
    }
    let data = event.clipboard_data();
    let mut files = in_transfer(data.clone());
    let text = data.and_then(|data| data.get_data("text/plain").ok()).unwrap_or_default();
    if files.is_empty() && !text.trim().is_empty() {
        files.extend(named(&text));
    }
    if !files.is_empty() {
        event.prevent_default();
        open(files);
    }
}

fn named(text: &str) -> Option<File> {
    let parts = Array::of1(&JsValue::from_str(text));
    File::new_with_str_sequence(&parts, PASTED).ok()
}

fn in_transfer(data: Option<DataTransfer>) -> Vec<File> {
    in_list(data.and_then(|data| data.files()))
}

/// The files of a list.
pub fn in_list(list: Option<FileList>) -> Vec<File> {
    list.iter().flat_map(|list| (0..list.length()).filter_map(|at| list.get(at))).collect()
}
