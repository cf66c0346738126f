//! The lines: a table where there is room, cards where there is none. What is to say of a cut one opens on demand.

use iris_core::format::{count, duration, one_line, visible};
use iris_core::stall::record::{CutBy, StreamRecord};
use js_sys::Date;
use leptos::prelude::*;
use wasm_bindgen::JsValue;
use web_sys::MouseEvent;

use crate::pages::doctor;
use crate::pages::doctor::ticked;
use crate::sheet;

/// Characters of what stands in one line.
const WORDS: usize = 80;
/// The latest time that a browser can name, milliseconds.
const LATEST_MS: f64 = 8.64e15;
const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// All of them. A table that is drawn as cards is none to a screen reader unless it says that it is one.
pub(super) fn table(records: &[StreamRecord]) -> AnyView {
    let heads = ["When", "Model and chat", "Took", "First text", "Size", "End"]
        .map(|name| view! { <th scope={"col"} role={"columnheader"}>{name}</th> }.into_any());
    let rows = records.iter().map(row).collect_view();
    view! {
        <table class={"streams-table"} role={"table"} aria-label={"Streamed replies"}>
            <thead role={"rowgroup"}><tr role={"row"}>{heads.into_iter().collect_view()}</tr></thead>
            <tbody role={"rowgroup"}>{rows}</tbody>
        </table>
    }
    .into_any()
}

fn row(record: &StreamRecord) -> AnyView {
    let cause = record.cause();
    let class = match cause {
        None => "streamed",
        // What somebody wanted is no trouble.
        Some(CutBy::User | CutBy::Redirected) => "streamed is-ended",
        Some(_) => "streamed is-cut",
    };
    let model = record.model.as_deref().map_or_else(|| "unknown".to_owned(), said);
    let tokens = record.output_tokens.map(|tokens| part(format!("{} tokens", count(tokens))));
    view! {
        <tr class=class role={"row"}>
            <td class={"stream-when"} role={"cell"}>{when(record.started_ms)}</td>
            <td class={"stream-who"} role={"cell"}><span class={"stream-model"}>{model}</span>{chat(record)}</td>
            <td class={"stream-took"} role={"cell"} data-label={"took"}>{time(record.duration_ms)}</td>
            <td class={"stream-first"} role={"cell"} data-label={"first text"}>{first(record)}</td>
            <td class={"stream-size"} role={"cell"}>{format!("{} characters", count(record.text_chars))}{tokens}</td>
            <td class={"stream-end"} role={"cell"}>{end(record, cause)}</td>
        </tr>
    }
    .into_any()
}

/// The time of this device's clock.
fn when(ms: u64) -> AnyView {
    let date = Date::new(&JsValue::from_f64((ms as f64).min(LATEST_MS)));
    let month =
        usize::try_from(date.get_month()).ok().and_then(|at| MONTHS.get(at)).copied().unwrap_or_default();
    let day = format!("{} {month} {}", date.get_date(), date.get_full_year());
    let clock = format!("{:02}:{:02}:{:02}", date.get_hours(), date.get_minutes(), date.get_seconds());
    let exact = String::from(date.to_iso_string());
    view! { <time class={"stream-time"} datetime=exact>{clock}</time>{part(day)} }.into_any()
}

/// The way to the chat.
fn chat(record: &StreamRecord) -> Option<AnyView> {
    let title = record.chat_title.as_deref()?;
    let address = format!("#chat={}", String::from(js_sys::encode_uri_component(&record.chat)));
    Some(
        view! { <a class={"stream-chat"} href=address on:click=|_: MouseEvent| sheet::close()>{said(title)}</a> }
            .into_any(),
    )
}

/// When the first text came, or what came instead.
fn first(record: &StreamRecord) -> AnyView {
    let thought = record.first_reasoning_ms.map(|ms| part(format!("thought after {}", time(ms))));
    let text = record.first_text_ms.map_or_else(|| "none".to_owned(), time);
    view! { {text}{thought} }.into_any()
}

/// How it ended; of a cut one what that means, in whose words, and what decides it.
fn end(record: &StreamRecord, cause: Option<CutBy>) -> AnyView {
    let again = (record.attempt > 1).then(|| part(format!("attempt {}", record.attempt)));
    let Some(cause) = cause else {
        return view! { {"Finished"}{again} }.into_any();
    };
    let silent = record.silent_ms.map(|ms| part(format!("after {} of silence", time(ms))));
    let why =
        record.why.as_deref().map(|why| view! { <p class={"stream-why"}>{visible(why).into_owned()}</p> });
    view! {
        <details class={"stream-more"}>
            <summary>{format!("Cut by {}", cause.words())}{silent}{again}</summary>
            <p>{cause.meaning()}</p>
            {why}
            {decided(record, cause)}
        </details>
    }
    .into_any()
}

/// The settings, and the way to what they are.
fn decided(record: &StreamRecord, cause: CutBy) -> Option<AnyView> {
    let settings = record.settings();
    if settings.is_empty() {
        return None;
    }
    let names: Vec<String> = settings.iter().map(|change| format!("`{}`", change.setting)).collect();
    let model = record.model.clone().unwrap_or_default();
    let ask = move |_: MouseEvent| doctor::ask_about(&model, cause.timers());
    Some(
        view! {
            <p>{ticked(&format!("Decided by {}.", names.join(", ")))}</p>
            <button type={"button"} class={"button"} data-action={"ask-doctor"} on:click=ask>{"Ask the doctor…"}</button>
        }
        .into_any(),
    )
}

/// What stands below something, smaller.
fn part(words: String) -> AnyView {
    view! { <span class={"stream-part"}>{words}</span> }.into_any()
}

fn time(ms: u64) -> String {
    duration(ms as f64 / 1_000.0)
}

fn said(text: &str) -> String {
    one_line(&visible(text), WORDS)
}
