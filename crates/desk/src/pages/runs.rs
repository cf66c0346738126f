//! The page on which recorded runs are opened: picked, dropped or pasted; and what is said of a file that is none.

use iris_core::format::visible;
use leptos::prelude::*;
use web_sys::{Event, HtmlInputElement, MouseEvent};

use crate::icon::{Glyph, Icon};
use crate::replay;

/// The page.
#[component]
pub fn Runs() -> impl IntoView {
    let input = NodeRef::<leptos::html::Input>::new();
    let refused = replay::take_refused();
    let over = RwSignal::new(false);
    let pick = move |_: MouseEvent| {
        if let Some(input) = input.get_untracked() {
            input.click();
        }
    };
    let picked = move |event: Event| {
        let input = event_target::<HtmlInputElement>(&event);
        let files = replay::in_list(input.files());
        input.set_value("");
        replay::open(files);
    };
    // The whole page takes what is dropped and pasted.
    StoredValue::new_local(replay::listeners().collect::<Vec<_>>());
    view! {
        <div class={"runs"}>
            {refused.into_iter().map(refusal).collect_view()}
            <div class={"runs-place"} class:over=move || over.get() on:dragover=move |_| over.set(true) on:dragleave=move |_| over.set(false) on:drop=move |_| over.set(false)>
                <Icon glyph=Glyph::Open />
                <p class={"runs-words"}>{"Drop recorded runs here"}</p>
                <button type={"button"} class={"button primary"} data-action={"pick-run"} on:click=pick>{"Choose files…"}</button>
                <input type={"file"} hidden=true multiple=true node_ref=input on:change=picked />
            </div>
            <label class={"runs-paste"}>
                <span class={"runs-label"}>{"Or paste the lines"}</span>
                <textarea class={"runs-text"} data-paste={""} rows={"3"} placeholder="{\"type\":\"system\",\"subtype\":\"init\", …"></textarea>
            </label>
            <p class={"desk-note"}>
                {"A run is what "}
                <code class={"desk-code"}>{"hermes chat -q … --format stream-json > run.jsonl"}</code>
                {" writes, or a recording that Iris exported. It is read on this device and goes nowhere; several files become several chats."}
            </p>
        </div>
    }
}

/// What a file is that is no run.
fn refusal((name, why): (String, String)) -> AnyView {
    view! {
        <section class={"runs-refused"} role={"alert"}>
            <strong>{visible(&name).into_owned()}</strong>
            <p>{why}</p>
        </section>
    }
    .into_any()
}
