//! The page of a device that the adapter does not know yet: a code, a name, one button.

use leptos::prelude::*;

use super::icon::Mark;
use super::store;
use super::trouble::with_code;
use crate::fixed::fixed;
use crate::held::Held;
use crate::hooks::device_name;
use crate::reactive::{dynamic, effect, handler, memo, optional};
use crate::store::{Intent, Pairing as Stand};

/// The page.
#[component]
pub fn Pairing() -> impl IntoView {
    let store = store();
    let pairing = RwSignal::from(store.pairing.clone());
    let given = pairing.with_untracked(|stand| match stand {
        Stand::Ask { code, .. } => code.clone(),
        _ => None,
    });
    let code = RwSignal::new(given.unwrap_or_default());
    // A code that came with the link is asked for only when it did not work.
    let asks = RwSignal::new(code.with_untracked(String::is_empty));
    effect(move || {
        if pairing.with(|stand| matches!(stand, Stand::Failed(_))) {
            asks.set(true);
        }
    });
    let name = RwSignal::new(device_name());
    let working = memo(move || pairing.with(|stand| *stand == Stand::Working));
    let ready = memo(move || {
        let blank = |text: &String| text.trim().is_empty();
        !(working.get() || code.with(blank) || name.with(blank))
    });
    let submit = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        if ready.get_untracked() {
            let text = |signal: RwSignal<String>| signal.with_untracked(|text| text.trim().to_owned());
            store.ask_for(Intent::Pair { code: text(code), name: text(name) });
        }
    };
    view! {
        <main {..fixed(&[("class", "pairing"), ("data-pairing", "")])}>
            <form class={"pairing-form"} on:submit=handler(submit)>
                <Mark />
                <h1 class={"pairing-title"}>{"Connect this device"}</h1>
                <p class={"pairing-lead"}>
                    {"Your Hermes talks only to devices that you have connected. Each is connected once."}
                </p>
                {optional(move || asks.get().then(|| view! { <Code code /> }))}
                <label class={"field"}>
                    <span class={"field-name"}>{"Name of this device"}</span>
                    <input
                        {..fixed(&[
                            ("class", "field-input"), ("type", "text"), ("name", "device"), ("autocomplete", "off"),
                            ("maxlength", "60"),
                        ])}
                        prop:value=move || name.get()
                        on:input=handler(move |event| name.set(event_target_value(&event)))
                    />
                </label>
                <button {..fixed(&[("type", "submit"), ("class", "button primary pairing-go"), ("data-action", "pair")])} prop:disabled=move || !ready.get()>
                    {move || if working.get() { "Connecting…" } else { "Connect" }}
                </button>
                <div {..fixed(&[("class", "pairing-trouble"), ("role", "alert")])}>{dynamic(move || pairing.with(trouble))}</div>
            </form>
        </main>
    }
}

/// What did not work; the code's own hint says what to do.
fn trouble(stand: &Stand) -> AnyView {
    match stand {
        Stand::Failed(why) => with_code(why),
        _ => ().into_any(),
    }
}

#[component]
fn Code(code: RwSignal<String>) -> impl IntoView {
    let field = Held::new();
    effect(move || {
        if let Some(field) = field.get::<web_sys::HtmlElement>() {
            // A field that cannot take the focus leaves it where it is.
            let _ = field.focus();
        }
    });
    view! {
        <label class={"field"}>
            <span class={"field-name"}>{"Pairing code"}</span>
            <input
                {..fixed(&[
                    ("class", "field-input code"), ("type", "text"), ("name", "code"), ("autocomplete", "off"),
                    ("autocapitalize", "none"), ("spellcheck", "false"),
                ])}
                node_ref=field
                prop:value=move || code.get()
                on:input=handler(move |event| code.set(event_target_value(&event)))
            />
            <span class={"field-hint"}>
                {with_code("Run `iris-adapter pair` on the computer that runs Iris, and open the link that it prints, or write its code here.")}
            </span>
        </label>
    }
}
