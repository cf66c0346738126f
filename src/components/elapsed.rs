//! Running seconds. The page's one timer moves them; this only writes them out.

use iris_core::format;
use leptos::prelude::*;

use crate::hooks::use_now;
use crate::reactive::memo;

/// Whole seconds since a moment of `browser::now_ms`.
#[component]
pub fn Elapsed(
    /// When it began.
    #[prop(into)]
    since_ms: Signal<f64>,
) -> impl IntoView {
    let now = use_now();
    let seconds = memo(move || ((now.get() - since_ms.get()) / 1000.0).max(0.0).floor());
    view! { <span class={"elapsed"}>{move || format::duration(seconds.get())}</span> }
}
