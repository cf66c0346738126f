//! `POST pair`: a pairing code and a name for a token. The only route besides the app's files that a stranger may use.

use axum::{
    Extension,
    body::Bytes,
    extract::{DefaultBodyLimit, State},
    http::{StatusCode, header},
    response::{IntoResponse, Response},
    routing::{MethodRouter, post},
};
use serde::{Deserialize, Serialize};

use super::door::{Caller, Door};

/// A code, a name and some room.
const MAX_BODY: usize = 4096;

#[derive(Deserialize)]
struct Wish {
    code: String,
    #[serde(default)]
    name: String,
}

#[derive(Serialize)]
struct Welcome<'a> {
    token: &'a str,
    device: &'a str,
}

/// The route.
pub(crate) fn route() -> MethodRouter<Door> {
    post(pair).layer(DefaultBodyLimit::max(MAX_BODY))
}

async fn pair(State(door): State<Door>, Extension(caller): Extension<Caller>, body: Bytes) -> Response {
    let Ok(wish) = serde_json::from_slice::<Wish>(&body) else {
        let expected = "Expected JSON with the pairing code and a name for this device.\n";
        return (StatusCode::BAD_REQUEST, expected).into_response();
    };
    match door.pair(caller.from, wish.code, wish.name).await {
        Ok(paired) => {
            tracing::info!(device = paired.device.id, "paired a device");
            let welcome = Welcome { token: paired.token.reveal(), device: &paired.device.name };
            let headers = [(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-store")];
            match serde_json::to_string(&welcome) {
                Ok(json) => (headers, json).into_response(),
                Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
            }
        }
        Err(outside) => (&outside).into_response(),
    }
}
