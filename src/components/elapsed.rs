//! Running seconds. The page's one timer moves them; this only writes them out.

use iris_core::format;
use leptos::prelude::*;

use crate::hooks::use_now;

/// Whole seconds since a moment of `browser::now_ms`; nothing before the first is over.
#[component]
pub fn Elapsed(
    /// When it began.
    since_ms: f64,
    /// What stands before the time.
    lead: &'static str,
) -> impl IntoView {
    let now = use_now();
    let words = move || match ((now.get() - since_ms) / 1000.0).floor() {
        seconds if seconds >= 1.0 => format!("{lead}{}", format::duration(seconds)),
        _ => String::new(),
    };
    view! { <span class={"elapsed"}>{move || words()}</span> }
}
