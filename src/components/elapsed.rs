//! Running seconds. The page's one timer moves them; this only writes them out.

use iris_core::format;
use leptos::prelude::*;

use crate::hooks::use_now;

/// Whole seconds since a moment of `browser::now_ms`.
#[component]
pub fn Elapsed(
    /// When it began.
    since_ms: f64,
) -> impl IntoView {
    let now = use_now();
    let seconds = move || ((now.get() - since_ms) / 1000.0).max(0.0).floor();
    view! { <span class={"elapsed"}>{move || format::duration(seconds())}</span> }
}
