//! Every timer with its value; the chain of rules behind it opens on demand.

use iris_core::stall::timers::{Rule, Step, Timer, TimerId};
use leptos::html::Details;
use leptos::prelude::*;
use web_sys::Element;

use super::warnings::ticked;

/// All of them; those that somebody asks for are unfolded, and the first of them is brought into sight.
pub(super) fn view(timers: &[Timer], unfolded: &[TimerId]) -> AnyView {
    let first = timers.iter().map(|timer| timer.id).find(|id| unfolded.contains(id));
    let rows = timers.iter().map(|timer| row(timer, unfolded, first)).collect_view();
    view! {
        <section class={"doctor-part"}>
            <h3 class={"doctor-title"}>{"Timers"}</h3>
            <div class={"timers"}>{rows}</div>
        </section>
    }
    .into_any()
}

fn row(timer: &Timer, unfolded: &[TimerId], first: Option<TimerId>) -> AnyView {
    let place = NodeRef::<Details>::new();
    if first == Some(timer.id) {
        Effect::new(move |_| {
            if let Some(place) = place.get() {
                let place: &Element = &place;
                // It is not on the page before this task is over.
                let place = place.clone();
                request_animation_frame(move || place.scroll_into_view());
            }
        });
    }
    let open = unfolded.contains(&timer.id);
    let decided = timer.decided_by().map(|source| {
        let place =
            source.place.map(|place| format!(", {} line {}", place.file, place.line)).unwrap_or_default();
        format!("`{}`{place}", source.name)
    });
    let last = timer.chain.last().map(|step| step.why.clone()).unwrap_or_default();
    let from = decided.unwrap_or(last);
    let steps = timer.chain.iter().map(step).collect_view();
    let id =
        serde_json::to_value(timer.id).ok().and_then(|id| id.as_str().map(str::to_owned)).unwrap_or_default();
    view! {
        <details class={"timer"} data-timer=id open=open node_ref=place>
            <summary class={"timer-head"}>
                <span class={"timer-name"}>{timer.name.clone()}</span>
                <span class={"timer-value"}>{timer.value.to_string()}</span>
                <span class={"timer-from"}>{ticked(&from)}</span>
            </summary>
            <p class={"timer-what"}>{ticked(&format!("{}.", timer.what))}</p>
            <ol class={"timer-chain"}>{steps}</ol>
        </details>
    }
    .into_any()
}

fn step(step: &Step) -> AnyView {
    let place = step
        .from
        .as_ref()
        .and_then(|source| source.place)
        .map(|place| format!(" ({} line {})", place.file, place.line));
    let class = if step.rule == Rule::Ignored { "timer-step ignored" } else { "timer-step" };
    view! {
        <li class=class>
            <span class={"timer-value"}>{step.value.to_string()}</span>
            <span>{ticked(&step.why)}{place}</span>
        </li>
    }
    .into_any()
}
