//! `GET export/CHAT.jsonl`, `.md`, `.html` and `.json`: a chat, or with `?turn=` one turn of it, as a recording that plays
//! again, as Markdown, as one HTML file, and as a diagnostic without a word of what was said. What is in such a file is
//! core's to know (`export`); here the frames on disk get the times of their tapes (`export/assemble.rs`).

mod assemble;

use axum::{
    Extension,
    extract::{Path, Query, State, rejection::QueryRejection},
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use iris_core::{
    export::{self, About, Observer, Recording},
    ids::ChatId,
    protocol::frame::{Envelope, Facts, Level, ServerFrame},
};
use serde::Deserialize;

use super::{Sources, refused};
use crate::{
    files::routes::percent,
    guard::door::Caller,
    hub::{Transcribed, now_ms},
};
use assemble::{Assembled, assemble};

/// What a file can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Recording,
    Markdown,
    Html,
    Diagnostic,
}

impl Form {
    fn read(extension: &str) -> Option<Self> {
        Some(match extension {
            "jsonl" => Self::Recording,
            "md" => Self::Markdown,
            "html" => Self::Html,
            "json" => Self::Diagnostic,
            _ => return None,
        })
    }

    /// Its type, and what its name ends with.
    fn kind(self) -> (&'static str, &'static str) {
        match self {
            Self::Recording => ("application/x-ndjson", export::recording::EXTENSION),
            Self::Markdown => ("text/markdown; charset=utf-8", "md"),
            Self::Html => ("text/html; charset=utf-8", "html"),
            Self::Diagnostic => ("application/json", "diagnostic.json"),
        }
    }
}

/// `?turn=<id>`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Wanted {
    turn: Option<String>,
}

/// Answers a request for a file.
pub(super) async fn give(
    State(sources): State<Sources>,
    Extension(caller): Extension<Caller>,
    Path(file): Path<String>,
    wanted: Result<Query<Wanted>, QueryRejection>,
) -> Response {
    if let Err(outside) = caller.device {
        return outside.as_ref().into_response();
    }
    let form = file.rsplit_once('.').and_then(|(chat, extension)| Some((chat, Form::read(extension)?)));
    let (Some((chat, form)), Ok(Query(Wanted { turn }))) = (form, wanted) else {
        return refused(StatusCode::NOT_FOUND, "A chat is exported as .jsonl, .md, .html or .json.");
    };
    // A long chat is much to hold: one at a time.
    let _alone = sources.exporting.lock().await;
    let transcribed = match sources.hub.transcribe(&ChatId(chat.to_owned())).await {
        Ok(Some(transcribed)) => transcribed,
        Ok(None) => return refused(StatusCode::NOT_FOUND, "There is no such chat, or not any more."),
        Err(trouble) => {
            let why = format!("The journal cannot be read: {trouble}.");
            return refused(StatusCode::INTERNAL_SERVER_ERROR, &why);
        }
    };
    let about = About { title: transcribed.title.clone(), exported_ms: Some(now_ms()) };
    let written =
        tokio::task::spawn_blocking(move || write(form, &about, &transcribed, turn.as_deref())).await;
    match written {
        Ok(Some((name, text))) => answer(form, &name, text),
        Ok(None) => refused(StatusCode::NOT_FOUND, "There is no such turn in this chat."),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

/// The file, and what it is called without its extension.
fn write(
    form: Form,
    about: &About,
    transcribed: &Transcribed,
    turn: Option<&str>,
) -> Option<(String, String)> {
    let assembled = assemble(&transcribed.frames, &transcribed.tapes, turn)?;
    let text = match form {
        Form::Recording => recording(about, &assembled),
        Form::Markdown => export::markdown::export(about, &rows(&assembled)),
        Form::Html => export::html::export(about, &rows(&assembled)),
        Form::Diagnostic => diagnostic(&assembled),
    };
    Some((about.file_name(turn.is_some()), text))
}

fn recording(about: &About, assembled: &Assembled) -> String {
    let mut recording = Recording::new(about, assembled.began_ms());
    if let Some(notice) = without_times(assembled) {
        recording.push(Some(0), &notice);
    }
    for (at_ms, frame) in assembled.since_began() {
        recording.push(at_ms, frame);
    }
    recording.take()
}

/// What a recording says of turns of which nobody knows any more when what was told.
fn without_times(assembled: &Assembled) -> Option<ServerFrame> {
    let untimed = assembled.turns.checked_sub(assembled.timed).filter(|untimed| *untimed > 0)?;
    let text = match assembled.turns {
        1 => "This turn was kept without its times: it plays at once.".to_owned(),
        turns => format!("{untimed} of {turns} turns were kept without their times: they play at once."),
    };
    let (level, code, facts) = (Level::Info, "no_timing".to_owned(), Facts::default());
    Some(ServerFrame::Notice { level, code, text, detail: None, facts })
}

fn rows(assembled: &Assembled) -> Vec<iris_core::timeline::Item> {
    let envelopes: Vec<Envelope> = assembled
        .frames
        .iter()
        .map(|(_, frame)| Envelope { chat: None, seq: None, frame: frame.clone() })
        .collect();
    export::rows(&envelopes)
}

fn diagnostic(assembled: &Assembled) -> String {
    let mut observer = Observer::default();
    observer.version("adapter", env!("CARGO_PKG_VERSION"));
    let mut now_ms = 0;
    for (at_ms, frame) in assembled.since_began() {
        now_ms = now_ms.max(at_ms.unwrap_or(0));
        observer.frame(now_ms, frame);
    }
    serde_json::to_string_pretty(observer.diagnostic()).unwrap_or_default()
}

fn answer(form: Form, name: &str, text: String) -> Response {
    let (kind, extension) = form.kind();
    let disposition = format!("attachment; filename*=UTF-8''{}", percent(&format!("{name}.{extension}")));
    let disposition = HeaderValue::from_str(&disposition).unwrap_or(HeaderValue::from_static("attachment"));
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(kind)),
        (header::CONTENT_DISPOSITION, disposition),
        (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    (headers, text).into_response()
}
