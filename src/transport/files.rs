//! Files both ways: uploads for the draft, and the bytes of files that the chat shows. Decides nothing about how they
//! look.

use iris_core::ids::{ChatId, FileId};
use iris_core::protocol::frame::FileInfo;
use iris_core::protocol::{ServerFrame, decode_server_value};
use js_sys::JsString;
use leptos::prelude::{Set, Update, WithUntracked};
use serde_json::{Map, Value};
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::spawn_local;
use web_sys::File;

use super::driver::Driver;
use super::link::Input;
use crate::browser::http::{self, Call};
use crate::browser::json;
use crate::store::{FileState, Upload, UploadState, set_if};

/// The longest file that the adapter takes, bytes.
const MAX_BYTES: f64 = 32.0 * 1024.0 * 1024.0;

const TOO_LARGE: &str = "Too large: a file has at most 32 MB";
const NO_FILES: &str = "Files cannot be sent to this Hermes";
const MAKES_NO_SENSE: &str = "The adapter's answer makes no sense";

/// Files on their way. Dropping one breaks it off.
#[derive(Default)]
pub(super) struct Files {
    next: u32,
    uploads: Vec<(u32, Call)>,
    fetches: Vec<(FileId, Call)>,
    /// What is attached to drafts that are not on screen.
    drafts: Vec<(ChatId, Vec<Upload>)>,
}

impl Driver {
    /// Uploads these files for the next message.
    pub(super) fn attach(&mut self, files: Vec<File>) {
        for file in files {
            self.files.next += 1;
            let (key, name, size) = (self.files.next, file.name(), file.size());
            let takes = |list: &Vec<String>| list.iter().any(|capability| capability == "files");
            let state = if size > MAX_BYTES {
                UploadState::Failed(TOO_LARGE.to_owned())
            } else if !self.store.capabilities.with_untracked(takes) {
                UploadState::Failed(NO_FILES.to_owned())
            } else {
                self.upload(key, &name, file);
                UploadState::Sending
            };
            self.store.uploads.update(|uploads| uploads.push(Upload { key, name, size, state }));
        }
    }

    fn upload(&mut self, key: u32, name: &str, file: File) {
        let call = Call::default();
        let path = format!("files?name={}", String::from(js_sys::encode_uri_component(name)));
        let answer = call.send("POST", &path, self.token.as_deref(), &file);
        let door = self.door.clone();
        spawn_local(async move {
            let uploaded = async { file_info(&http::text(&answer.await?).await?) };
            door.put(Input::Uploaded(key, uploaded.await));
        });
        self.files.uploads.push((key, call));
    }

    /// An upload has ended; its draft may be of another chat than the one on screen.
    pub(super) fn uploaded(&mut self, key: u32, end: Result<FileInfo, String>) {
        self.files.uploads.retain(|(other, _)| *other != key);
        let state = match end {
            Ok(file) => UploadState::Ready(file),
            Err(why) => UploadState::Failed(why),
        };
        let elsewhere = self.files.drafts.iter_mut().flat_map(|(_, uploads)| uploads);
        match elsewhere.into_iter().find(|upload| upload.key == key) {
            Some(upload) => upload.state = state,
            None => self.store.uploads.update(|uploads| {
                if let Some(upload) = uploads.iter_mut().find(|upload| upload.key == key) {
                    upload.state = state;
                }
            }),
        }
    }

    /// Takes a file away from the draft.
    pub(super) fn detach(&mut self, key: u32) {
        self.files.uploads.retain(|(other, _)| *other != key);
        self.store.uploads.update(|uploads| uploads.retain(|upload| upload.key != key));
    }

    /// Whether the draft has a file that can go with the message.
    pub(super) fn has_uploads(&self) -> bool {
        let ready = |upload: &Upload| matches!(upload.state, UploadState::Ready(_));
        self.store.uploads.with_untracked(|uploads| uploads.iter().any(ready))
    }

    /// Takes the files that go with the message; what is still on its way, or failed, stays with the draft.
    pub(super) fn take_uploads(&mut self) -> Vec<FileInfo> {
        let mut taken = Vec::new();
        if self.has_uploads() {
            self.store.uploads.update(|uploads| {
                uploads.retain(|upload| match &upload.state {
                    UploadState::Ready(file) => {
                        taken.push(file.clone());
                        false
                    }
                    _ => true,
                });
            });
        }
        taken
    }

    /// Loads a file's bytes, once.
    pub(super) fn fetch(&mut self, id: FileId) {
        let here = |files: &std::collections::HashMap<FileId, FileState>| {
            matches!(files.get(&id), Some(FileState::Loading | FileState::Ready(_)))
        };
        if self.store.files.with_untracked(here) {
            return;
        }
        let call = Call::default();
        let path = format!("files/{}", String::from(js_sys::encode_uri_component(id.as_str())));
        let answer = call.send("GET", &path, self.token.as_deref(), &JsValue::UNDEFINED);
        self.files.fetches.push((id.clone(), call));
        self.store.files.update(|files| {
            files.insert(id.clone(), FileState::Loading);
        });
        let door = self.door.clone();
        spawn_local(async move {
            let url = async { http::blob_url(&answer.await?).await };
            door.put(Input::Fetched(id, url.await));
        });
    }

    /// A file's bytes are here, unless its chat was left meanwhile.
    pub(super) fn fetched(&mut self, id: FileId, end: Result<String, String>) {
        let before = self.files.fetches.len();
        self.files.fetches.retain(|(other, _)| *other != id);
        match end {
            Ok(url) if before == self.files.fetches.len() => http::revoke(&url),
            Err(_) if before == self.files.fetches.len() => {}
            end => self.store.files.update(|files| {
                let state = end.map_or_else(FileState::Failed, FileState::Ready);
                files.insert(id, state);
            }),
        }
    }

    /// The chat is left: its files' bytes are given back, and what is attached to its draft waits for it.
    pub(super) fn leave_files(&mut self, next: &ChatId) {
        self.files.fetches.clear();
        self.store.files.with_untracked(|files| {
            for state in files.values() {
                if let FileState::Ready(url) = state {
                    http::revoke(url);
                }
            }
        });
        self.store.files.set(std::collections::HashMap::new());
        // What was attached before any chat was known comes along.
        let Some(left) = &self.chat else { return };
        let uploads = self.store.uploads.with_untracked(Clone::clone);
        self.files.drafts.retain(|(chat, _)| chat != left);
        if !uploads.is_empty() {
            self.files.drafts.push((left.clone(), uploads));
        }
        let at = self.files.drafts.iter().position(|(chat, _)| chat == next);
        let uploads = at.map_or_else(Vec::new, |at| self.files.drafts.swap_remove(at).1);
        set_if(&self.store.uploads, uploads);
    }
}

/// The adapter's answer to an upload: a file, as it would stand in a frame.
fn file_info(text: &JsString) -> Result<FileInfo, String> {
    let mut frame = Map::new();
    frame.insert("type".to_owned(), "file".into());
    frame.insert("message_id".to_owned(), "".into());
    frame.insert("file".to_owned(), json::parse(text)?);
    match decode_server_value(Value::Object(frame)).map(|envelope| envelope.frame) {
        Ok(ServerFrame::File { file, .. }) => Ok(file),
        _ => Err(MAKES_NO_SENSE.to_owned()),
    }
}
