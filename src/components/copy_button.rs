//! A button that copies and says whether it worked.

use std::time::Duration;

use leptos::prelude::*;
use leptos::task::spawn_local;

use super::icon::{Glyph, Icon};
use crate::fixed::fixed;
use crate::reactive::{dynamic, handler};
use crate::render::clipboard;

/// How long the answer to a press stays.
const SHOWN: Duration = Duration::from_millis(1600);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    None,
    Copied,
    Failed,
}

impl Outcome {
    fn words(self, label: &'static str) -> &'static str {
        match self {
            Self::None => label,
            Self::Copied => "Copied",
            Self::Failed => "Copying was not allowed",
        }
    }

    fn glyph(self) -> Glyph {
        match self {
            Self::None => Glyph::Copy,
            Self::Copied => Glyph::Check,
            Self::Failed => Glyph::Cross,
        }
    }
}

/// Copies what `text` is at the moment of the press.
#[component]
pub fn CopyButton(
    /// What it copies, in words: "Copy answer".
    label: &'static str,
    /// The text.
    text: RwSignal<String>,
) -> impl IntoView {
    let outcome = RwSignal::new(Outcome::None);
    let copy = move |_| {
        let text = text.get_untracked();
        spawn_local(async move {
            let copied = clipboard::copy(&text).await.is_ok();
            let done = if copied { Outcome::Copied } else { Outcome::Failed };
            // The row may be gone by now.
            if outcome.try_set(done).is_none() {
                let again = move || {
                    let _ = outcome.try_set(Outcome::None);
                };
                set_timeout(again, SHOWN);
            }
        });
    };
    view! {
        <button
            {..fixed(&[("type", "button"), ("class", "icon-button small copy"), ("data-action", "copy")])}
            class:done=move || outcome.get() == Outcome::Copied
            title=move || outcome.get().words(label)
            on:click=handler(copy)
        >
            {dynamic(move || view! { <Icon glyph=outcome.get().glyph() /> })}
            <span {..fixed(&[("class", "aloud"), ("aria-live", "polite")])}>
                {move || outcome.get().words(label)}
            </span>
        </button>
    }
}
