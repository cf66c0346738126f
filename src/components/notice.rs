//! Something about the turn that is not a message: a tone, a sentence, and more of it on demand. A burst about one
//! trouble is one row: how it stands, and everything that was said, the newest first.

use iris_core::protocol::frame::Level;
use iris_core::timeline;
use leptos::prelude::*;

use super::follow::Follow;
use super::found::row_key;
use super::icon::{Glyph, Icon};
use super::later::{Later, later};
use super::long_text::LongText;
use super::trouble::with_code;
use crate::fixed::fixed;
use crate::reactive::{dynamic, handler, memo, optional};

/// The notice.
#[component]
pub fn Notice(
    /// What it says.
    #[prop(into)]
    notice: RwSignal<timeline::Notice>,
) -> impl IntoView {
    let open = RwSignal::new(false);
    let level = move || notice.with(|notice| notice.level);
    let words = memo(move || notice.with(words));
    let more = memo(move || notice.with(more));
    let follow = use_context::<Follow>();
    let toggle = move |_| {
        if let Some(follow) = follow {
            follow.hold();
        }
        open.update(|open| *open = !*open);
    };
    view! {
        <div {..fixed(&[("role", "note"), ("data-row", "notice")])} class=move || tone(level()) data-key=row_key()>
            {dynamic(move || view! { <Icon glyph=glyph(level()) /> })}
            <div class={"notice-text"}>
                {dynamic(move || words.with(|words| with_code(words)))}
                {optional(move || {
                    more.with(|more| !more.is_empty())
                        .then(|| {
                            view! {
                                <button
                                    {..fixed(&[("type", "button"), ("class", "notice-more")])}
                                    aria-expanded=move || open.get().to_string()
                                    on:click=handler(toggle)
                                >
                                    {move || if open.get() { "Hide details".to_owned() } else { more.get() }}
                                </button>
                            }
                        })
                })}
                {optional(move || open.get().then(|| later(Later::Details(notice))))}
            </div>
        </div>
    }
}

/// What its button shows.
#[component]
pub fn Details(
    /// The notice.
    notice: RwSignal<timeline::Notice>,
) -> impl IntoView {
    view! { <LongText text=memo(move || notice.with(everything)) /> }
}

/// What stands there: for a burst that is over its sum, and of what came of it the first paragraph.
fn words(notice: &timeline::Notice) -> String {
    let text = notice.text.as_str();
    match notice.summary() {
        Some(summary) => format!("{summary}\n{}", text.split("\n\n").next().unwrap_or_default()),
        None if notice.times > 1 && notice.before.is_empty() => format!("{text} · {} times", notice.times),
        None => text.to_owned(),
    }
}

/// What is on the button; empty when there is nothing more.
fn more(notice: &timeline::Notice) -> String {
    let burst = !notice.before.is_empty();
    let messages = notice.messages();
    if burst && messages > 1 {
        format!("{messages} messages")
    } else if burst || notice.detail.as_ref().is_some_and(|detail| !detail.trim().is_empty()) {
        "Details".to_owned()
    } else {
        String::new()
    }
}

/// Everything that was said, the newest first; of a single notice what its line does not say.
fn everything(notice: &timeline::Notice) -> String {
    let detail = |notice: &timeline::Notice| notice.detail.clone().unwrap_or_default();
    if notice.before.is_empty() {
        return detail(notice);
    }
    let mut out = String::new();
    for said in notice.all() {
        let times = if said.times > 1 { format!(" · {} times", said.times) } else { String::new() };
        out.push_str(&format!("{}{times}\n{}\n\n", said.text, detail(said)));
    }
    out.trim_end().to_owned()
}

fn tone(level: Level) -> &'static str {
    match level {
        Level::Info => "notice info",
        Level::Warning => "notice warning",
        Level::Error => "notice error",
    }
}

fn glyph(level: Level) -> Glyph {
    match level {
        Level::Info => Glyph::Info,
        Level::Warning | Level::Error => Glyph::Warning,
    }
}
