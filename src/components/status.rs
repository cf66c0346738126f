//! What a screen reader hears of a turn: one polite sentence at a time, never the growing text itself.

use iris_core::connection::State;
use iris_core::stall::quiet::Line;
use iris_core::timeline::Activity;
use leptos::prelude::*;

use super::store;
use crate::fixed::fixed;
use crate::reactive::{memo, memo_from};
use crate::store::{Body, Row};

/// The live region.
#[component]
pub fn Status(
    /// What the agent is doing.
    activity: Memo<Activity>,
    /// What is said of it.
    line: Memo<Line>,
) -> impl IntoView {
    let store = store();
    let aloud = memo(move || line.with(|line| line.aloud.clone()));
    let words = memo_from(move |before: Option<&(Activity, String)>| {
        let now = activity.get();
        let words = match (before, &now) {
            // Whether it ended well, the rows that are still to come will show.
            (Some((Activity::OutOfSight, _)), Activity::Idle) => "The connection is back".to_owned(),
            (Some((Activity::Idle, words)), Activity::Idle) => words.clone(),
            (Some(_), Activity::Idle) => store.rows.with_untracked(|rows| ending(rows)).to_owned(),
            _ => aloud.get(),
        };
        (now, words)
    });
    let connection = super::store().connection;
    let offline = memo(move || connection.with(|state| matches!(state, State::Offline { .. })));
    view! {
        <div {..fixed(&[("class", "aloud"), ("role", "status"), ("aria-live", "polite")])}>
            {move || {
                // Read in any case: what comes next depends on what was before.
                let (_, words) = words.get();
                if offline.get() { "The connection is lost".to_owned() } else { words }
            }}
        </div>
    }
}

/// How the turn that just ended came out.
fn ending(rows: &[Row]) -> &'static str {
    let newest = rows.iter().rev().find_map(|row| match &row.body {
        Body::Answer(row) => Some(row.cut.with_untracked(Option::is_some)),
        Body::User(_) => Some(true),
        _ => None,
    });
    if newest == Some(false) { "The answer is complete" } else { "The turn ended without a complete answer" }
}
