//! Files both ways.

use iris::store::{FileState, Intent, UploadState};
use iris_core::ids::FileId;
use js_sys::{Array, Uint8Array};
use leptos::prelude::WithUntracked;
use serde_json::json;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::File;

use crate::{Page, is_there, storage, take_asked, will_answer};

const ANSWER: &str = r#"{"id":"f1","name":"a b.txt","media_type":"text/plain","size":5}"#;

fn file(name: &str, length: u32) -> File {
    File::new_with_u8_array_sequence(&Array::of1(&Uint8Array::new_with_length(length)), name).unwrap()
}

fn states(page: &Page) -> Vec<String> {
    page.store.uploads.with_untracked(|uploads| {
        let state = |state: &UploadState| match state {
            UploadState::Sending => "sending".to_owned(),
            UploadState::Ready(file) => format!("ready {}", file.id),
            UploadState::Failed(why) => format!("failed: {why}"),
        };
        uploads.iter().map(|upload| format!("{} {}", upload.name, state(&upload.state))).collect()
    })
}

async fn until_ended(page: &Page) {
    page.until("the upload's end", |page| states(page).iter().all(|state| !state.ends_with("sending"))).await;
}

fn paired(chats: &[&str]) -> Page {
    storage().clear().unwrap();
    storage().set_item("iris.token", "T1").unwrap();
    let page = Page::again("");
    page.greet(chats);
    page.sent();
    page
}

#[wasm_bindgen_test]
async fn an_attached_file_is_uploaded_and_goes_with_the_next_message() {
    let page = paired(&["a"]);
    will_answer(200, "application/json", ANSWER);
    page.ask_for(Intent::Attach(vec![file("a b.txt", 5)]));
    assert_eq!(states(&page), ["a b.txt sending"]);
    page.write("");
    assert!(page.sent().is_empty(), "there is nothing to send yet");
    until_ended(&page).await;
    assert_eq!(take_asked(), ["POST | files?name=a%20b.txt | Bearer T1 | 5 bytes"]);
    page.write("");
    page.write("");
    let sent = page.one_sent("message.send");
    assert_eq!((&sent["attachments"], &sent["text"]), (&json!(["f1"]), &json!("")));
    assert!(states(&page).is_empty());
}

#[wasm_bindgen_test]
async fn a_file_that_cannot_be_sent_says_why() {
    let page = paired(&["a"]);
    will_answer(413, "text/plain", "The disk is full");
    page.ask_for(Intent::Attach(vec![file("big", (32 << 20) + 1), file("small", 1)]));
    until_ended(&page).await;
    assert_eq!(
        states(&page),
        ["big failed: Too large: a file has at most 32 MB", "small failed: The disk is full"]
    );
    assert_eq!(take_asked().len(), 1, "what is too large is not even tried");
    page.write("Hello");
    assert_eq!(page.one_sent("message.send").get("attachments"), None);
    assert_eq!(states(&page).len(), 2, "what failed stays to be seen");
    let keys: Vec<u32> =
        page.store.uploads.with_untracked(|all| all.iter().map(|upload| upload.key).collect());
    keys.into_iter().for_each(|key| page.ask_for(Intent::Detach(key)));
    assert!(states(&page).is_empty());
    page.hear(json!({"type": "backend.updated", "capabilities": []}));
    page.ask_for(Intent::Attach(vec![file("x", 1)]));
    assert_eq!(states(&page), ["x failed: Files cannot be sent to this Hermes"]);
}

#[wasm_bindgen_test]
async fn what_is_attached_waits_with_its_draft() {
    let page = paired(&["a", "b"]);
    will_answer(200, "application/json", ANSWER);
    page.ask_for(Intent::Attach(vec![file("a b.txt", 5)]));
    page.ask_for(Intent::OpenChat("b".into()));
    assert!(states(&page).is_empty());
    page.until("the request", |_| !take_asked().is_empty()).await;
    crate::pause(20).await;
    page.ask_for(Intent::OpenChat("a".into()));
    until_ended(&page).await;
    assert_eq!(states(&page), ["a b.txt ready f1"]);
}

fn loaded(page: &Page, id: &str) -> Option<FileState> {
    page.store.files.with_untracked(|files| files.get(&FileId::from(id)).cloned())
}

#[wasm_bindgen_test]
async fn a_files_bytes_are_loaded_once_and_given_back_with_the_chat() {
    let page = paired(&["a", "b"]);
    will_answer(200, "image/png", "bytes");
    page.ask_for(Intent::Fetch("f/1".into()));
    page.ask_for(Intent::Fetch("f/1".into()));
    assert_eq!(loaded(&page, "f/1"), Some(FileState::Loading));
    page.until("the bytes", |page| loaded(page, "f/1") != Some(FileState::Loading)).await;
    assert_eq!(take_asked(), ["GET | files/f%2F1 | Bearer T1 | "]);
    let Some(FileState::Ready(url)) = loaded(&page, "f/1") else { panic!("{:?}", loaded(&page, "f/1")) };
    let there = || async { wasm_bindgen_futures::JsFuture::from(is_there(&url)).await.unwrap().as_bool() };
    assert_eq!(there().await, Some(true));
    page.ask_for(Intent::OpenChat("b".into()));
    assert_eq!((loaded(&page, "f/1"), there().await), (None, Some(false)));
    will_answer(404, "text/plain", "This file is gone");
    page.ask_for(Intent::Fetch("f2".into()));
    page.until("the answer", |page| loaded(page, "f2") != Some(FileState::Loading)).await;
    assert_eq!(loaded(&page, "f2"), Some(FileState::Failed("This file is gone".to_owned())));
}
