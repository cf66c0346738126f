//! The line by the composer that says what the agent is doing, and for how long it has been at it.

use leptos::prelude::*;

use super::activity::Activity;
use super::elapsed::Elapsed;
use crate::browser::now_ms;
use crate::fixed::fixed;
use crate::reactive::{memo, optional};

/// The line; nothing while no turn runs.
#[component]
pub fn Working(
    /// What the agent is doing.
    activity: Memo<Activity>,
) -> impl IntoView {
    let busy = memo(move || activity.with(|activity| *activity != Activity::Idle));
    let moves = memo(move || activity.with(Activity::moves));
    optional(move || {
        busy.get().then(|| {
            let since_ms = now_ms();
            view! {
                <p class={"working"}>
                    <span {..fixed(&[("class", "dots"), ("aria-hidden", "true")])} class:still=move || !moves.get()>
                        <i class={"dot"}></i>
                        <i class={"dot"}></i>
                        <i class={"dot"}></i>
                    </span>
                    <span class={"working-words"}>{move || activity.with(Activity::words)}</span>
                    {optional(move || moves.get().then(|| view! { <Elapsed since_ms lead=" · " /> }))}
                </p>
            }
        })
    })
}
