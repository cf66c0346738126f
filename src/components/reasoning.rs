//! The reasoning above an answer: a block that opens and closes, and stays as the reader set it.

use leptos::prelude::*;

use super::copy_button::CopyButton;
use super::follow::Follow;
use super::icon::{Glyph, Icon};
use super::live_text::LiveText;
use crate::fixed::fixed;
use crate::reactive::{handler, memo, memo_from, optional};
use iris_core::format::visible;

/// From here on reasoning counts as long and is closed until the reader opens it.
const LONG_CHARACTERS: usize = 480;
const LONG_LINES: usize = 7;

/// Whether this much text is closed by default.
fn is_long(text: &str) -> bool {
    text.chars().nth(LONG_CHARACTERS).is_some() || text.lines().nth(LONG_LINES).is_some()
}

/// One line that says what it is about, while it is closed: the newest while it grows, then the first.
fn headline(text: &str, live: bool) -> String {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let line = if live { lines.next_back() } else { lines.next() };
    visible(&line.unwrap_or_default().chars().take(160).collect::<String>()).into_owned()
}

/// The block. Nothing is drawn while there is no reasoning.
#[component]
pub fn Reasoning(
    /// All of it so far.
    #[prop(into)]
    text: RwSignal<String>,
    /// More may come.
    #[prop(into)]
    live: RwSignal<bool>,
) -> impl IntoView {
    let any = memo(move || text.with(|text| !text.trim().is_empty()));
    optional(move || any.get().then(|| view! { <Block text live /> }))
}

#[component]
fn Block(text: RwSignal<String>, live: RwSignal<bool>) -> impl IntoView {
    let long =
        memo_from(move |before: Option<&bool>| before == Some(&true) || text.with(|text| is_long(text)));
    let chosen = RwSignal::new(None::<bool>);
    let open = memo(move || chosen.get().unwrap_or(!long.get()));
    let follow = use_context::<Follow>();
    let toggle = move |_| {
        if let Some(follow) = follow {
            follow.hold();
        }
        chosen.set(Some(!open.get_untracked()));
    };
    view! {
        <section class={"reasoning"} class:open=move || open.get()>
            <div class={"reasoning-head"}>
                <button
                    {..fixed(&[("type", "button"), ("class", "reasoning-toggle")])}
                    aria-expanded=move || open.get().to_string()
                    on:click=handler(toggle)
                >
                    <Icon glyph=Glyph::Chevron />
                    <span class={"reasoning-title"}>{"💭 Reasoning"}</span>
                    {optional(move || {
                        (!open.get())
                            .then(|| {
                                view! {
                                    <span class={"reasoning-line"}>
                                        {move || text.with(|text| headline(text, live.get()))}
                                    </span>
                                }
                            })
                    })}
                </button>
                <CopyButton label="Copy reasoning" text />
            </div>
            <div class={"reasoning-body"} hidden=move || !open.get()>
                <LiveText text />
            </div>
        </section>
    }
}
