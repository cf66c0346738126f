//! The settings of this device, in a native dialog. Each acts at once.

use iris_core::format::decimal;
use iris_core::settings::{Settings, Theme, ToolDetail};
use leptos::html;
use leptos::prelude::*;
use web_sys::HtmlInputElement;

use super::icon::{Glyph, Icon};
use super::store;

const TOOL_DETAILS: [(ToolDetail, &str, &str); 3] = [
    (ToolDetail::Everything, "Everything", "Name, all arguments and the output"),
    (ToolDetail::Truncated, "Truncated", "One line a tool, more when you open it"),
    (ToolDetail::Nothing, "Nothing", "No tools, only a quiet line while they work"),
];
const THEMES: [(Theme, &str, &str); 3] = [
    (Theme::Auto, "Auto", "Light or dark, as this device has it"),
    (Theme::Light, "Light", "Always light"),
    (Theme::Dark, "Dark", "Always dark"),
];

/// The sheet. Escape, the button and a press beside it close it; the focus goes back to where it was.
#[component]
pub fn SettingsSheet(
    /// Whether it is open.
    open: RwSignal<bool>,
) -> impl IntoView {
    let dialog = NodeRef::<html::Dialog>::new();
    Effect::new(move |_| {
        let Some(dialog) = dialog.get() else { return };
        match (open.get(), dialog.open()) {
            // It fails only when the dialog is open already.
            (true, false) => drop(dialog.show_modal()),
            (false, true) => dialog.close(),
            _ => {}
        }
    });
    // The backdrop belongs to the dialog itself; everything drawn is inside the panel.
    let beside = move |event: web_sys::MouseEvent| {
        if event.target() == event.current_target() {
            open.set(false);
        }
    };
    view! {
        <dialog
            class={"sheet"}
            node_ref=dialog
            aria-label={"Settings"}
            on:close=move |_| open.set(false)
            on:click=beside
        >
            {move || open.get().then(|| view! { <Panel open /> })}
        </dialog>
    }
}

#[component]
fn Panel(open: RwSignal<bool>) -> impl IntoView {
    let store = store();
    let settings = RwSignal::from(store.settings);
    let backend = RwSignal::from(store.backend);
    let change = Callback::new(move |change: Change| settings.update(|settings| change.apply(settings)));
    let detail = Memo::new(move |_| settings.with(|s| s.tool_detail));
    let theme = Memo::new(move |_| settings.with(|s| s.theme));
    view! {
        <div class={"sheet-panel"}>
            <header class={"sheet-head"}>
                <h2 class={"sheet-title"}>{"Settings"}</h2>
                <button
                    type={"button"}
                    class={"icon-button"}
                    aria-label={"Close"}
                    title={"Close"}
                    on:click=move |_| open.set(false)
                >
                    <Icon glyph=Glyph::Cross />
                </button>
            </header>
            <Streaming settings change />
            <Speed settings change />
            <Choices name="tool-detail" title="Tool detail" options=TOOL_DETAILS now=detail
                choose=Callback::new(move |detail| change.run(Change::Detail(detail))) />
            <Choices name="theme" title="Theme" options=THEMES now=theme
                choose=Callback::new(move |theme| change.run(Change::Theme(theme))) />
            <p class={"sheet-note"}>
                {"Kept on this device."}
                {move || backend.get().map(|backend| {
                    let model = backend.model.map(|model| format!(" with {model}")).unwrap_or_default();
                    format!(" Connected to {}{model}.", backend.label)
                })}
            </p>
        </div>
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
    let on = Memo::new(move |_| settings.with(|settings| settings.streaming));
    view! {
        <label class={"setting row"} data-setting={"streaming"}>
            <span class={"setting-words"}>
                <span class={"setting-title"}>{"Streaming"}</span>
                <span class={"setting-hint"}>
                    {move || if on.get() { "Text appears while it is written" } else { "Each reply appears once, complete" }}
                </span>
            </span>
            <input
                class={"switch"}
                type={"checkbox"}
                role={"switch"}
                prop:checked=on
                on:change=move |event| change.run(Change::Streaming(event_target_checked(&event)))
            />
        </label>
    }
}

#[component]
fn Speed(settings: RwSignal<Settings>, change: Callback<Change>) -> impl IntoView {
    let speed = Memo::new(move |_| settings.with(|settings| settings.speed));
    let off = Memo::new(move |_| settings.with(|settings| !settings.streaming));
    let rate = move || settings.with(|settings| settings.characters_per_second().round() as u64);
    let slid = move |event| {
        let speed = event_target::<HtmlInputElement>(&event).value_as_number();
        if speed.is_finite() {
            change.run(Change::Speed(speed));
        }
    };
    view! {
        <label class={"setting"} class:off=off data-setting={"speed"}>
            <span class={"setting-words wide"}>
                <span class={"setting-title"}>{"Streaming speed"}</span>
                <span class={"setting-value"}>{move || format!("{} characters a second", rate())}</span>
            </span>
            <input
                class={"slider"}
                type={"range"}
                min=decimal(*Settings::SPEED.start(), 2)
                max=decimal(*Settings::SPEED.end(), 2)
                step={"0.05"}
                prop:value=move || decimal(speed.get(), 2)
                prop:disabled=off
                aria-valuetext=move || format!("{} seconds, {} characters a second", decimal(speed.get(), 2), rate())
                on:input=slid
            />
            <span class={"slider-ends"} aria-hidden={"true"}>
                <span>{"Fast, 0.2 s"}</span>
                <span>{"Calm, 0.8 s"}</span>
            </span>
        </label>
    }
}

#[component]
fn Choices<T>(
    name: &'static str,
    title: &'static str,
    options: [(T, &'static str, &'static str); 3],
    now: Memo<T>,
    choose: Callback<T>,
) -> impl IntoView
where
    T: Copy + PartialEq + Send + Sync + 'static,
{
    let hint = move || options.iter().find(|(value, ..)| *value == now.get()).map_or("", |(.., hint)| hint);
    let radio = move |(value, label, _): (T, &'static str, &'static str)| {
        view! {
            <label class={"segment"}>
                <input
                    class={"segment-input"}
                    type={"radio"}
                    name=name
                    value=label.to_lowercase()
                    prop:checked=move || now.get() == value
                    on:change=move |_| choose.run(value)
                />
                <span class={"segment-label"}>{label}</span>
            </label>
        }
    };
    view! {
        <fieldset class={"setting"} data-setting=name>
            <legend class={"setting-title"}>{title}</legend>
            <div class={"segments"}>{options.map(radio).into_iter().collect_view()}</div>
            <p class={"setting-hint"} aria-live={"polite"}>{hint}</p>
        </fieldset>
    }
}
