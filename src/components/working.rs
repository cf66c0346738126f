//! The line by the composer that says what the agent is doing, and for how long it has been at it or silent.

use iris_core::stall::quiet::Line;
use leptos::prelude::*;

use crate::fixed::fixed;
use crate::reactive::{memo, optional};

/// The line; nothing while no turn runs.
#[component]
pub fn Working(
    /// What it says.
    line: Memo<Line>,
) -> impl IntoView {
    let busy = memo(move || line.with(|line| !line.what.is_empty()));
    optional(move || {
        busy.get().then(|| {
            view! {
                <p class={"working"}>
                    <span {..fixed(&[("class", "dots"), ("aria-hidden", "true")])} class:still=move || line.with(|line| !line.moves)>
                        <i class={"dot"}></i>
                        <i class={"dot"}></i>
                        <i class={"dot"}></i>
                    </span>
                    <span class={"working-words"}>{move || line.with(|line| line.what.clone())}</span>
                    <span class={"elapsed"}>{move || line.with(|line| line.how_long.clone())}</span>
                </p>
            }
        })
    })
}
