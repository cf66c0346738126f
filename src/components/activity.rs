//! What the agent is doing, derived from the newest rows. Words for it, for the eye and for the ear.

use iris_core::connection::State;
use iris_core::format::visible;
use iris_core::timeline::{Phase, ToolState};
use leptos::prelude::*;

use crate::reactive::memo;
use crate::store::{Body, Row, Store, ToolRow};

/// What the agent is doing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Activity {
    /// Nothing: no turn runs.
    Idle,
    /// A turn runs, and nothing more is known.
    Working,
    /// Reasoning arrives.
    Reasoning,
    /// An answer arrives.
    Answering,
    /// One tool runs.
    Tool(String),
    /// Several tools run.
    Tools(usize),
    /// It waits for the user.
    Asking,
    /// A turn ran when the connection went.
    OutOfSight,
}

impl Activity {
    /// A sentence without its full stop; empty when nothing happens.
    pub fn words(&self) -> String {
        match self {
            Self::Idle => String::new(),
            Self::Working => "Hermes is working".to_owned(),
            Self::Reasoning => "Hermes is reasoning".to_owned(),
            Self::Answering => "Hermes is answering".to_owned(),
            Self::Tool(name) => format!("Running {}", visible(name)),
            Self::Tools(count) => format!("Running {count} tools"),
            Self::Asking => "Hermes waits for your answer".to_owned(),
            Self::OutOfSight => "The connection was lost in mid-turn".to_owned(),
        }
    }

    /// Whether something moves that the page can see.
    pub fn moves(&self) -> bool {
        !matches!(self, Self::Idle | Self::Asking | Self::OutOfSight)
    }
}

/// Follows what the agent is doing.
pub fn use_activity(store: Store) -> Memo<Activity> {
    memo(move || {
        if !(store.running.get() || store.typing.get()) {
            Activity::Idle
        } else if store.connection.with(|state| *state != State::Online) {
            Activity::OutOfSight
        } else {
            store.rows.with(|rows| newest(rows))
        }
    })
}

/// Looks back to the user's last words.
fn newest(rows: &[Row]) -> Activity {
    rows.iter()
        .rev()
        .take_while(|row| !matches!(row.body, Body::User(_)))
        .find_map(|row| of(&row.body))
        .unwrap_or(Activity::Working)
}

fn of(body: &Body) -> Option<Activity> {
    match body {
        Body::Tools(tools) => tools.with(|tools| running(tools)),
        Body::Ask(ask) => ask.outcome.with(Option::is_none).then_some(Activity::Asking),
        Body::Answer(row) if row.phase.get() == Phase::Streaming => {
            if row.text.with(|text| !text.is_empty()) {
                Some(Activity::Answering)
            } else {
                row.reasoning_live.get().then_some(Activity::Reasoning)
            }
        }
        Body::Answer(_) | Body::User(_) | Body::Commentary(_) | Body::Notice(_) | Body::File(_) => None,
    }
}

fn running(tools: &[ToolRow]) -> Option<Activity> {
    let mut names = tools.iter().filter(|tool| tool.state.get() == ToolState::Running).map(|tool| &tool.name);
    let first = names.next()?;
    Some(match names.count() {
        0 => Activity::Tool(first.clone()),
        more => Activity::Tools(more + 1),
    })
}
