//! `POST files` and `GET files/<id>`, for paired devices only. Limits and types are the module's; here they get their
//! headers and status codes.

use std::{fmt::Write as _, time::Duration};

use axum::{
    Extension, Router,
    body::Body,
    extract::{DefaultBodyLimit, Path, Query, Request, State},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
    routing::{get, post},
};
use futures_util::StreamExt;
use iris_core::protocol::frame::FileInfo;
use serde::{Deserialize, Serialize};
use tokio::time::timeout;
use tower::ServiceExt;
use tower_http::services::ServeFile;

use super::{Files, KeepError, kind};
use crate::guard::door::Caller;

/// An upload that stands still for so long is given up.
const NEXT_WITHIN: Duration = Duration::from_secs(30);
/// What is here stays what it is: an id is never used again. Only for the device that may have it.
const KEEP: HeaderValue = HeaderValue::from_static("private, max-age=31536000, immutable");

/// The routes.
pub(crate) fn router(files: Files) -> Router {
    Router::new()
        // The body is counted as it is written.
        .route("/files", post(take).layer(DefaultBodyLimit::disable()))
        .route("/files/{id}", get(give))
        .with_state(files)
}

#[derive(Deserialize)]
struct Wanted {
    #[serde(default)]
    name: String,
}

/// A file as it stands on the wire.
#[derive(Serialize)]
struct Taken<'a> {
    id: &'a str,
    name: &'a str,
    media_type: &'a str,
    size: u64,
}

async fn take(
    State(files): State<Files>,
    Extension(caller): Extension<Caller>,
    Query(wanted): Query<Wanted>,
    headers: HeaderMap,
    body: Body,
) -> Response {
    if let Err(outside) = caller.device {
        return outside.as_ref().into_response();
    }
    match receive(&files, &wanted.name, announced(&headers), body).await {
        Ok(info) => taken(&info),
        Err(error) => error.into_response(),
    }
}

/// What the head of the request says of its length: too much is refused before any of it is read.
fn announced(headers: &HeaderMap) -> u64 {
    let length = headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok());
    length.and_then(|length| length.parse().ok()).unwrap_or(0)
}

async fn receive(files: &Files, name: &str, announced: u64, body: Body) -> Result<FileInfo, KeepError> {
    let limit = files.inner.limits.file;
    if announced > limit {
        return Err(KeepError::TooLarge(limit));
    }
    let mut draft = files.draft(limit).await?;
    let mut stream = body.into_data_stream();
    while let Some(chunk) = timeout(NEXT_WITHIN, stream.next()).await.map_err(|_| KeepError::Cut)? {
        draft.write(&chunk.map_err(|_| KeepError::Cut)?).await?;
    }
    draft.finish(name).await
}

fn taken(info: &FileInfo) -> Response {
    let FileInfo { id, name, media_type, size } = info;
    let headers = [(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-store")];
    match serde_json::to_string(&Taken { id: &id.0, name, media_type, size: *size }) {
        Ok(json) => (headers, json).into_response(),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

async fn give(
    State(files): State<Files>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    request: Request,
) -> Response {
    if let Err(outside) = caller.device {
        return outside.as_ref().into_response();
    }
    let id = id.into();
    let found = tokio::task::spawn_blocking(move || Some((files.info(&id)?, files.path(&id)?))).await;
    let Ok(Some((info, path))) = found else {
        let gone = "There is no such file, or not any more.\n";
        return (StatusCode::NOT_FOUND, [(header::CACHE_CONTROL, "no-store")], gone).into_response();
    };
    let mut response = match ServeFile::new(path).oneshot(request).await {
        Ok(response) => response.map(Body::new),
        Err(never) => match never {},
    };
    describe(&info, response.headers_mut());
    response
}

fn describe(info: &FileInfo, headers: &mut HeaderMap) {
    let place = if kind::is_picture(&info.media_type) { "inline" } else { "attachment" };
    let fallback = HeaderValue::from_static("application/octet-stream");
    let kind = HeaderValue::from_str(kind::served_as(&info.media_type)).unwrap_or(fallback);
    headers.insert(header::CONTENT_TYPE, kind);
    let disposition = format!("{place}; filename*=UTF-8''{}", percent(&info.name));
    let fallback = HeaderValue::from_static("attachment");
    headers.insert(header::CONTENT_DISPOSITION, HeaderValue::from_str(&disposition).unwrap_or(fallback));
    headers.insert(header::CACHE_CONTROL, KEEP);
    headers.insert(header::VARY, HeaderValue::from_static("Authorization"));
}

/// A name as RFC 8187 has it in a header.
pub(crate) fn percent(name: &str) -> String {
    let mut written = String::new();
    for byte in name.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                written.push(char::from(byte))
            }
            _ => drop(write!(written, "%{byte:02X}")),
        }
    }
    written
}

impl IntoResponse for KeepError {
    fn into_response(self) -> Response {
        let status = match self {
            Self::NotAFile(_) => StatusCode::NOT_FOUND,
            Self::TooLarge(_) => StatusCode::PAYLOAD_TOO_LARGE,
            Self::Full(_) => StatusCode::INSUFFICIENT_STORAGE,
            Self::Cut => StatusCode::BAD_REQUEST,
            Self::Disk(ref error) => {
                tracing::error!(%error, "cannot keep a file");
                StatusCode::INTERNAL_SERVER_ERROR
            }
        };
        // What is left of the body is not read, so nothing else can come over this connection.
        let headers = [(header::CACHE_CONTROL, "no-store"), (header::CONNECTION, "close")];
        (status, headers, format!("{}.\n", sentence(&self))).into_response()
    }
}

fn sentence(error: &KeepError) -> String {
    let text = error.to_string();
    let mut chars = text.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}
