//! A page in a sheet of its own over the app: a native dialog, which keeps the focus inside and gives it back. There is
//! at most one; another page takes its place.

use leptos::prelude::*;
use std::cell::RefCell;
use wasm_bindgen::JsCast;
use web_sys::{HtmlDialogElement, HtmlElement, MouseEvent};

use crate::icon::{Glyph, Icon};
use crate::pages;

struct Sheet {
    dialog: HtmlDialogElement,
    /// Dropping it takes the page away.
    _view: Box<dyn std::any::Any>,
}

thread_local! {
    static SHEET: RefCell<Option<Sheet>> = const { RefCell::new(None) };
}

/// Opens this page.
pub fn open(name: &str) {
    close();
    close_others();
    let Some(document) = web_sys::window().and_then(|window| window.document()) else { return };
    let Some(body) = document.body() else { return };
    let Some(dialog) = document.create_element("dialog").ok().and_then(|made| made.dyn_into().ok()) else {
        return;
    };
    let dialog: HtmlDialogElement = dialog;
    dialog.set_class_name("desk-sheet");
    // They fail only for names that are none.
    let _ = dialog.set_attribute("data-page", name);
    let title = pages::find(name).map_or("Iris", |page| page.title);
    let _ = dialog.set_attribute("aria-label", title);
    let name = name.to_owned();
    let view =
        mount_to(dialog.clone().unchecked_into::<HtmlElement>(), move || view! { <Frame title name /> });
    if body.append_child(&dialog).is_ok() {
        drop(dialog.show_modal());
    }
    SHEET.set(Some(Sheet { dialog, _view: Box::new(view) }));
}

/// Closes what the app has open over the page: its settings, say, from which one comes here.
fn close_others() {
    let open =
        web_sys::window().and_then(|window| window.document()?.query_selector_all("dialog[open]").ok());
    let dialogs = open.iter().flat_map(|open| (0..open.length()).filter_map(|at| open.item(at)));
    for dialog in dialogs.filter_map(|dialog| dialog.dyn_into::<HtmlDialogElement>().ok()) {
        dialog.close();
    }
}

/// Closes the sheet, if one is open.
pub fn close() {
    if let Some(sheet) = SHEET.take() {
        sheet.dialog.close();
        sheet.dialog.remove();
    }
}

#[component]
fn Frame(title: &'static str, name: String) -> impl IntoView {
    view! {
        <header class={"desk-head"}>
            <h2 class={"sheet-title"}>{title}</h2>
            <button type={"button"} class={"icon-button"} aria-label={"Close"} title={"Close"} on:click=|_: MouseEvent| close()>
                <Icon glyph=Glyph::Cross />
            </button>
        </header>
        <div class={"desk-page"}>{pages::draw(&name)}</div>
    }
}
