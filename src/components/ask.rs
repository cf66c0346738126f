//! A question of the agent: may this command run, what did you mean. One answer, then what became of it.

use iris_core::format::visible;
use iris_core::protocol::frame::{AskKind, Choice};
use leptos::prelude::*;

use super::found::row_key;
use super::icon::{Glyph, Icon};
use super::long_text::LongText;
use super::store;
use crate::fixed::fixed;
use crate::reactive::{dynamic, handler, memo, optional};
use crate::store::{AskRow, Intent};

/// The card; one line once it is closed.
#[component]
pub fn Ask(
    /// The question.
    row: AskRow,
) -> impl IntoView {
    let outcome = row.outcome.clone();
    dynamic(move || match outcome.get() {
        Some(outcome) => view! { <Outcome row=row.clone() outcome /> }.into_any(),
        None => view! { <Open row=row.clone() /> }.into_any(),
    })
}

fn title(kind: AskKind) -> &'static str {
    match kind {
        AskKind::Approval => "Hermes asks for permission",
        AskKind::Clarify => "Hermes has a question",
        AskKind::Confirm => "Please confirm",
    }
}

fn glyph(kind: AskKind) -> Glyph {
    match kind {
        AskKind::Approval => Glyph::Shield,
        AskKind::Clarify | AskKind::Confirm => Glyph::Question,
    }
}

#[component]
fn Outcome(row: AskRow, outcome: String) -> impl IntoView {
    let about = row.command.unwrap_or(row.text);
    view! {
        <p {..fixed(&[("class", "ask-outcome"), ("data-row", "ask")])} data-key=row_key()>
            <Icon glyph=glyph(row.kind) />
            <span class={"ask-result"}>{visible(&outcome).into_owned()}</span>
            <span class={"ask-about"}>{visible(&about).into_owned()}</span>
        </p>
    }
}

#[component]
fn Open(row: AskRow) -> impl IntoView {
    let answering = RwSignal::from(row.answering.clone());
    let written = RwSignal::new(String::new());
    let (store, ask_id) = (store(), row.ask_id.clone());
    // The one way out: whatever is pressed how often, one answer leaves.
    let answer = Callback::new(move |(choice, text): (Option<String>, Option<String>)| {
        if !answering.get_untracked() {
            answering.set(true);
            store.ask_for(Intent::Answer { ask_id: ask_id.clone(), choice, text });
        }
    });
    let submit = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        let text = written.get_untracked().trim().to_owned();
        if !text.is_empty() {
            answer.run((None, Some(text)));
        }
    };
    let free_text = row.kind == AskKind::Clarify || row.choices.is_empty();
    view! {
        <section {..fixed(&[("class", "ask"), ("data-row", "ask")])} data-key=row_key() aria-label=title(row.kind)>
            <p class={"ask-title"}>
                <Icon glyph=glyph(row.kind) />
                {title(row.kind)}
            </p>
            <p class={"ask-text"}>{visible(&row.text).into_owned()}</p>
            {row.command.map(|command| view! { <LongText text=memo(move || command.clone()) /> }.into_any())}
            <div class={"ask-choices"}>
                {row
                    .choices
                    .into_iter()
                    .enumerate()
                    .map(|(at, choice)| button(choice, at == 0 && row.kind != AskKind::Clarify, answering, answer))
                    .collect_view()}
            </div>
            {free_text
                .then(|| {
                    view! {
                        <form class={"ask-form"} on:submit=handler(submit)>
                            <input
                                {..fixed(&[
                                    ("class", "ask-input"), ("type", "text"), ("aria-label", "Your answer"),
                                    ("placeholder", "Your answer"), ("autocomplete", "off"), ("enterkeyhint", "send"),
                                ])}
                                prop:value=move || written.get()
                                prop:disabled=move || answering.get()
                                on:input=handler(move |event| written.set(event_target_value(&event)))
                            />
                            <button
                                {..fixed(&[("type", "submit"), ("class", "button primary")])}
                                prop:disabled=move || answering.get() || written.with(|w| w.trim().is_empty())
                            >
                                {"Answer"}
                            </button>
                        </form>
                    }
                        .into_any()
                })}
            {optional(move || answering.get().then(|| view! { <p class={"ask-sent"}>{"Sending your answer…"}</p> }))}
        </section>
    }
}

/// The first way to say yes stands out; between the answers to a question nothing is preferred.
fn button(
    choice: Choice,
    stands_out: bool,
    answering: RwSignal<bool>,
    answer: Callback<(Option<String>, Option<String>)>,
) -> AnyView {
    let Choice { id, label } = choice;
    view! {
        <button
            {..fixed(&[("type", "button")])}
            class=if stands_out { "button primary" } else { "button" }
            data-choice=id.clone()
            prop:disabled=move || answering.get()
            on:click=handler(move |_| answer.run((Some(id.clone()), None)))
        >
            {visible(&label).into_owned()}
        </button>
    }
    .into_any()
}
