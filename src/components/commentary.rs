//! An interim remark: smaller and dimmer than an answer, without a footer, clearly not one.

use leptos::prelude::*;

use super::found::row_key;
use crate::fixed::fixed;
use crate::render::MarkdownText;

/// The remark.
#[component]
pub fn Commentary(
    /// Markdown.
    #[prop(into)]
    text: RwSignal<String>,
) -> impl IntoView {
    view! {
        <article {..fixed(&[("class", "commentary"), ("data-row", "commentary")])} data-key=row_key()>
            <span class={"aloud"}>{"Hermes remarks: "}</span>
            <div {..fixed(&[("data-text", "")])}>
                <MarkdownText text />
            </div>
        </article>
    }
}
