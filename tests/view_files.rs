//! Files: what is attached to the next message, what came with a message, what the agent sends.

#![cfg(target_arch = "wasm32")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod view;

use iris::store::{FileState, Intent, Upload, UploadState};
use iris_core::ids::{FileId, MessageId};
use iris_core::protocol::frame::FileInfo;
use iris_core::timeline::{FileItem, ItemKind, UserMessage};
use leptos::prelude::*;
use view::{Page, settle};
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

fn file(id: &str, name: &str, media_type: &str) -> FileInfo {
    FileInfo { id: id.into(), name: name.to_owned(), media_type: media_type.to_owned(), size: 20_480 }
}

fn from_agent(file: FileInfo) -> ItemKind {
    let caption = Some("The last quarter".to_owned());
    ItemKind::File(FileItem { message_id: MessageId::from("m"), file, caption })
}

fn loaded(page: &Page, id: &str, state: FileState) {
    page.store.files.update(|files| {
        files.insert(FileId::from(id), state);
    });
}

fn ready(id: &str, name: &str) -> UploadState {
    UploadState::Ready(file(id, name, "text/plain"))
}

fn upload(key: u32, name: &str, state: UploadState) -> Upload {
    Upload { key, name: name.to_owned(), size: 20_480.0, state }
}

#[wasm_bindgen_test]
async fn an_image_is_loaded_shown_and_named() {
    let mut page = Page::open();
    page.add(from_agent(file("f1", "chart.png", "image/png")));
    settle().await;
    assert_eq!(page.intents(), [Intent::Fetch("f1".into())]);
    loaded(&page, "f1", FileState::Loading);
    settle().await;
    assert_eq!(page.text(".file-blank").as_deref(), Some("Loading…"));
    loaded(&page, "f1", FileState::Ready("data:image/gif;base64,R0lGODlhAQABAAAAACw=".to_owned()));
    settle().await;
    assert_eq!(page.one("[data-row=file] img").get_attribute("alt").as_deref(), Some("chart.png"));
    let words = page.text("[data-row=file]").unwrap();
    assert!(
        words.contains("chart.png") && words.contains("PNG · 20 kB") && words.contains("The last quarter"),
        "{words}"
    );
}

#[wasm_bindgen_test]
async fn an_image_that_did_not_come_says_why_and_can_be_tried_again() {
    let mut page = Page::open();
    loaded(&page, "f1", FileState::Failed("The adapter no longer has it".to_owned()));
    page.add(from_agent(file("f1", "chart.png", "image/png")));
    settle().await;
    assert!(page.intents().is_empty(), "a failure is not repeated by itself");
    assert_eq!(page.text(".file-trouble").as_deref(), Some("Not loaded: The adapter no longer has it"));
    page.click("[data-action=fetch]").await;
    assert_eq!(page.intents(), [Intent::Fetch("f1".into())]);
}

#[wasm_bindgen_test]
async fn another_file_is_loaded_when_somebody_wants_it() {
    let mut page = Page::open();
    // An SVG may hold scripts: it is kept out of the page like any other file.
    for (id, name, kind) in [("f1", "report.pdf", "application/pdf"), ("f2", "logo.svg", "image/svg+xml")] {
        page.add(from_agent(file(id, name, kind)));
    }
    settle().await;
    assert!(page.intents().is_empty() && page.all("[data-row=file] img").is_empty());
    page.click("[data-action=download]").await;
    assert_eq!(page.intents(), [Intent::Fetch("f1".into())]);
    loaded(&page, "f1", FileState::Loading);
    settle().await;
    assert_eq!(page.text("[data-action=download]").as_deref(), Some("Loading…"));
}

#[wasm_bindgen_test]
async fn what_came_with_a_message_stands_with_it() {
    let mut page = Page::open();
    page.add(ItemKind::User(UserMessage {
        text: String::new(),
        client_id: None,
        pending: None,
        attachments: vec![
            file("f1", "plan.png", "image/png"),
            file("f2", "num\u{202e}bers.xlsx", "application/zip"),
        ],
    }));
    settle().await;
    assert_eq!(page.all("[data-row=user] [data-attachment]").len(), 2);
    assert!(page.all(".user-bubble").is_empty(), "an empty bubble");
    assert!(page.text("[data-row=user]").unwrap().contains("num[U+202E]bers.xlsx"));
    assert_eq!(page.intents(), [Intent::Fetch("f1".into())]);
}

#[wasm_bindgen_test]
async fn files_are_attached_only_where_they_are_taken() {
    let page = Page::open();
    settle().await;
    assert!(page.all("[data-action=attach], input[type=file]").is_empty());
    page.store.capabilities.set(vec!["files".to_owned()]);
    settle().await;
    assert_eq!(page.all("[data-action=attach]").len(), 1);
}

#[wasm_bindgen_test]
async fn a_chip_says_how_far_a_file_is_and_takes_it_away() {
    let page = Page::open();
    page.store.uploads.set(vec![upload(7, "plan.txt", UploadState::Sending)]);
    settle().await;
    let chip = page.one("[data-upload=sending]");
    assert!(chip.text_content().unwrap().contains("plan.txt20 kB · uploading…"));
    page.store.uploads.set(vec![upload(7, "plan.txt", UploadState::Failed("Larger than 25 MB".to_owned()))]);
    settle().await;
    assert!(page.text("[data-upload=failed]").unwrap().contains("Larger than 25 MB"));
    assert!(page.one("[data-upload]").is_same_node(Some(&chip)), "the chip was made anew");
    page.click("[data-action=detach]").await;
    assert_eq!(page.intents(), [Intent::Detach(7)]);
}

#[wasm_bindgen_test]
async fn a_message_waits_for_its_files_and_may_be_files_alone() {
    let page = Page::open();
    let can_send = |page: &Page| page.all("[data-action=send]:disabled").is_empty();
    for (state, sends) in [
        (UploadState::Sending, false),
        (UploadState::Failed("too large".to_owned()), false),
        (ready("f1", "plan.txt"), true),
    ] {
        page.store.uploads.set(vec![upload(1, "plan.txt", state.clone())]);
        settle().await;
        assert_eq!(can_send(&page), sends, "{state:?}");
    }
    page.click("[data-action=send]").await;
    assert_eq!(page.intents(), [Intent::Send { text: String::new(), mode: None }]);
}
