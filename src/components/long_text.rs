//! Plain text that may be very long: the beginning, and more of it on demand.

use iris_core::format::visible;
use leptos::prelude::*;

use crate::fixed::fixed;
use crate::reactive::{handler, optional};

/// Characters that are drawn at first.
const FIRST: usize = 4_000;
/// How many times as many each press draws.
const MORE: usize = 4;

/// Monospace text with its beginning drawn.
#[component]
pub fn LongText(
    /// All of it.
    text: Memo<String>,
) -> impl IntoView {
    let limit = RwSignal::new(FIRST);
    let rest = move || text.with(|text| text.len() - beginning(text, limit.get()).len());
    view! {
        <pre class={"long-text"}>
            {move || text.with(|text| visible(beginning(text, limit.get())).into_owned())}
        </pre>
        {optional(move || {
            let left_kb = rest().div_ceil(1000);
            (left_kb > 0)
                .then(|| {
                    view! {
                        <button
                            {..fixed(&[("type", "button"), ("class", "button plain more")])}
                            on:click=handler(move |_| limit.update(|limit| *limit *= MORE))
                        >
                            {format!("Show more · {left_kb} kB left")}
                        </button>
                    }
                })
        })}
    }
}

/// The first `limit` characters.
fn beginning(text: &str, limit: usize) -> &str {
    let end = text.char_indices().nth(limit).map_or(text.len(), |(at, _)| at);
    text.get(..end).unwrap_or(text)
}
