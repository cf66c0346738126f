//! The settings of this device, in a native dialog. Each acts at once.

use iris_core::format::decimal;
use iris_core::settings::{Settings, Theme, ToolDetail};
use leptos::prelude::*;
use web_sys::HtmlInputElement;

use super::icon::{Glyph, Icon};
use super::later::{Later, later};
use super::modal::Modal;
use super::store;
use crate::fixed::fixed;
use crate::reactive::handler;

/// A choice of several: what it changes, its name, and what it does.
type Choice = (Change, &'static str, &'static str);

const TOOL_DETAILS: [Choice; 3] = [
    (Change::Detail(ToolDetail::Everything), "Everything", "Name, all arguments and the output"),
    (Change::Detail(ToolDetail::Truncated), "Truncated", "One line a tool, more when you open it"),
    (Change::Detail(ToolDetail::Nothing), "Nothing", "No tools, only a quiet line while they work"),
];
const THEMES: [Choice; 3] = [
    (Change::Theme(Theme::Auto), "Auto", "Light or dark, as this device has it"),
    (Change::Theme(Theme::Light), "Light", "Always light"),
    (Change::Theme(Theme::Dark), "Dark", "Always dark"),
];

/// Pages of the desk, by the addresses that `boot.js` knows. Their sheet takes the place of this one.
const PAGES: [(&[(&str, &str)], &str); 4] = [
    (&[("href", "#replay")], "Open a recorded run…"),
    (&[("href", "#doctor")], "Doctor"),
    (&[("href", "#log")], "Log reader"),
    (&[("href", "#streams")], "Streamed replies"),
];

/// The sheet.
#[component]
pub fn SettingsSheet(
    /// Whether it is open.
    open: RwSignal<bool>,
) -> impl IntoView {
    // The way out is there before what it leads out of.
    view! {
        <Modal class="sheet" label="Settings" open>
            <div class={"sheet-panel"}>
                <header class={"sheet-head"}>
                    <h2 class={"sheet-title"}>{"Settings"}</h2>
                    <button
                        {..fixed(&[("type", "button"), ("class", "icon-button"), ("aria-label", "Close"), ("title", "Close")])}
                        on:click=handler(move |_| open.set(false))
                    >
                        <Icon glyph=Glyph::Cross />
                    </button>
                </header>
                {later(Later::Panel)}
            </div>
        </Modal>
    }
}

/// What stands in it.
#[component]
pub fn Panel() -> impl IntoView {
    let store = store();
    let settings = RwSignal::from(store.settings);
    let backend = store.backend;
    let change = Callback::new(move |change: Change| settings.update(|settings| change.apply(settings)));
    view! {
        <Streaming settings change />
        <Speed settings change />
        <Choices name="tool-detail" title="Tool detail" options=TOOL_DETAILS
            now=|now| Change::Detail(now.tool_detail) settings change />
        <Choices name="theme" title="Theme" options=THEMES
            now=|now| Change::Theme(now.theme) settings change />
        <p {..fixed(&[("class", "setting sheet-more")])}>
            {PAGES.map(|(address, name)| view! { <a {..fixed(address)}>{name}</a> }.into_any()).into_iter().collect_view()}
        </p>
        <p class={"sheet-note"}>
            {"Kept on this device."}
            {move || backend.get().map_or_else(String::new, |backend| {
                let model = backend.model.map(|model| format!(" with {model}")).unwrap_or_default();
                format!(" Connected to {}{model}.", backend.label)
            })}
        </p>
    }
}

/// One change to the settings.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Change {
    Streaming(bool),
    Speed(f64),
    Detail(ToolDetail),
    Theme(Theme),
}

impl Change {
    fn apply(self, settings: &mut Settings) {
        match self {
            Self::Streaming(on) => settings.streaming = on,
            Self::Speed(speed) => settings.speed = speed,
            Self::Detail(detail) => settings.tool_detail = detail,
            Self::Theme(theme) => settings.theme = theme,
        }
    }
}

#[component]
fn Streaming(settings: RwSignal<Settings>, change: Callback<Change>) -> impl IntoView {
    let on = move || settings.with(|settings| settings.streaming);
    view! {
        <label {..fixed(&[("class", "setting row"), ("data-setting", "streaming")])}>
            <span class={"setting-words"}>
                <span class={"setting-title"}>{"Streaming"}</span>
                <span class={"setting-hint"}>
                    {move || if on() { "Text appears while it is written" } else { "Each reply appears once, complete" }}
                </span>
            </span>
            <input
                {..fixed(&[("class", "switch"), ("type", "checkbox"), ("role", "switch")])}
                prop:checked=move || on()
                on:change=handler(move |event| change.run(Change::Streaming(event_target_checked(&event))))
            />
        </label>
    }
}

#[component]
fn Speed(settings: RwSignal<Settings>, change: Callback<Change>) -> impl IntoView {
    let speed = move || settings.with(|settings| settings.speed);
    let off = move || settings.with(|settings| !settings.streaming);
    let rate = move || settings.with(|settings| settings.characters_per_second().round() as u64);
    let slid = move |event| {
        let speed = event_target::<HtmlInputElement>(&event).value_as_number();
        if speed.is_finite() {
            change.run(Change::Speed(speed));
        }
    };
    view! {
        <label {..fixed(&[("class", "setting"), ("data-setting", "speed")])} class:off=off>
            <span class={"setting-words wide"}>
                <span class={"setting-title"}>{"Streaming speed"}</span>
                <span class={"setting-value"}>{move || format!("{} characters a second", rate())}</span>
            </span>
            <input
                {..fixed(&[("class", "slider"), ("type", "range"), ("step", "0.05")])}
                min=decimal(*Settings::SPEED.start(), 2)
                max=decimal(*Settings::SPEED.end(), 2)
                prop:value=move || decimal(speed(), 2)
                prop:disabled=move || off()
                aria-valuetext=move || format!("{} seconds, {} characters a second", decimal(speed(), 2), rate())
                on:input=handler(slid)
            />
            <span {..fixed(&[("class", "slider-ends"), ("aria-hidden", "true")])}>
                <span>{"Fast, 0.2 s"}</span>
                <span>{"Calm, 0.8 s"}</span>
            </span>
        </label>
    }
}

#[component]
fn Choices(
    name: &'static str,
    title: &'static str,
    options: [Choice; 3],
    now: fn(&Settings) -> Change,
    settings: RwSignal<Settings>,
    change: Callback<Change>,
) -> impl IntoView {
    let now = move || settings.with(now);
    let hint = move || options.iter().find(|(value, ..)| *value == now()).map_or("", |(.., hint)| hint);
    let radio = move |(value, label, _): Choice| {
        view! {
            <label class={"segment"}>
                <input
                    {..fixed(&[("class", "segment-input"), ("type", "radio")])}
                    name=name
                    value=label.to_lowercase()
                    prop:checked=move || now() == value
                    on:change=handler(move |_| change.run(value))
                />
                <span class={"segment-label"}>{label}</span>
            </label>
        }
        .into_any()
    };
    view! {
        <fieldset class={"setting"} data-setting=name>
            <legend class={"setting-title"}>{title}</legend>
            <div class={"segments"}>{options.map(radio).into_iter().collect_view()}</div>
            <p {..fixed(&[("class", "setting-hint"), ("aria-live", "polite")])}>{move || hint()}</p>
        </fieldset>
    }
}
