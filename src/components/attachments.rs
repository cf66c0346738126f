//! Files for the next message: picked, pasted or dropped, and what became of each.

use iris_core::format::{self, visible};
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{ClipboardEvent, DataTransfer, DragEvent, Event, FileList, HtmlInputElement};

use super::icon::{Glyph, Icon};
use super::later::{Later, later};
use super::store;
use crate::browser::{Listener, modules};
use crate::fixed::fixed;
use crate::held::Held;
use crate::reactive::{Entry, handler, list, memo, optional};
use crate::store::{Intent, Store, Upload, UploadState};

/// The capability of an adapter that takes files.
pub(super) const FILES: &str = "files";

/// Whether the adapter takes files now.
pub(super) fn takes_files(store: &Store) -> bool {
    store.capabilities.with(|all| all.iter().any(|one| one == FILES))
}

/// The button that picks files.
#[component]
pub fn AttachButton() -> impl IntoView {
    let store = store();
    let input = Held::new();
    let pick = move |_| {
        if let Some(input) = input.get_untracked::<HtmlInputElement>() {
            input.click();
        }
    };
    let picked = move |event: Event| {
        let input = event_target::<HtmlInputElement>(&event);
        attach(&store, input.files());
        // The same file can be picked again.
        input.set_value("");
    };
    view! {
        <button
            {..fixed(&[
                ("type", "button"), ("class", "icon-button attach"), ("data-action", "attach"),
                ("title", "Attach files"), ("aria-label", "Attach files"),
            ])}
            on:click=handler(pick)
        >
            <Icon glyph=Glyph::Clip />
        </button>
        <input {..fixed(&[("type", "file"), ("hidden", "")])} node_ref=input prop:multiple=true on:change=handler(picked) />
    }
}

/// What is attached to the draft.
#[component]
pub fn Uploads() -> impl IntoView {
    let uploads = RwSignal::from(store().uploads);
    let any = memo(move || uploads.with(|all| !all.is_empty()));
    optional(move || any.get().then(|| later(Later::Attached(uploads))))
}

/// The list of it.
#[component]
pub fn Attached(
    /// What is attached.
    uploads: RwSignal<Vec<Upload>>,
) -> impl IntoView {
    view! {
        <ul {..fixed(&[("class", "uploads"), ("role", "list"), ("aria-label", "Attached")])}>
            {list(move || uploads.with(|all| all.iter().map(|one| entry(one, uploads)).collect()))}
        </ul>
    }
}

fn entry(upload: &Upload, uploads: RwSignal<Vec<Upload>>) -> Entry {
    let key = upload.key;
    let (name, size) = (visible(&upload.name).into_owned(), format::bytes(upload.size as u64));
    let state =
        move || uploads.with(|all| all.iter().find(|one| one.key == key).map(|one| one.state.clone()));
    Entry::new(u64::from(key), move || view! { <Chip upload=key name size state=memo(state) /> })
}

#[component]
fn Chip(upload: u32, name: String, size: String, state: Memo<Option<UploadState>>) -> impl IntoView {
    let store = store();
    let remove = format!("Remove {name}");
    let word = move || {
        state.with(|state| match state {
            Some(UploadState::Ready(_)) => "ready",
            Some(UploadState::Failed(_)) => "failed",
            _ => "sending",
        })
    };
    let facts = move || {
        state.with(|state| match state {
            Some(UploadState::Ready(_)) => size.clone(),
            Some(UploadState::Failed(why)) => visible(why).into_owned(),
            _ => format!("{size} · uploading…"),
        })
    };
    view! {
        <li class={"upload"} data-upload=move || word()>
            <Icon glyph=Glyph::File />
            <span class={"file-words"}>
                <span class={"file-name"}>{name}</span>
                <span {..fixed(&[("class", "file-facts"), ("aria-live", "polite")])}>{move || facts()}</span>
            </span>
            <button
                {..fixed(&[("type", "button"), ("class", "icon-button small"), ("data-action", "detach")])}
                title=remove.clone()
                aria-label=remove
                on:click=handler(move |_| store.ask_for(Intent::Detach(upload)))
            >
                <Icon glyph=Glyph::Cross />
            </button>
        </li>
    }
}

/// Attaches pasted files; text is pasted as always.
pub(super) fn pasted(store: &Store, event: &ClipboardEvent) {
    if takes_files_now(store) && attach(store, event.clipboard_data().and_then(|data| data.files())) {
        event.prevent_default();
    }
}

/// Says where to let go, while files are dragged over the page. A file that is dropped never leaves the app for itself.
#[component]
pub fn DropZone() -> impl IntoView {
    let store = store();
    let over = RwSignal::new(false);
    let taker = store.clone();
    let on = move |kind, then: fn(&Store, RwSignal<bool>, &DragEvent)| {
        let store = taker.clone();
        Listener::on_document(kind, move |event| {
            if let Some(event) = event.dyn_ref::<DragEvent>() {
                then(&store, over, event);
            }
        })
    };
    StoredValue::new_local([on("dragover", dragged), on("dragleave", left), on("drop", dropped)]);
    optional(move || {
        (over.get() && takes_files(&store)).then(|| {
            view! {
                <div {..fixed(&[("class", "drop"), ("aria-hidden", "true")])}>
                    <p class={"drop-words"}>
                        <Icon glyph=Glyph::Clip />
                        {"Drop to attach, or to replay a .jsonl"}
                    </p>
                </div>
            }
        })
    })
}

fn dragged(_: &Store, over: RwSignal<bool>, event: &DragEvent) {
    let brings_files = event.data_transfer().is_some_and(|data| data.types().includes(&FILE_TYPE.into(), 0));
    if brings_files {
        event.prevent_default();
        if !over.get_untracked() {
            over.set(true);
        }
    }
}

/// What a drag with files says that it brings.
const FILE_TYPE: &str = "Files";

fn left(_: &Store, over: RwSignal<bool>, event: &DragEvent) {
    // Between two elements of the page there is one that it goes to.
    if event.related_target().is_none() {
        over.set(false);
    }
}

fn dropped(store: &Store, over: RwSignal<bool>, event: &DragEvent) {
    over.set(false);
    let files = event.data_transfer().and_then(|data: DataTransfer| data.files());
    if files.as_ref().is_some_and(|files| files.length() > 0) {
        // The desk has taken a recorded run.
        let taken = event.default_prevented();
        event.prevent_default();
        if !taken && takes_files_now(store) {
            attach(store, files);
        } else if !taken && let Some(files) = files {
            modules::open("replay", &files);
        }
    }
}

fn takes_files_now(store: &Store) -> bool {
    untrack(|| takes_files(store))
}

/// Asks for these files to be attached; false if there are none.
fn attach(store: &Store, files: Option<FileList>) -> bool {
    let files: Vec<_> =
        files.iter().flat_map(|list| (0..list.length()).filter_map(|at| list.get(at))).collect();
    let any = !files.is_empty();
    if any {
        store.ask_for(Intent::Attach(files));
    }
    any
}
