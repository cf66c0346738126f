//! The rows in their order. A row is drawn once and lives as long as its key.

use leptos::prelude::*;

use super::answer::Answer;
use super::commentary::Commentary;
use super::file_row::FileRow;
use super::found::RowKey;
use super::later::{Later, later};
use super::notice::Notice;
use super::store;
use super::tools::Tools;
use super::user_message::UserMessage;
use crate::reactive::{Entry, list};
use crate::store::{Body, Row};

/// All rows.
#[component]
pub fn Timeline() -> impl IntoView {
    let rows = store().rows;
    list(move || rows.get().into_iter().map(|row| Entry::new(row.key.0, move || draw(row))).collect())
}

fn draw(row: Row) -> AnyView {
    provide_context(RowKey(row.key));
    match row.body {
        Body::User(row) => view! { <UserMessage row /> }.into_any(),
        Body::Answer(row) => view! { <Answer row /> }.into_any(),
        Body::Commentary(text) => view! { <Commentary text /> }.into_any(),
        Body::Tools(tools) => view! { <Tools tools /> }.into_any(),
        Body::Notice(notice) => view! { <Notice notice /> }.into_any(),
        Body::Ask(row) => later(Later::Ask(row)),
        Body::File(item) => view! { <FileRow item /> }.into_any(),
    }
}
