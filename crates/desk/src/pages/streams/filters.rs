//! The filter's fields. They offer what is in the record.

use iris_core::format::{one_line, visible};
use iris_core::stall::record::{CutBy, Ends, Filter, StreamRecord};
use leptos::prelude::*;

use super::Wanted;

/// Characters of an option.
const WORDS: usize = 60;
const HOUR_MS: u64 = 3_600_000;
const AGES: [(u64, &str); 4] = [
    (HOUR_MS, "Last hour"),
    (24 * HOUR_MS, "Last 24 hours"),
    (168 * HOUR_MS, "Last 7 days"),
    (720 * HOUR_MS, "Last 30 days"),
];

/// An option: what it does to the filter, and its words.
type Choice<T> = (T, String);

/// All of them.
pub(super) fn view(records: &[StreamRecord], wanted: Wanted) -> AnyView {
    let now_ms = js_sys::Date::now() as u64;
    let ages = std::iter::once((0, "Any time".to_owned()))
        .chain(AGES.iter().map(|(age_ms, words)| (now_ms.saturating_sub(*age_ms), (*words).to_owned())));
    let typed = move |event| wanted.change(|filter| filter.words = event_target_value(&event));
    view! {
        <div class={"streams-filters"} role={"search"}>
            {choice("End", "ends", ends(records), wanted, |filter| &mut filter.ends, |filter| filter.ends)}
            {choice("Model", "model", models(records), wanted, |filter| &mut filter.model, |filter| filter.model.clone())}
            {choice("Chat", "chat", chats(records), wanted, |filter| &mut filter.chat, |filter| filter.chat.clone())}
            {choice("Begun", "since", ages.collect(), wanted, |filter| &mut filter.since_ms, |filter| filter.since_ms)}
            <label class={"streams-field wide"}>
                <span class={"streams-label"}>{"Words"}</span>
                <input type={"search"} data-filter={"words"} placeholder={"Model, provider, chat, or what Hermes said"} spellcheck={"false"} autocomplete={"off"}
                    prop:value=move || wanted.filter.with(|filter| filter.words.clone()) on:input=typed />
            </label>
        </div>
    }
    .into_any()
}

/// One field with its options.
fn choice<T: Clone + PartialEq + Send + Sync + 'static>(
    label: &'static str,
    name: &'static str,
    choices: Vec<Choice<T>>,
    wanted: Wanted,
    field: fn(&mut Filter) -> &mut T,
    now: fn(&Filter) -> T,
) -> AnyView {
    let option = |(index, (value, words)): (usize, &Choice<T>)| {
        let value = value.clone();
        let chosen = move || wanted.filter.with(|filter| now(filter) == value);
        view! { <option value=index.to_string() prop:selected=chosen>{words.clone()}</option> }
    };
    let options = choices.iter().enumerate().map(option).collect_view();
    let chosen = move |event| {
        let index = event_target_value(&event).parse::<usize>().ok();
        if let Some((value, _)) = index.and_then(|index| choices.get(index)) {
            wanted.change(|filter| *field(filter) = value.clone());
        }
    };
    view! {
        <label class={"streams-field"}>
            <span class={"streams-label"}>{label}</span>
            <select data-filter=name on:change=chosen>{options}</select>
        </label>
    }
    .into_any()
}

fn ends(records: &[StreamRecord]) -> Vec<Choice<Ends>> {
    let general = [(Ends::Any, "Any"), (Ends::Finished, "Finished"), (Ends::Cut, "Cut")];
    let found = CutBy::ALL.into_iter().filter(|cause| records.iter().any(|it| it.cause() == Some(*cause)));
    let causes = found.map(|cause| (Ends::CutBy(cause), format!("Cut by {}", cause.words())));
    general.into_iter().map(|(ends, words)| (ends, words.to_owned())).chain(causes).collect()
}

fn models(records: &[StreamRecord]) -> Vec<Choice<String>> {
    let mut models: Vec<&str> = records.iter().filter_map(|it| it.model.as_deref()).collect();
    models.sort_unstable();
    models.dedup();
    let named = models.into_iter().filter(|model| !model.is_empty());
    let all = std::iter::once((String::new(), "All".to_owned()));
    all.chain(named.map(|model| (model.to_owned(), said(model)))).collect()
}

/// The chats in the order of their newest replies.
fn chats(records: &[StreamRecord]) -> Vec<Choice<String>> {
    let mut seen = std::collections::HashSet::new();
    let mut chats = vec![(String::new(), "All".to_owned())];
    for record in records.iter().filter(|it| !it.chat.is_empty()) {
        if seen.insert(record.chat.as_str()) {
            chats
                .push((record.chat.clone(), said(record.chat_title.as_deref().unwrap_or("Without a title"))));
        }
    }
    chats
}

fn said(text: &str) -> String {
    one_line(&visible(text), WORDS)
}
