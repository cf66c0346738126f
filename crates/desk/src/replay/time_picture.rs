//! Where the time went, as a bar of three parts with their names and figures.

use iris_core::format;
use iris_core::run::summary::Total;
use leptos::prelude::*;

/// The bar.
#[component]
pub fn TimePicture(
    /// Of all runs together.
    total: Total,
) -> impl IntoView {
    let parts = [
        ("of-waiting", "Waiting for the model", total.waiting_ms),
        ("of-writing", "Writing", total.writing_ms),
        ("of-tools", "Tools", total.tools_ms),
    ];
    let whole = total.waiting_ms.saturating_add(total.writing_ms).saturating_add(total.tools_ms).max(1);
    let share = move |ms: u64| u128::from(ms) * 1_000 / u128::from(whole);
    let bar = parts.map(|(class, _, ms)| {
        view! { <span class=format!("share {class}") style:flex-grow=share(ms).to_string()></span> }
    });
    let legend = parts.map(|(class, name, ms)| {
        let figures = format!("{} · {} %", format::duration(ms as f64 / 1_000.0), (share(ms) + 5) / 10);
        view! {
            <li class={"legend"} data-part=class data-ms=ms.to_string()>
                <i class=format!("dot-of {class}")></i>
                <span>{name}</span>
                <span class={"legend-figures"}>{figures}</span>
            </li>
        }
    });
    view! {
        <section class={"time-picture"} aria-label={"Where the time went"}>
            <div class={"shares"} aria-hidden={"true"}>{bar.into_iter().collect_view()}</div>
            <ul class={"legends"} role={"list"}>{legend.into_iter().collect_view()}</ul>
        </section>
    }
}
