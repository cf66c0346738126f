//! The line by the composer that says what the agent is doing, and for how long it has been at it.

use leptos::prelude::*;

use super::activity::Activity;
use super::elapsed::Elapsed;
use crate::browser::now_ms;

/// The line; nothing while no turn runs.
#[component]
pub fn Working(
    /// What the agent is doing.
    activity: Memo<Activity>,
) -> impl IntoView {
    let busy = Memo::new(move |_| activity.with(|activity| *activity != Activity::Idle));
    let moves = Memo::new(move |_| activity.with(Activity::moves));
    let since = Signal::derive(move || busy.get().then(now_ms).unwrap_or_default());
    let since = Memo::new(move |_| since.get());
    move || {
        busy.get().then(|| {
            view! {
                <p class={"working"}>
                    <span class={"dots"} class:still=move || !moves.get() aria-hidden={"true"}>
                        <i class={"dot"}></i>
                        <i class={"dot"}></i>
                        <i class={"dot"}></i>
                    </span>
                    <span class={"working-words"}>{move || activity.with(Activity::words)}</span>
                    {move || {
                        moves.get().then(|| view! { <span aria-hidden={"true"}>{" · "}</span><Elapsed since_ms=since /> })
                    }}
                </p>
            }
        })
    }
}
