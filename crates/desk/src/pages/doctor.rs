//! The doctor's page: a configuration that is pasted, opened or read by the adapter, and what the core's doctor says of it.
//!
//! A text that stands here is examined here; it goes nowhere. Owns the page's parts and their order, no rule.

mod ask;
mod switches;
mod timers;
mod warnings;

use std::cell::RefCell;

use iris_core::format::visible;
use iris_core::stall::doctor::{ConfigState, DoctorInput, DoctorReport, Severity, examine};
use iris_core::stall::timers::TimerId;
use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;
use web_sys::MouseEvent;

use super::field::TextField;
use crate::sheet;

pub(super) use warnings::ticked;

/// Where the report on screen comes from.
#[derive(Clone, Debug, PartialEq)]
enum Given {
    /// From what stands in the fields.
    Here,
    /// From the adapter, which is still asked.
    Asked,
    /// From the adapter.
    There(Box<DoctorReport>),
    /// The adapter did not give one, for this reason.
    Refused(String),
}

/// What another page wants to know.
#[derive(Clone, Debug, Default)]
struct Question {
    model: String,
    timers: &'static [TimerId],
}

thread_local! {
    /// Asked of the page that is drawn next.
    static QUESTION: RefCell<Option<Question>> = const { RefCell::new(None) };
}

/// Opens the page with what the adapter says about this model, and with these timers unfolded.
pub(super) fn ask_about(model: &str, timers: &'static [TimerId]) {
    QUESTION.set(Some(Question { model: model.to_owned(), timers }));
    // Once the page that asks has done its part: what is made before that is taken away with it.
    spawn_local(async { sheet::open("doctor") });
}

/// The page.
#[component]
pub fn Doctor() -> impl IntoView {
    let question = QUESTION.take();
    let asked = question.is_some();
    let Question { model, timers } = question.unwrap_or_default();
    let config = RwSignal::new(String::new());
    let env = RwSignal::new(String::new());
    let model = RwSignal::new(model);
    let tokens = RwSignal::new(String::new());
    let given = RwSignal::new(Given::Here);
    // What is written anew is what counts.
    Effect::watch(
        move || {
            config.track();
            env.track();
        },
        move |(), _, _| given.set(Given::Here),
        false,
    );
    let here = Memo::new(move |_| {
        let text = |signal: RwSignal<String>| Some(signal.get()).filter(|text| !text.trim().is_empty());
        examine(&DoctorInput {
            config: text(config),
            env: text(env),
            model: text(model),
            tokens: number(&tokens.get()),
            has_texts: None,
        })
    });
    let read = move || {
        given.set(Given::Asked);
        ask::ask(model.get_untracked(), number(&tokens.get_untracked()), move |answer| {
            let answer = match answer {
                Ok(report) => Given::There(Box::new(report)),
                Err(why) => Given::Refused(why),
            };
            drop(given.try_set(answer));
        });
    };
    if asked {
        read();
    }
    let nothing =
        move || config.with(|text| text.trim().is_empty()) && env.with(|text| text.trim().is_empty());
    view! {
        <div class={"doctor"}>
            <section class={"doctor-fields"}>
                <TextField text=config label={"config.yaml"} placeholder={"Paste Hermes' config.yaml, or drop the file here"} rows={"8"} accept={".yaml,.yml,text/*"} />
                <details class={"doctor-more"}>
                    <summary>{"Environment, model, size"}</summary>
                    <TextField text=env label={".env"} placeholder={"HERMES_STREAM_STALE_TIMEOUT=300"} rows={"3"} />
                    <div class={"doctor-pair"}>
                        <Line text=model label={"Model"} placeholder={"that of the configuration"} />
                        <Line text=tokens label={"Tokens of context"} placeholder={"0"} />
                    </div>
                </details>
                <div class={"doctor-actions"}>
                    <button type={"button"} class={"button"} data-action={"read-config"} disabled=move || given.get() == Given::Asked on:click=move |_: MouseEvent| read()>
                        {move || if given.get() == Given::Asked { "Reading…" } else { "Read it from the adapter" }}
                    </button>
                    <span class={"desk-note"}>{"What stands here is examined on this device and goes nowhere."}</span>
                </div>
            </section>
            {move || match given.get() {
                Given::Here if nothing() => view! { <Report report=here.get() of="Nothing is read yet. These are the defaults of Hermes." defaults=true /> }.into_any(),
                Given::Here => view! { <Report report=here.get() of="" /> }.into_any(),
                Given::Asked => view! { <p class={"desk-note"} role={"status"}>{"The adapter reads the configuration of its Hermes…"}</p> }.into_any(),
                Given::There(report) => view! { <Report report=*report of="Read by the adapter. Secrets stayed there." unfolded=timers /> }.into_any(),
                Given::Refused(why) => view! { <p class={"doctor-refused"} role={"alert"}>{visible(&why).into_owned()}</p> }.into_any(),
            }}
        </div>
    }
}

/// A line of text with its name.
#[component]
fn Line(text: RwSignal<String>, label: &'static str, placeholder: &'static str) -> impl IntoView {
    view! {
        <label class={"doctor-line"}>
            <span class={"text-field-label"}>{label}</span>
            <input type={"text"} placeholder=placeholder spellcheck={"false"} autocomplete={"off"}
                prop:value=move || text.get() on:input=move |event| text.set(event_target_value(&event))
            />
        </label>
    }
}

/// A count that a person has written: `60,000`, `60k`.
fn number(text: &str) -> Option<u64> {
    let text: String =
        text.trim().to_lowercase().chars().filter(|c| !matches!(c, ',' | '.' | ' ' | '_' | '\'')).collect();
    match text.strip_suffix('k') {
        Some(thousands) => thousands.parse::<u64>().ok()?.checked_mul(1000),
        None => text.parse().ok(),
    }
}

/// A report: what to look at first, then what holds.
#[component]
fn Report(
    report: DoctorReport,
    of: &'static str,
    #[prop(optional)] defaults: bool,
    #[prop(optional)] unfolded: &'static [TimerId],
) -> impl IntoView {
    let route = sentence(&report);
    let verdict = if report.config == ConfigState::Absent && defaults {
        "Hermes as it comes".to_owned()
    } else {
        verdict(&report)
    };
    view! {
        <section class={"doctor-report"}>
            <h3 class={"doctor-verdict"} role={"status"}>{verdict}</h3>
            {(!of.is_empty()).then(|| view! { <p class={"desk-note"}>{of}</p> })}
            <p class={"desk-note"}>{route}</p>
            {warnings::list(&report.warnings)}
            {switches::view(&report.switches)}
            {timers::view(&report.timers, unfolded)}
            <p class={"desk-note"}>{format!("The rules are those of Hermes {}. A rule that only a later version has says so.", report.hermes)}</p>
        </section>
    }
}

fn verdict(report: &DoctorReport) -> String {
    let count =
        |severity: Severity| report.warnings.iter().filter(|warning| warning.severity == severity).count();
    let many = |count: usize, one: &str, more: &str| match count {
        1 => format!("1 {one}"),
        count => format!("{count} {more}"),
    };
    let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
    match (report.config, errors, warnings) {
        (ConfigState::Refused, ..) => "Hermes cannot read this configuration".to_owned(),
        (_, 0, 0) => "Nothing here does something else than it says".to_owned(),
        (_, 0, warnings) => many(warnings, "thing to look at", "things to look at"),
        (_, errors, 0) => many(errors, "thing does not work", "things do not work"),
        (_, errors, warnings) => format!(
            "{}, {}",
            many(errors, "thing does not work", "things do not work"),
            many(warnings, "more to look at", "more to look at")
        ),
    }
}

/// Where a call goes, as a sentence.
fn sentence(report: &DoctorReport) -> String {
    let route = &report.route;
    let model = if route.model.is_empty() {
        "No model is named".to_owned()
    } else {
        format!("Model {}", visible(&route.model))
    };
    let host = match (route.host.is_empty(), route.local) {
        (true, _) => String::new(),
        (false, true) => format!(" at {}, which counts as local", visible(&route.host)),
        (false, false) => format!(" at {}", visible(&route.host)),
    };
    let tokens = if route.tokens == 0 {
        "a short context".to_owned()
    } else {
        format!("a context of about {} tokens", route.tokens)
    };
    format!(
        "{model}, provider {}{host}, over {}, for {tokens}.",
        visible(&route.provider),
        route.transport.name()
    )
}
