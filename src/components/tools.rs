//! A run of tools between two texts: one quiet list, one line a tool.

use iris_core::settings::ToolDetail;
use iris_core::timeline::ToolState;
use leptos::prelude::*;

use super::found::row_key;
use super::store;
use super::tool_card::ToolCard;
use crate::fixed::fixed;
use crate::reactive::{Entry, dynamic, list, memo, optional};
use crate::store::ToolRow;

/// The list; in the detail "nothing" a line that says how many still work, and only while they do.
#[component]
pub fn Tools(
    /// The calls, in order of their start.
    #[prop(into)]
    tools: RwSignal<Vec<ToolRow>>,
) -> impl IntoView {
    let settings = store().settings;
    let detail = memo(move || settings.with(|settings| settings.tool_detail));
    let quiet = memo(move || detail.get() == ToolDetail::Nothing);
    dynamic(move || {
        if quiet.get() {
            view! { <QuietTools tools /> }.into_any()
        } else {
            view! {
                <ul {..fixed(&[("class", "tools"), ("data-row", "tools"), ("role", "list"), ("aria-label", "Tools")])} data-key=row_key()>
                    {list(move || tools.get().into_iter().map(|tool| card(tool, detail)).collect())}
                </ul>
            }
            .into_any()
        }
    })
}

fn card(tool: ToolRow, detail: Memo<ToolDetail>) -> Entry {
    Entry::new(u64::from(tool.index.0), move || view! { <ToolCard tool detail /> })
}

#[component]
fn QuietTools(tools: RwSignal<Vec<ToolRow>>) -> impl IntoView {
    let running = move || {
        tools.with(|tools| tools.iter().filter(|tool| tool.state.get() == ToolState::Running).count())
    };
    optional(move || {
        let words = match running() {
            0 => return None,
            1 => "Working · 1 tool".to_owned(),
            n => format!("Working · {n} tools"),
        };
        Some(view! {
            <div {..fixed(&[("class", "quiet-tools"), ("data-row", "tools")])} data-key=row_key()>
                <span class={"tool-mark running"}></span>
                {words}
            </div>
        })
    })
}
