//! The controls of a replay, in the place of the composer: play and pause, speed, the strip with its slider, tool by tool, and
//! the summary.

use std::time::Duration;

use iris_core::format;
use iris_core::run::Speed;
use leptos::prelude::*;
use web_sys::{HtmlInputElement, MouseEvent};

use super::panel::Panel;
use super::strip_view::StripPicture;
use super::{Signals, leave, order, position};
use crate::icon::{Glyph, Icon};
use crate::sheet;
use crate::wire::{Order, State, Strip};

/// How often the clock is looked at while it runs.
const TICK: Duration = Duration::from_millis(100);
const SPEEDS: [(Speed, &str, &str); 4] = [
    (Speed::Original, "×1", "As fast as it was"),
    (Speed::Double, "×2", "Twice as fast"),
    (Speed::Tenfold, "×10", "Ten times as fast"),
    (Speed::Instant, "All", "Everything at once"),
];

/// The controls.
#[component]
pub fn Controls(
    /// Of the replay.
    signals: Signals,
) -> impl IntoView {
    let at = clock(signals);
    let state = signals.state;
    let playing = Memo::new(move |_| state.with(|(state, _)| state.playing));
    let end = Memo::new(move |_| state.with(|(state, _)| state.end_ms));
    let slid = move |event| {
        let to = event_target::<HtmlInputElement>(&event).value_as_number();
        order(&Order::Seek { to_ms: to as u64 });
    };
    let strip = signals.strip;
    view! {
        <div class={"player-box"} role={"group"} aria-label={"Recorded run"}>
            <div class={"player-strip"}>
                <StripPicture signals />
                <span class={"player-head"} aria-hidden={"true"} style:left=move || percent(at.get(), end.get())></span>
                <input
                    class={"player-seek"}
                    type={"range"}
                    min={"0"}
                    step={"any"}
                    aria-label={"Time"}
                    max=move || end.get().to_string()
                    prop:value=move || at.get().to_string()
                    aria-valuetext=move || strip.with(|strip| in_words(strip, at.get(), end.get()))
                    on:input=slid
                />
            </div>
            <div class={"player-row"}>
                <button type={"button"} class={"icon-button player-play"} data-action={"play"}
                    title=move || if playing.get() { "Pause (space)" } else { "Play (space)" }
                    aria-label=move || if playing.get() { "Pause" } else { "Play" }
                    on:click=move |_: MouseEvent| order(&if playing.get_untracked() { Order::Pause } else { Order::Play })
                >
                    {move || view! { <Icon glyph=if playing.get() { Glyph::Pause } else { Glyph::Play } /> }}
                </button>
                <span class={"player-time"}>
                    <span data-time={""}>{move || clock_face(at.get())}</span>
                    <span class={"player-total"}>{move || format!(" / {}", clock_face(end.get()))}</span>
                </span>
                <Speeds signals />
                <ToolSteps signals />
                // How far the reading is, nobody has to hear.
                <span class={"player-note"} role={"status"} aria-live=move || state.with(|(state, _)| if state.complete { "polite" } else { "off" })>{move || note(&state.get().0, &strip.get(), at.get())}</span>
                <button type={"button"} class={"button player-word"} data-action={"summary"} aria-expanded=move || signals.panel.get().to_string()
                    on:click=move |_: MouseEvent| signals.panel.update(|open| *open = !*open)
                >
                    {"Summary"}
                </button>
                <button type={"button"} class={"icon-button"} data-action={"open-run"} aria-label={"Open another run"}
                    title={"Open another run…"} on:click=move |_: MouseEvent| sheet::open("replay")
                >
                    <Icon glyph=Glyph::Open />
                </button>
                <button type={"button"} class={"icon-button"} data-action={"leave"} aria-label={"Leave the replay"}
                    title={"Leave the replay"} on:click=move |_: MouseEvent| leave()
                >
                    <Icon glyph=Glyph::Cross />
                </button>
            </div>
            <Panel signals />
        </div>
    }
}

/// Where the player stands, played milliseconds; moves while it plays.
fn clock(signals: Signals) -> RwSignal<u64> {
    let at = RwSignal::new(0);
    let look = move || {
        let now = signals.state.with_untracked(|(state, said)| position(state, *said));
        if at.get_untracked() != now {
            at.set(now);
        }
    };
    let playing = Memo::new(move |_| signals.state.with(|(state, _)| state.playing));
    Effect::new(move |_| {
        signals.state.track();
        look();
    });
    Effect::new(move |_| {
        let timer = playing.get().then(|| set_interval_with_handle(look, TICK).ok()).flatten();
        // Stopped before it starts anew, and with the controls.
        on_cleanup(move || timer.into_iter().for_each(|timer| timer.clear()));
    });
    at
}

/// `0:07`, `1:02:03`.
fn clock_face(ms: u64) -> String {
    let seconds = ms / 1_000;
    let (hours, minutes, seconds) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
    match hours {
        0 => format!("{minutes}:{seconds:02}"),
        _ => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

fn percent(at: u64, end: u64) -> String {
    let thousandths = u128::from(at.min(end)) * 1_000 / u128::from(end.max(1));
    format!("{}.{}%", thousandths / 10, thousandths % 10)
}

/// What the slider says of a moment.
fn in_words(strip: &Strip, at: u64, end: u64) -> String {
    let tool = strip
        .names
        .iter()
        .rev()
        .find(|(from, _)| *from <= at)
        .map(|(_, name)| format!(", after {name} began"));
    format!("{} of {}{}", clock_face(at), clock_face(end), tool.unwrap_or_default())
}

/// The line that says what is not as one would think: a silence that is shortened, a file that is still read, damage.
fn note(state: &State, strip: &Strip, at: u64) -> String {
    if let Some(trouble) = &state.trouble {
        return trouble.clone();
    }
    let within = |from: u64| from <= at && at < from.saturating_add(iris_core::run::GAP_PLAYED_MS);
    if let Some(silence) = strip.silences.iter().find(|silence| within(silence.from_ms)) {
        let wait = if silence.wait.is_empty() {
            String::new()
        } else {
            format!(", waiting for {}", format::one_line(&silence.wait, 40))
        };
        return format!(
            "{} of silence, shortened{wait}",
            format::duration(silence.recorded_ms as f64 / 1_000.0)
        );
    }
    match state.complete {
        true => String::new(),
        false => format!("Reading, {} %", state.percent()),
    }
}

#[component]
fn Speeds(signals: Signals) -> impl IntoView {
    let now = Memo::new(move |_| signals.state.with(|(state, _)| state.speed));
    let radio = move |(speed, label, title): (Speed, &'static str, &'static str)| {
        view! {
            <button type={"button"} class={"speed"} data-speed=label title=title aria-pressed=move || (now.get() == speed).to_string()
                on:click=move |_: MouseEvent| {
                    order(&Order::Speed { speed });
                    if speed == Speed::Instant {
                        order(&Order::Play);
                    }
                }
            >
                {label}
            </button>
        }
        .into_any()
    };
    view! { <div class={"speeds"} role={"group"} aria-label={"Speed"}>{SPEEDS.map(radio).into_iter().collect_view()}</div> }
}

/// From tool to tool.
#[component]
fn ToolSteps(signals: Signals) -> impl IntoView {
    let any = Memo::new(move |_| signals.strip.with(|strip| strip.tool_count.0 > 0));
    move || {
        any.get().then(|| {
            view! {
                <div class={"steps"} role={"group"} aria-label={"Tools"}>
                    <button type={"button"} class={"icon-button"} data-action={"last-tool"} aria-label={"Last tool"}
                        title={"Last tool (shift + ←)"} on:click=|_: MouseEvent| order(&Order::Tool { forward: false })
                    >
                        <Icon glyph=Glyph::Last />
                    </button>
                    <button type={"button"} class={"icon-button"} data-action={"next-tool"} aria-label={"Next tool"}
                        title={"Next tool (shift + →)"} on:click=|_: MouseEvent| order(&Order::Tool { forward: true })
                    >
                        <Icon glyph=Glyph::Next />
                    </button>
                </div>
            }
        })
    }
}
