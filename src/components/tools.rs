//! A run of tools between two texts: one quiet list, one line a tool.

use iris_core::settings::ToolDetail;
use iris_core::timeline::ToolState;
use leptos::prelude::*;

use super::store;
use super::tool_card::ToolCard;
use crate::store::ToolRow;

/// The list; in the detail "nothing" a line that says how many still work, and only while they do.
#[component]
pub fn Tools(
    /// The calls, in order of their start.
    #[prop(into)]
    tools: RwSignal<Vec<ToolRow>>,
) -> impl IntoView {
    let settings = store().settings;
    let detail = Memo::new(move |_| settings.with(|settings| settings.tool_detail));
    let quiet = Memo::new(move |_| detail.get() == ToolDetail::Nothing);
    move || {
        if quiet.get() {
            view! { <QuietTools tools /> }.into_any()
        } else {
            view! {
                <ul class={"tools"} data-row={"tools"} role={"list"} aria-label={"Tools"}>
                    <For each=move || tools.get() key=|tool| tool.index let:tool>
                        <ToolCard tool detail />
                    </For>
                </ul>
            }
            .into_any()
        }
    }
}

#[component]
fn QuietTools(tools: RwSignal<Vec<ToolRow>>) -> impl IntoView {
    let running = Memo::new(move |_| {
        tools.with(|tools| tools.iter().filter(|tool| tool.state.get() == ToolState::Running).count())
    });
    move || {
        let words = match running.get() {
            0 => return None,
            1 => "Working · 1 tool".to_owned(),
            n => format!("Working · {n} tools"),
        };
        Some(view! {
            <div class={"quiet-tools"} data-row={"tools"}>
                <span class={"tool-mark running"}></span>
                {words}
            </div>
        })
    }
}
