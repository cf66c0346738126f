//! What the adapter reports beside the socket, for paired devices only: `GET streams`. The same JSON is what the command
//! line prints with `--json`.

use axum::{
    Extension, Router,
    extract::{Query, State, rejection::QueryRejection},
    http::{StatusCode, header},
    response::{IntoResponse, Response},
    routing::get,
};
use serde::{Deserialize, Serialize};

use crate::{guard::door::Caller, hub::Hub, journal::StreamsWanted};

mod since;
pub mod streams;

/// What reports are made of.
#[derive(Clone)]
pub(crate) struct Sources {
    /// The chats.
    pub(crate) hub: Hub,
}

/// The routes.
pub(crate) fn router(sources: Sources) -> Router {
    Router::new().route("/streams", get(streams)).with_state(sources)
}

/// `GET streams?since=<milliseconds>&cut=true`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Asked {
    since: u64,
    cut: bool,
}

async fn streams(
    State(sources): State<Sources>,
    Extension(caller): Extension<Caller>,
    asked: Result<Query<Asked>, QueryRejection>,
) -> Response {
    if let Err(outside) = caller.device {
        return outside.as_ref().into_response();
    }
    let Ok(Query(Asked { since, cut })) = asked else {
        let wrong = "since is a whole number of milliseconds, cut is true or false.\n";
        return (StatusCode::BAD_REQUEST, [(header::CACHE_CONTROL, "no-store")], wrong).into_response();
    };
    match sources.hub.streams(StreamsWanted { since_ms: since, cut }).await {
        Ok(records) => json(&records),
        Err(trouble) => {
            let why = format!("The journal cannot be read: {trouble}.\n");
            (StatusCode::INTERNAL_SERVER_ERROR, [(header::CACHE_CONTROL, "no-store")], why).into_response()
        }
    }
}

/// A report as JSON, which nobody keeps.
fn json(report: &impl Serialize) -> Response {
    let headers = [(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-store")];
    match serde_json::to_string(report) {
        Ok(json) => (headers, json).into_response(),
        Err(error) => {
            tracing::error!(%error, "a report cannot be written");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}
