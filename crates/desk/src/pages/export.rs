//! A chat's export: the adapter writes the file, this page asks for it and hands it to the browser to save. Owns what is said
//! of each form and of what went wrong, not what stands in a file.

use iris_core::format::visible;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{Blob, HtmlElement, MouseEvent, Response, Url};

use crate::adapter::{self, Unanswered};

const UNREACHABLE: &str =
    "The adapter cannot be reached, and it has the chat. Try again when the connection is back.";
const UNPAIRED: &str = "This device is not paired with the adapter, so it gives no chat away.";
const BROKEN: &str = "The file broke off on its way. Try again.";
const UNKNOWN: &str = "The adapter does not have this any more, or is too old to write files.";
/// A long chat over a slow line.
const PATIENCE_MS: u32 = 300_000;
/// What a file is called whose adapter does not say.
const NAMELESS: &str = "iris-chat";

/// A form of file: its extension, its name, and what it is good for.
struct Form {
    extension: &'static str,
    name: &'static str,
    use_of: &'static str,
}

const FORMS: [Form; 3] = [
    Form {
        extension: "jsonl",
        name: "Recording",
        use_of: "Plays again in Iris, with its times as far as they were kept.",
    },
    Form {
        extension: "md",
        name: "Markdown",
        use_of: "The text as it was written, for notes and repositories.",
    },
    Form {
        extension: "html",
        name: "One HTML page",
        use_of: "To read anywhere, also without a network: it loads nothing.",
    },
];

/// What this page is doing.
#[derive(Clone, Debug, PartialEq)]
enum Stand {
    Idle,
    /// The adapter writes the file of this name.
    Preparing(&'static str),
    /// The browser was given the file of this name.
    Saved(String),
    Failed(String),
}

/// What is exported.
#[derive(Clone, Debug, PartialEq)]
pub struct Source {
    /// The chat's id.
    chat: String,
    /// The id of the turn from which the reader came.
    turn: Option<String>,
}

impl Source {
    /// As it stands in an address: `CHAT` or `CHAT/TURN`.
    pub fn named(words: &str) -> Self {
        let read =
            |part: &str| js_sys::decode_uri_component(part).map_or_else(|_| part.to_owned(), String::from);
        let (chat, turn) = words.split_once('/').map_or((words, None), |(chat, turn)| (chat, Some(turn)));
        Self { chat: read(chat), turn: turn.map(read) }
    }

    /// Where the adapter has it as a file of this kind; `whole`: not only the turn.
    fn path(&self, extension: &str, whole: bool) -> String {
        let coded = |part: &str| String::from(js_sys::encode_uri_component(part));
        let turn = self.turn.as_deref().filter(|_| !whole).map(|turn| format!("?turn={}", coded(turn)));
        format!("export/{}.{extension}{}", coded(&self.chat), turn.unwrap_or_default())
    }
}

/// The page.
#[component]
pub fn Export(
    /// What is exported.
    source: Source,
) -> impl IntoView {
    let whole = RwSignal::new(source.turn.is_none());
    let source = StoredValue::new(source);
    let stand = RwSignal::new(Stand::Idle);
    let preparing = move || stand.with(|stand| matches!(stand, Stand::Preparing(_)));
    let kept = StoredValue::new_local(None::<Object>);
    let row = |form: &'static Form| {
        let save = move |_: MouseEvent| {
            if preparing() {
                return;
            }
            stand.set(Stand::Preparing(form.name));
            let path = source.with_value(|source| source.path(form.extension, whole.get_untracked()));
            spawn_local(async move {
                let end = match file(&path).await {
                    Ok((name, blob)) => match hand_over(&name, &blob) {
                        Some(object) => {
                            let _ = kept.try_set_value(Some(object));
                            Stand::Saved(name)
                        }
                        None => Stand::Failed("The browser does not take the file.".to_owned()),
                    },
                    Err(why) => Stand::Failed(why),
                };
                let _ = stand.try_set(end);
            });
        };
        view! {
            <li class={"export-form"}>
                <p class={"export-name"}>{form.name}</p>
                <p class={"desk-note"}>{form.use_of}</p>
                <button type={"button"} class={"button"} data-export=form.extension aria-label={format!("Save as {}", form.name)}
                    aria-disabled=move || preparing().to_string() on:click=save>{"Save"}</button>
            </li>
        }
    };
    let rows = FORMS.iter().map(row).collect_view();
    let choice = |all: bool, name: &'static str| {
        view! {
            <label class={"export-choice"}>
                <input type={"radio"} name={"export-of"} value={if all { "chat" } else { "turn" }} prop:checked=move || whole.get() == all
                    on:change=move |_| {
                        whole.set(all);
                        if !preparing() {
                            stand.set(Stand::Idle);
                        }
                    } />
                {name}
            </label>
        }
    };
    let of = source.with_value(|source| source.turn.is_some()).then(|| {
        view! {
            <fieldset class={"export-of"}>
                <legend class={"export-name"}>{"What"}</legend>
                {choice(false, "This turn")}
                {choice(true, "The whole chat")}
            </fieldset>
        }
    });
    view! {
        <div class={"export"}>
            {of}
            <ul class={"export-forms"}>{rows}</ul>
            {move || match stand.get() {
                Stand::Idle => view! { <p class={"desk-note"} role={"status"}>{"A file holds all that was said, also what tools were given and gave back. Look before you pass it on."}</p> }.into_any(),
                Stand::Preparing(name) => view! { <p class={"desk-note"} role={"status"}>{format!("The adapter writes it: {name}. A long chat takes a few seconds.")}</p> }.into_any(),
                Stand::Saved(name) => view! { <p class={"desk-note"} role={"status"} data-saved=name.clone()>{format!("Handed to the browser: {}", visible(&name))}</p> }.into_any(),
                Stand::Failed(why) => view! { <p class={"doctor-refused"} role={"alert"}>{visible(&why).into_owned()}</p> }.into_any(),
            }}
            {move || {
                let path = source.with_value(|source| source.path("json", whole.get()));
                view! { <Diagnostic path /> }
            }}
        </div>
    }
}

/// The diagnostic: shown before it is copied, so that nobody has to believe what is in it.
#[component]
fn Diagnostic(path: String) -> impl IntoView {
    let shown = RwSignal::new(None::<Result<String, String>>);
    let said = RwSignal::new("Copy");
    let prepare = move |_: MouseEvent| {
        let path = path.clone();
        spawn_local(async move {
            let answer = match answer(&path).await {
                Ok(response) => adapter::text(&response).await.ok_or_else(|| BROKEN.to_owned()),
                Err(why) => Err(why),
            };
            let _ = shown.try_set(Some(answer));
        });
    };
    let copy = move |_: MouseEvent| {
        let (Some(window), Some(Ok(text))) = (web_sys::window(), shown.get_untracked()) else { return };
        let written = window.navigator().clipboard().write_text(&format!("```json\n{text}\n```\n"));
        spawn_local(async move {
            // Where the browser forbids it, the text is there to be selected.
            let words = if JsFuture::from(written).await.is_ok() { "Copied" } else { "Select it" };
            let _ = said.try_set(words);
        });
    };
    view! {
        <div class={"export-form"}>
            <p class={"export-name"}>{"Diagnostic"}</p>
            <p class={"desk-note"}>{"For a bug report: kinds of frames, counts, sizes, times and codes. No text of a message, a tool or a file is in it."}</p>
            {move || if matches!(shown.get(), Some(Ok(_))) {
                view! { <button type={"button"} class={"button"} data-export={"copy"} on:click=copy>{move || said.get()}</button> }.into_any()
            } else {
                view! { <button type={"button"} class={"button"} data-export={"json"} on:click=prepare.clone()>{"Show"}</button> }.into_any()
            }}
        </div>
        {move || shown.get().map(|answer| match answer {
            Ok(text) => view! { <pre class={"export-preview"} tabindex={"0"} role={"region"} aria-label={"The diagnostic"}>{visible(&text).into_owned()}</pre> }.into_any(),
            Err(why) => view! { <p class={"doctor-refused"} role={"alert"}>{visible(&why).into_owned()}</p> }.into_any(),
        })}
    }
}

/// The adapter's answer, if it is one that holds a file.
async fn answer(path: &str) -> Result<Response, String> {
    adapter::fetch(path, PATIENCE_MS).await.map_err(|why| match why {
        Unanswered::Unreachable => UNREACHABLE.to_owned(),
        Unanswered::Unpaired => UNPAIRED.to_owned(),
        Unanswered::Unknown => UNKNOWN.to_owned(),
        Unanswered::Refused(words) => words,
    })
}

/// The file and its name.
async fn file(path: &str) -> Result<(String, Blob), String> {
    let response = answer(path).await?;
    let disposition = response.headers().get("content-disposition").ok().flatten();
    let name = disposition.and_then(|words| file_name(&words)).unwrap_or_else(|| NAMELESS.to_owned());
    let blob = JsFuture::from(response.blob().map_err(|_| BROKEN)?).await.map_err(|_| BROKEN)?;
    Ok((name, blob.dyn_into().map_err(|_| BROKEN)?))
}

/// `attachment; filename*=UTF-8''NAME`.
fn file_name(disposition: &str) -> Option<String> {
    let (_, name) = disposition.split_once("filename*=UTF-8''")?;
    let name = String::from(js_sys::decode_uri_component(name).ok()?);
    Some(name).filter(|name| !name.is_empty())
}

/// An address for something in this page's memory, given back on dropping.
struct Object(String);

impl Drop for Object {
    fn drop(&mut self) {
        // It fails only for what is no address.
        let _ = Url::revoke_object_url(&self.0);
    }
}

/// Lets the browser save it. The object stays until the page closes or the next one comes: browsers read it later.
fn hand_over(name: &str, blob: &Blob) -> Option<Object> {
    let object = Object(Url::create_object_url_with_blob(blob).ok()?);
    let link = web_sys::window()?.document()?.create_element("a").ok()?;
    link.set_attribute("href", &object.0).ok()?;
    link.set_attribute("download", name).ok()?;
    link.dyn_into::<HtmlElement>().ok()?.click();
    Some(object)
}
