//! What the agent is doing, followed from the newest rows, and the line that says so with the time.

use iris_core::connection::State;
use iris_core::stall::quiet::Line;
use iris_core::timeline::{Activity, Glimpse, Phase, ToolState};
use leptos::prelude::*;

use crate::hooks::use_now;
use crate::reactive::memo;
use crate::store::{Body, Store, ToolRow};

/// Follows what the agent is doing.
pub fn use_activity(store: Store) -> Memo<Activity> {
    memo(move || {
        if !(store.running.get() || store.typing.get()) {
            Activity::Idle
        } else if store.connection.with(|state| *state != State::Online) {
            Activity::OutOfSight
        } else {
            // Looks back to the user's last words.
            store.rows.with(|rows| Activity::newest(&mut rows.iter().rev().map(|row| of(&row.body))))
        }
    })
}

/// What is to be said of it, second by second.
pub fn use_line(store: &Store, activity: Memo<Activity>) -> Memo<Line> {
    let (watch, now) = (store.watch.clone(), use_now());
    memo(move || {
        let now_ms = now.get() as u64;
        watch.with(|watch| activity.with(|activity| watch.line(activity, now_ms)))
    })
}

fn of(body: &Body) -> Glimpse {
    let doing = match body {
        Body::User(_) => return Glimpse::Ground,
        Body::Tools(tools) => tools.with(|tools| {
            let running = |tool: &&ToolRow| tool.state.get() == ToolState::Running;
            Activity::tools(&mut tools.iter().filter(running).map(|tool| tool.name.as_str()))
        }),
        Body::Ask(ask) => ask.outcome.with(Option::is_none).then_some(Activity::Asking),
        Body::Answer(row) if row.phase.get() == Phase::Streaming => {
            if row.text.with(|text| !text.is_empty()) {
                Some(Activity::Answering)
            } else {
                row.reasoning_live.get().then_some(Activity::Reasoning)
            }
        }
        Body::Answer(_) | Body::Commentary(_) | Body::Notice(_) | Body::File(_) => None,
    };
    doing.map_or(Glimpse::Nothing, Glimpse::Doing)
}
