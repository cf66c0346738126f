//! A file from the agent, as a row of its own.

use iris_core::format::visible;
use iris_core::timeline::FileItem;
use leptos::prelude::*;

use super::found::row_key;
use super::later::{Later, later};
use crate::fixed::fixed;

/// The row.
#[component]
pub fn FileRow(
    /// The file and what the agent says of it.
    item: FileItem,
) -> impl IntoView {
    let caption = item.caption.filter(|caption| !caption.trim().is_empty());
    view! {
        <article {..fixed(&[("class", "file-row"), ("data-row", "file")])} data-key=row_key()>
            <span class={"aloud"}>{"Hermes sends a file: "}</span>
            {later(Later::File(item.file))}
            {caption.map(|caption| view! { <p class={"file-caption"}>{visible(&caption).into_owned()}</p> }.into_any())}
        </article>
    }
}
