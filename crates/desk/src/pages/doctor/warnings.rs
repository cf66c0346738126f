//! The warnings: what is wrong, the line, why, and what to write, ready to be copied.

use iris_core::format::visible;
use iris_core::stall::Evidence;
use iris_core::stall::doctor::{Severity, Warning};
use iris_core::stall::timers::File;
use leptos::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::MouseEvent;

/// So many are drawn.
const LISTED: usize = 100;

/// All of them, the worst first.
pub(super) fn list(warnings: &[Warning]) -> AnyView {
    if warnings.is_empty() {
        return ().into_any();
    }
    let items = warnings.iter().take(LISTED).map(item).collect_view();
    view! { <ol class={"warnings"}>{items}</ol> }.into_any()
}

fn item(warning: &Warning) -> AnyView {
    let (class, word) = match warning.severity {
        Severity::Error => ("warning-item bad", "Does not work"),
        Severity::Warning => ("warning-item warn", "Look at this"),
        Severity::Hint => ("warning-item", "Good to know"),
    };
    let place = warning.place.map(|place| format!("{} line {}", place.file, place.line));
    let line = warning
        .line
        .as_deref()
        .map(|line| view! { <pre class={"warning-line"}>{visible(line).into_owned()}</pre> });
    view! {
        <li class=class data-rule=warning.id.clone()>
            <p class={"warning-head"}>
                <span class={"warning-word"}>{word}</span>
                {place.map(|place| view! { <span class={"warning-place"}>{place}</span> })}
            </p>
            <h4 class={"warning-title"}>{ticked(&warning.title)}</h4>
            {line}
            <p class={"warning-why"}>{ticked(&warning.why)}</p>
            {instead(warning)}
            <p class={"warning-versions"}>{versions(warning)}</p>
        </li>
    }
    .into_any()
}

/// Text with what stands between backticks as code.
pub(in crate::pages) fn ticked(text: &str) -> Vec<AnyView> {
    let part = |(index, part): (usize, &str)| {
        let part = visible(part).into_owned();
        if index % 2 == 1 {
            view! { <code class={"desk-code"}>{part}</code> }.into_any()
        } else {
            part.into_any()
        }
    };
    text.split('`').enumerate().map(part).collect()
}

/// What to write, and where it goes.
fn instead(warning: &Warning) -> Option<AnyView> {
    if warning.write.is_empty() {
        return None;
    }
    let file = warning.write_in.unwrap_or(File::Config);
    let where_to = match (&warning.under, warning.replaces) {
        (Some(under), _) if under.in_place => format!("In place of line {} of {file}:", under.line),
        (Some(under), _) => format!("Below `{}:` in line {} of {file}:", under.section, under.line),
        (None, true) => "In its place:".to_owned(),
        (None, false) => format!("Into {file}:"),
    };
    let lines = warning.write.join("\n");
    let said = RwSignal::new("Copy");
    let copy = {
        let lines = lines.clone();
        move |_: MouseEvent| {
            let Some(window) = web_sys::window() else { return };
            let written = window.navigator().clipboard().write_text(&lines);
            spawn_local(async move {
                // Where the browser forbids it, the lines are there to be selected.
                let words = if JsFuture::from(written).await.is_ok() { "Copied" } else { "Select it" };
                let _ = said.try_set(words);
            });
        }
    };
    Some(
        view! {
            <div class={"warning-write"}>
                <p class={"warning-where"}>
                    <span>{ticked(&where_to)}</span>
                    <button type={"button"} class={"button plain"} on:click=copy>{move || said.get()}</button>
                </p>
                <pre class={"warning-lines"}>{visible(&lines).into_owned()}</pre>
            </div>
        }
        .into_any(),
    )
}

fn versions(warning: &Warning) -> String {
    let known = match warning.versions.evidence {
        Evidence::Executed => "tried with Hermes' own code",
        Evidence::Observed => "seen in a recorded run",
        Evidence::Read => "read in Hermes' source",
        Evidence::Described => "from Hermes' description, not tried",
    };
    format!("Hermes {}, {known}", warning.versions.hermes)
}
