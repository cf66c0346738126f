//! Something about the turn that is not a message: a tone, a sentence, and more of it on demand.

use iris_core::protocol::frame::Level;
use iris_core::timeline;
use leptos::prelude::*;

use super::follow::Follow;
use super::found::row_key;
use super::icon::{Glyph, Icon};
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
    let text = memo(move || notice.with(|notice| notice.text.clone()));
    let detail = memo(move || notice.with(|notice| notice.detail.clone().filter(|d| !d.trim().is_empty())));
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
                {dynamic(move || text.with(|text| with_code(text)))}
                {optional(move || {
                    detail
                        .with(Option::is_some)
                        .then(|| {
                            view! {
                                <button
                                    {..fixed(&[("type", "button"), ("class", "notice-more")])}
                                    aria-expanded=move || open.get().to_string()
                                    on:click=handler(toggle)
                                >
                                    {move || if open.get() { "Hide details" } else { "Details" }}
                                </button>
                            }
                        })
                })}
                {optional(move || {
                    detail.get().filter(|_| open.get()).map(|detail| view! { <LongText text=memo(move || detail.clone()) /> })
                })}
            </div>
        </div>
    }
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
