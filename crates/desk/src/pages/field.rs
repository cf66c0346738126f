//! A field for a text that is pasted, dropped or opened from a file. Owns the reading of the file and what is said when that
//! fails; what the text means is its page's business.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{DragEvent, Event, File, HtmlInputElement, MouseEvent};

/// The largest file that is read, bytes.
const MAX_BYTES: f64 = 32.0 * 1024.0 * 1024.0;

/// The field.
#[component]
pub fn TextField(
    /// What is written there.
    text: RwSignal<String>,
    /// What it is called.
    label: &'static str,
    /// What stands there while it is empty.
    placeholder: &'static str,
    /// Its height in lines.
    rows: &'static str,
    /// What files are offered when one is picked.
    #[prop(default = "")]
    accept: &'static str,
) -> impl IntoView {
    let input = NodeRef::<leptos::html::Input>::new();
    let over = RwSignal::new(false);
    let trouble = RwSignal::new(None::<String>);
    let pick = move |_: MouseEvent| {
        if let Some(input) = input.get_untracked() {
            input.click();
        }
    };
    let picked = move |event: Event| {
        let input = event_target::<HtmlInputElement>(&event);
        let file = input.files().and_then(|files| files.get(0));
        read(file, text, trouble);
        // The same file can be picked again.
        input.set_value("");
    };
    let dragged = move |event: DragEvent| {
        event.prevent_default();
        over.set(true);
    };
    let dropped = move |event: DragEvent| {
        over.set(false);
        let file = event.data_transfer().and_then(|data| data.files()).and_then(|files| files.get(0));
        // Text that is dropped is the browser's to put where it belongs.
        if file.is_some() {
            event.prevent_default();
            event.stop_propagation();
            read(file, text, trouble);
        }
    };
    view! {
        <div class={"text-field"} class:over=move || over.get() on:dragover=dragged on:dragleave=move |_| over.set(false) on:drop=dropped>
            <div class={"text-field-head"}>
                <span class={"text-field-label"}>{label}</span>
                <button type={"button"} class={"button plain"} aria-label={format!("Open a file for {label}")} on:click=pick>{"Open…"}</button>
                <input type={"file"} hidden=true accept=accept node_ref=input on:change=picked />
            </div>
            <textarea
                class={"text-field-text"}
                aria-label=label
                rows=rows
                placeholder=placeholder
                spellcheck={"false"}
                autocapitalize={"off"}
                autocomplete={"off"}
                prop:value=move || text.get()
                on:input=move |event| text.set(event_target_value(&event))
            ></textarea>
            {move || trouble.get().map(|words| view! { <p class={"text-field-trouble"} role={"alert"}>{words}</p> })}
        </div>
    }
}

/// Reads the file into the field.
fn read(file: Option<File>, text: RwSignal<String>, trouble: RwSignal<Option<String>>) {
    let Some(file) = file else { return };
    trouble.set(None);
    if file.size() > MAX_BYTES {
        trouble.set(Some("This file is larger than 32 MB. Open the part of it that matters.".to_owned()));
        return;
    }
    let content = file.dyn_ref::<web_sys::Blob>().map(web_sys::Blob::text);
    spawn_local(async move {
        let read = match content {
            Some(promise) => JsFuture::from(promise).await.ok().and_then(|text| text.as_string()),
            None => None,
        };
        // The page may be closed by now: its signals are then gone.
        match read {
            Some(read) => drop(text.try_set(read)),
            None => drop(trouble.try_set(Some("The browser could not read this file.".to_owned()))),
        }
    });
}
