//! What the adapter tells beside the socket, for paired devices only: `GET streams`, `GET doctor` (the same JSON is what the
//! command line prints with `--json`), and `GET export/…` (`export.rs`).

use std::{path::Path, sync::Arc};

use axum::{
    Extension, Router,
    extract::{Query, State, rejection::QueryRejection},
    http::{StatusCode, header},
    response::{IntoResponse, Response},
    routing::get,
};
use serde::{Deserialize, Serialize};

use crate::{guard::door::Caller, hub::Hub, journal::StreamsWanted};

pub mod doctor;
mod export;
mod since;
pub mod streams;

/// What reports are made of.
#[derive(Clone)]
pub(crate) struct Sources {
    /// The chats.
    pub(crate) hub: Hub,
    /// Hermes' own folder.
    pub(crate) hermes_home: Arc<Path>,
    /// Held while a chat is exported.
    pub(crate) exporting: Arc<tokio::sync::Mutex<()>>,
}

/// The routes.
pub(crate) fn router(sources: Sources) -> Router {
    Router::new()
        .route("/streams", get(streams))
        .route("/doctor", get(doctor))
        .route("/export/{file}", get(export::give))
        .with_state(sources)
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
        let wrong = "since is a whole number of milliseconds, cut is true or false.";
        return refused(StatusCode::BAD_REQUEST, wrong);
    };
    match sources.hub.streams(StreamsWanted { since_ms: since, cut }).await {
        Ok(records) => json(&records),
        Err(trouble) => {
            refused(StatusCode::INTERNAL_SERVER_ERROR, &format!("The journal cannot be read: {trouble}."))
        }
    }
}

/// `GET doctor?model=<name>&tokens=<number>`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Examined {
    model: Option<String>,
    tokens: Option<u64>,
}

async fn doctor(
    State(sources): State<Sources>,
    Extension(caller): Extension<Caller>,
    asked: Result<Query<Examined>, QueryRejection>,
) -> Response {
    if let Err(outside) = caller.device {
        return outside.as_ref().into_response();
    }
    let Ok(Query(Examined { model, tokens })) = asked else {
        return refused(StatusCode::BAD_REQUEST, "tokens is a whole number.");
    };
    let has_texts = sources.hub.about().has_texts;
    let examined = tokio::task::spawn_blocking(move || {
        doctor::Files::of(&sources.hermes_home, None, None).examine(model, tokens, has_texts)
    });
    match examined.await {
        Ok(Ok(report)) => json(&report),
        // The path in it is the server's own: it is not told.
        Ok(Err(error)) => {
            tracing::warn!(%error, "the settings of Hermes cannot be read");
            refused(
                StatusCode::INTERNAL_SERVER_ERROR,
                "The settings of Hermes cannot be read; the log of Iris says why.",
            )
        }
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

fn refused(status: StatusCode, why: &str) -> Response {
    (status, [(header::CACHE_CONTROL, "no-store")], format!("{why}\n")).into_response()
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
