//! An answer of the agent: its reasoning, its text, and what stands below once it has settled.

use iris_core::format::{self, visible};
use iris_core::protocol::frame::{Tokens, TurnStatus};
use iris_core::timeline::TurnFooter;
use leptos::prelude::*;

use super::copy_button::CopyButton;
use super::found::row_key;
use super::icon::{Glyph, Icon};
use super::reasoning::Reasoning;
use super::{export_address, store};
use crate::fixed::fixed;
use crate::reactive::{memo, optional};
use crate::render::AnswerText;
use crate::store::AnswerRow;

/// The answer. The footer waits until the reveal has caught up.
#[component]
pub fn Answer(
    /// The answer.
    row: AnswerRow,
) -> impl IntoView {
    let shown = ArcRwSignal::new(false);
    let settled = RwSignal::from(shown.clone());
    let below = row.clone();
    let (reasoning, live) =
        (RwSignal::from(row.reasoning.clone()), RwSignal::from(row.reasoning_live.clone()));
    view! {
        <article {..fixed(&[("class", "answer-row"), ("data-row", "answer")])} data-key=row_key() data-phase=move || phase(settled.get())>
            <Reasoning text=reasoning live />
            <span class={"aloud"}>{"Hermes: "}</span>
            <div {..fixed(&[("class", "answer-text"), ("data-text", "")])}>
                <AnswerText row settled=shown />
            </div>
            {optional(move || settled.get().then(|| view! { <Below row=below.clone() /> }))}
        </article>
    }
}

#[component]
fn Below(row: AnswerRow) -> impl IntoView {
    let AnswerRow { cut, footer, .. } = row;
    let text = RwSignal::from(row.text);
    let (tokens, ended, store) = (footer.clone(), footer.clone(), store());
    // A recorded run is a file already.
    let export = memo(move || {
        let turn = ended.with(|footer| footer.turn.clone()).filter(|_| !store.replay)?;
        let chat = store.chat.with(Clone::clone)?;
        Some(export_address(&chat, Some(&turn)))
    });
    let any_text = memo(move || text.with(|text| !text.trim().is_empty()));
    let facts = memo(move || footer.with(facts));
    let made_of = memo(move || tokens.with(|footer| footer.tokens.map(breakdown)));
    view! {
        {optional(move || cut.get().map(|status| view! { <p class={"cut"}><Icon glyph=Glyph::Stop />{cut_words(status)}</p> }))}
        {optional(move || {
            any_text
                .get()
                .then(|| {
                    view! {
                        <footer {..fixed(&[("class", "foot"), ("data-footer", "")])} class:bare=move || facts.with(String::is_empty)>
                            <CopyButton label="Copy answer" text />
                            {optional(move || export.get().map(|href| view! {
                                <a
                                    {..fixed(&[
                                        ("class", "icon-button small"), ("data-action", "export-turn"),
                                        ("title", "Export this turn…"), ("aria-label", "Export this turn…"),
                                    ])}
                                    href=href
                                >
                                    <Icon glyph=Glyph::Download />
                                </a>
                            }))}
                            <span title=move || made_of.get()>
                                {move || facts.get()}
                            </span>
                        </footer>
                    }
                })
        })}
    }
}

fn phase(settled: bool) -> &'static str {
    if settled { "settled" } else { "streaming" }
}

fn cut_words(status: TurnStatus) -> &'static str {
    match status {
        TurnStatus::Interrupted => "Stopped",
        TurnStatus::Error => "Cut off by an error",
        TurnStatus::Lost => "Cut off: the adapter lost sight of Hermes",
        TurnStatus::Complete => "Cut off",
    }
}

/// `model · 1,234 tokens · 12 s`, as much of it as is known.
fn facts(footer: &TurnFooter) -> String {
    let model = footer.model.as_deref().map(|model| visible(model).into_owned());
    let tokens = footer.tokens.as_ref().and_then(format::tokens);
    let time = footer.duration_ms.map(|ms| format::duration(ms as f64 / 1000.0));
    [model, tokens, time].into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

/// What the total is made of, for whoever asks by pointing at it.
fn breakdown(tokens: Tokens) -> String {
    let parts = [
        (tokens.input, "in"),
        (tokens.output, "out"),
        (tokens.cache_read, "from the cache"),
        (tokens.cache_write, "into the cache"),
        (tokens.total, "in all"),
    ];
    let words = parts.into_iter().filter_map(|(n, what)| Some(format!("{} {what}", format::count(n?))));
    format!("Tokens: {}", words.collect::<Vec<_>>().join(", "))
}
