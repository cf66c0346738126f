//! The log reader's page: a piece of `agent.log`, and what happened in it, in order.
//!
//! It is read on this device and goes nowhere. Owns the page, not the reading: that is the core's.

use iris_core::format::visible;
use iris_core::stall::log::{Change, LogEvent, LogReading, Weight, read};
use leptos::prelude::*;

use super::doctor::ticked;
use super::field::TextField;

/// So many events are drawn; the rest is counted.
const LISTED: usize = 500;
const PLACEHOLDER: &str = "Paste lines of ~/.hermes/logs/agent.log, one is enough, or drop the file here";

/// The page.
#[component]
pub fn Log() -> impl IntoView {
    let text = RwSignal::new(String::new());
    let reading = Memo::new(move |_| text.with(|text| read(text)));
    view! {
        <div class={"log-reader"}>
            <TextField text label={"agent.log"} placeholder=PLACEHOLDER rows={"8"} accept={".log,.txt,text/*"} />
            {move || reading.with(story)}
        </div>
    }
}

fn story(reading: &LogReading) -> AnyView {
    if reading.lines == 0 {
        return view! { <p class={"desk-note"}>{"What cut a stream, what Hermes did about it, and which setting changes that. The text is read on this device and goes nowhere."}</p> }.into_any();
    }
    if reading.events.is_empty() {
        let lines = if reading.lines == 1 {
            "This line says".to_owned()
        } else {
            format!("These {} lines say", reading.lines)
        };
        return view! {
            <p class={"desk-note"} role={"status"}>
                {format!("{lines} nothing about a model call. Hermes writes such things into logs/agent.log in its home; look for “stale”, “Stream drop” or “API call failed”.")}
            </p>
        }
        .into_any();
    }
    let summary = reading
        .summary
        .iter()
        .map(|sentence| view! { <p class={"log-sentence"}>{sentence.clone()}</p> })
        .collect_view();
    let events = reading.events.iter().take(LISTED).map(event).collect_view();
    let more = reading.events.len().saturating_sub(LISTED);
    view! {
        <section class={"log-story"}>
            <div class={"log-summary"} role={"status"}>{summary}</div>
            {changes(&reading.changes)}
            <h3 class={"doctor-title"}>{"What happened"}</h3>
            <ol class={"log-events"}>{events}</ol>
            {(more > 0).then(|| view! { <p class={"desk-note"}>{format!("And {more} more.")}</p> })}
            <p class={"desk-note"}>{counted(reading)}</p>
        </section>
    }
    .into_any()
}

/// How much was read, and how much said nothing.
fn counted(reading: &LogReading) -> String {
    let mut words =
        format!("{} lines, of which {} say nothing about a model call", reading.lines, reading.passed_over);
    if reading.continued > 0 {
        words.push_str(&format!(" and {} belong to a line before them", reading.continued));
    }
    words.push_str(if reading.cut { "; the rest of the log is not read." } else { "." });
    words
}

fn event(event: &LogEvent) -> AnyView {
    let class = match event.weight {
        Weight::Info => "log-event",
        Weight::Warning => "log-event warn",
        Weight::Error => "log-event bad",
    };
    // The day is seldom of interest, the time always.
    let at = event
        .at
        .as_deref()
        .map(|at| at.get(at.len().saturating_sub(12)..).filter(|_| at.len() > 12).unwrap_or(at).to_owned());
    let times = (event.times > 1).then(|| format!(" (×{})", event.times));
    let why = (!event.why.is_empty()).then(|| view! { <p class={"log-why"}>{ticked(&event.why)}</p> });
    view! {
        <li class=class>
            <span class={"log-at"} title=format!("Line {}", event.line)>{at.unwrap_or_else(|| format!("line {}", event.line))}</span>
            <div class={"log-what"}>
                <p class={"log-title"}>{visible(&event.title).into_owned()}{times}</p>
                {why}
            </div>
        </li>
    }
    .into_any()
}

/// The settings behind it.
fn changes(changes: &[Change]) -> Option<AnyView> {
    if changes.is_empty() {
        return None;
    }
    let row = |change: &Change| {
        view! {
            <li class={"log-change"}>
                <code class={"desk-code"}>{visible(&change.setting).into_owned()}</code>
                <span class={"log-why"}>{format!("{}. In {}.", change.what, change.file)}</span>
            </li>
        }
    };
    let rows = changes.iter().map(row).collect_view();
    Some(view! { <section class={"doctor-part"}><h3 class={"doctor-title"}>{"Settings that decide it"}</h3><ul class={"log-changes"}>{rows}</ul></section> }.into_any())
}
