//! A file that the adapter keeps: an image is shown, anything else is a card; both can be saved.
//!
//! An image is loaded when it is drawn, another file only when somebody wants it.

use iris_core::format::{self, visible};
use iris_core::ids::FileId;
use iris_core::protocol::frame::FileInfo;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use super::icon::{Glyph, Icon};
use super::store;
use crate::fixed::fixed;
use crate::reactive::{dynamic, effect, handler, memo, optional};
use crate::store::{FileState, Intent};

/// What a browser shows as an image and never runs. SVG is not among them.
const IMAGES: [&str; 6] = ["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "image/bmp"];

/// The file.
#[component]
pub fn File(
    /// What is known of it.
    file: FileInfo,
) -> impl IntoView {
    let state = use_file(file.id.clone());
    let name = visible(&file.name).into_owned();
    let image = IMAGES.contains(&file.media_type.as_str());
    let picture = image.then(|| view! { <Picture id=file.id.clone() name=name.clone() state /> }.into_any());
    view! {
        <figure class=if image { "file image" } else { "file" } data-file=file.name.clone()>
            {picture}
            <figcaption class={"file-line"}>
                {(!image).then(|| view! { <Icon glyph=Glyph::File /> }.into_any())}
                <span class={"file-words"}>
                    <span class={"file-name"} title=name.clone()>{name.clone()}</span>
                    <span class={"file-facts"}>{facts(&file)}</span>
                </span>
                <Download id=file.id name state />
            </figcaption>
            {optional(move || match state.get() {
                Some(FileState::Failed(why)) if !image => Some(view! { <Trouble why /> }),
                _ => None,
            })}
        </figure>
    }
}

/// How far a file is loaded.
type Loaded = Memo<Option<FileState>>;

fn use_file(id: FileId) -> Loaded {
    let files = store().files;
    memo(move || files.with(|files| files.get(&id).cloned()))
}

/// The image, once it is here; until then its place.
#[component]
fn Picture(id: FileId, name: String, state: Loaded) -> impl IntoView {
    let (asks, again) = (store(), store());
    let wanted = id.clone();
    effect(move || {
        if state.with(Option::is_none) {
            asks.ask_for(Intent::Fetch(wanted.clone()));
        }
    });
    dynamic(move || {
        match state.get() {
        Some(FileState::Ready(url)) => {
            view! { <img {..fixed(&[("class", "file-image"), ("decoding", "async")])} src=url alt=name.clone() /> }.into_any()
        }
        Some(FileState::Failed(why)) => {
            let (store, id) = (again.clone(), id.clone());
            view! {
                <div class={"file-blank"}>
                    <Trouble why />
                    <button {..fixed(&[("type", "button"), ("class", "button"), ("data-action", "fetch")])} on:click=handler(move |_| store.ask_for(Intent::Fetch(id.clone())))>
                        <Icon glyph=Glyph::Retry />
                        {"Try again"}
                    </button>
                </div>
            }
            .into_any()
        }
        _ => view! { <div {..fixed(&[("class", "file-blank"), ("role", "status")])}>{"Loading…"}</div> }.into_any(),
    }
    })
}

#[component]
fn Trouble(why: String) -> impl IntoView {
    view! {
        <p class={"file-trouble"}>
            <Icon glyph=Glyph::Warning />
            {format!("Not loaded: {}", visible(&why))}
        </p>
    }
}

/// Saves the file; what is not here yet is loaded first.
#[component]
fn Download(id: FileId, name: String, state: Loaded) -> impl IntoView {
    let store = store();
    let wanted = RwSignal::new(false);
    let label = format!("Download {name}");
    effect(move || {
        if let (true, Some(FileState::Ready(url))) = (wanted.get(), state.get()) {
            wanted.set(false);
            save(&url, &name);
        }
    });
    let loading = move || wanted.get() && matches!(state.get(), Some(FileState::Loading));
    let press = move |_| {
        wanted.set(true);
        if matches!(state.get_untracked(), None | Some(FileState::Failed(_))) {
            store.ask_for(Intent::Fetch(id.clone()));
        }
    };
    view! {
        <button
            {..fixed(&[("type", "button"), ("class", "button plain file-save"), ("data-action", "download")])}
            title=label.clone()
            aria-label=label
            on:click=handler(press)
        >
            <Icon glyph=Glyph::Download />
            <span class={"file-save-words"}>{move || if loading() { "Loading…" } else { "Download" }}</span>
        </button>
    }
}

/// A link with `download` is the only way to name what is saved.
fn save(url: &str, name: &str) {
    let link = web_sys::window()
        .and_then(|window| window.document()?.create_element("a").ok())
        .and_then(|link| link.dyn_into::<HtmlElement>().ok());
    if let Some(link) = link
        && link.set_attribute("href", url).is_ok()
        && link.set_attribute("download", name).is_ok()
    {
        link.click();
    }
}

/// `PDF · 120 kB`: the kind as people call it, from the name; else the media type.
fn facts(file: &FileInfo) -> String {
    let ending = file.name.rsplit_once('.').map_or("", |(_, ending)| ending);
    let known = (1..=5).contains(&ending.len()) && ending.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let kind = if known { ending.to_ascii_uppercase() } else { visible(&file.media_type).into_owned() };
    format!("{kind} · {}", format::bytes(file.size))
}
