//! A run of tools between two texts: one quiet list, one line a tool.
//!
//! Of a run that was long when it came, the end is drawn, and the rest on demand. What has once been drawn stays.

use iris_core::settings::ToolDetail;
use iris_core::timeline::ToolState;
use leptos::prelude::*;

use super::found::row_key;
use super::store;
use super::tool_card::ToolCard;
use crate::fixed::fixed;
use crate::reactive::{Entry, dynamic, handler, list, memo, optional};
use crate::store::ToolRow;

/// So many tools of a long run are drawn at first.
const SHOWN: usize = 40;

/// The list; in the detail "nothing" a line that says how many still work, and only while they do.
#[component]
pub fn Tools(
    /// The calls, in order of their start.
    #[prop(into)]
    tools: RwSignal<Vec<ToolRow>>,
) -> impl IntoView {
    let settings = store().settings;
    let detail = memo(move || settings.with(|settings| settings.tool_detail));
    let before_the_end = move || tools.with(Vec::len).saturating_sub(SHOWN);
    let kept_back = RwSignal::new(untrack(before_the_end));
    let hidden = memo(move || kept_back.get().min(before_the_end()));
    let quiet = memo(move || detail.get() == ToolDetail::Nothing);
    dynamic(move || {
        if quiet.get() {
            view! { <QuietTools tools /> }.into_any()
        } else {
            view! {
                <ul {..fixed(&[("class", "tools"), ("data-row", "tools"), ("role", "list"), ("aria-label", "Tools")])} data-key=row_key()>
                    {optional(move || {
                        let count = hidden.get();
                        (count > 0)
                            .then(|| {
                                view! {
                                    <li>
                                        <button
                                            {..fixed(&[("type", "button"), ("class", "button plain more")])}
                                            on:click=handler(move |_| kept_back.set(0))
                                        >
                                            {format!("Show {count} earlier tools")}
                                        </button>
                                    </li>
                                }
                            })
                    })}
                    {list(move || {
                        let shown = tools.get().into_iter().skip(hidden.get());
                        shown.map(|tool| card(tool, detail)).collect()
                    })}
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
