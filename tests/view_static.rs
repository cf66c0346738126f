//! No part of the page is made from an HTML string: Trusted Types would refuse it.

#![cfg(target_arch = "wasm32")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod view;

use iris::store::{Older, Pairing, Search, Upload, UploadState};
use iris_core::connection::State;
use iris_core::protocol::frame::{
    AskKind, BackendInfo, ChatSummary, FileInfo, Level, SearchHit, SlashCommand, Suggestion, TurnStatus,
};
use iris_core::settings::ToolDetail;
use iris_core::timeline::item::Pending;
use iris_core::timeline::{Ask, FileItem, ItemKind, Notice, Phase, ToolState, UserMessage};
use leptos::prelude::*;
use view::{Page, answer, input, pause, settle, tool};
use wasm_bindgen::JsCast;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::HtmlInputElement;

wasm_bindgen_test_configure!(run_in_browser);

const COUNT: &str = "
    window.htmlStrings = [];
    for (const [name, owner] of [['innerHTML', Element], ['outerHTML', Element], ['innerHTML', ShadowRoot]]) {
        const own = Object.getOwnPropertyDescriptor(owner.prototype, name);
        Object.defineProperty(owner.prototype, name, { ...own, set(html) {
            window.htmlStrings.push(html); own.set.call(this, html);
        } });
    }";

fn all_kinds() -> Vec<ItemKind> {
    let user = |pending| {
        ItemKind::User(UserMessage {
            text: "Hello".to_owned(),
            client_id: None,
            pending,
            attachments: Vec::new(),
        })
    };
    let notice = |level| {
        let notice = Notice::new(level, "stale", "No response from provider for 6s. Reconnecting...");
        let before = vec![notice.clone(), Notice::new(Level::Warning, "x", "Careful")];
        ItemKind::Notice(Notice { detail: Some("Since 40 s".to_owned()), before, ..notice })
    };
    let ask = |kind, outcome: Option<&str>| {
        ItemKind::Ask(Ask {
            ask_id: "a".into(),
            kind,
            text: "Sure?".to_owned(),
            command: Some("ls".to_owned()),
            choices: Vec::new(),
            outcome: outcome.map(str::to_owned),
        })
    };
    let file = |media_type: &str| {
        let (id, name) = ("f".into(), "chart".to_owned());
        let file = FileInfo { id, name, media_type: media_type.to_owned(), size: 1 };
        ItemKind::File(FileItem { message_id: "m".into(), file, caption: Some("Look".to_owned()) })
    };
    let ItemKind::Answer(mut cut) = answer("Half", "Thought", Phase::Settled) else {
        panic!("not an answer")
    };
    cut.cut = Some(TurnStatus::Interrupted);
    let states = [
        ToolState::Running,
        ToolState::NoResult,
        ToolState::Done { ok: Some(true), duration: Some(1.0) },
        ToolState::Done { ok: None, duration: None },
    ];
    let tools = (1..).zip(states).map(|(index, state)| tool(index, state)).collect();
    vec![
        user(None),
        user(Some(Pending::Sending)),
        user(Some(Pending::Failed("gone".to_owned()))),
        answer("# Title\n\n- [x] done\n\n```html\n<p>\n```\n", "Thought", Phase::Settled),
        ItemKind::Answer(cut),
        ItemKind::Commentary { text: "Let me look".to_owned() },
        ItemKind::Tools(tools),
        notice(Level::Info),
        notice(Level::Warning),
        notice(Level::Error),
        ask(AskKind::Approval, None),
        ask(AskKind::Clarify, None),
        ask(AskKind::Confirm, Some("Confirmed")),
        file("image/png"),
        file("application/pdf"),
    ]
}

/// The parts that stand around the rows, in every state.
async fn everything_around(page: &Page) {
    let words = |all: &[&str]| all.iter().map(|one| (*one).to_owned()).collect::<Vec<_>>();
    page.store.capabilities.set(words(&["files", "search", "queue", "steer", "interrupt"]));
    page.store.commands.set(vec![SlashCommand { name: "stop".to_owned(), ..SlashCommand::default() }]);
    page.store.draft.set("/s".to_owned());
    let upload = |key, state| Upload { key, name: "plan".to_owned(), size: 1.0, state };
    page.store
        .uploads
        .set(vec![upload(1, UploadState::Sending), upload(2, UploadState::Failed("no".to_owned()))]);
    page.store.older.set(Older::More);
    page.store.running.set(true);
    let chat = ChatSummary { id: "c".into(), title: "One".to_owned(), updated_ms: 1, running: true };
    page.store.chats.set(vec![chat]);
    page.store.backend.update(|backend| {
        if let Some(backend) = backend {
            backend.trouble = Some("Start it with `hermes`".to_owned());
        }
    });
    settle().await;
    for selector in
        [".slash-option", "[data-mode]", "[data-upload]", "[data-action=older]", "[data-trouble] code"]
    {
        assert!(!page.all(selector).is_empty(), "{selector} is not drawn");
    }
    page.store.older.set(Older::None);
    page.click("[data-action=chats]").await;
    if page.all("[data-chats]").is_empty() {
        page.click("[data-action=chats]").await;
    }
    for edit in ["rename-chat", "delete-chat"] {
        page.click("[data-action=chat-menu]").await;
        page.click(&format!("[data-action={edit}]")).await;
        page.click(".chat-actions > .button:last-child").await;
    }
    let field: HtmlInputElement = page.one("[data-search]").unchecked_into();
    field.set_value("one");
    input(&field).await;
    let hit = SearchHit {
        chat: "c".into(),
        seq: 1,
        before: "a".to_owned(),
        matched: "b".to_owned(),
        after: "c".to_owned(),
    };
    page.store.search.set(Some(Search { query: "one".to_owned(), hits: Some(vec![hit]) }));
    settle().await;
    assert_eq!(page.all("[data-hit]").len(), 1);
}

#[wasm_bindgen_test]
async fn no_component_uses_an_html_string() {
    js_sys::eval(COUNT).unwrap();
    let mut page = Page::open();
    page.store.backend.set(Some(BackendInfo { kind: "demo".to_owned(), ..BackendInfo::default() }));
    page.store.suggestions.set(vec![Suggestion { label: "One".to_owned(), text: "Two".to_owned() }]);
    settle().await;
    assert_eq!(page.all(".welcome [data-suggestion]").len(), 1);
    for kind in all_kinds() {
        page.add(kind);
    }
    settle().await;
    assert_eq!(page.all(".examples [data-suggestion]").len(), 1);
    for detail in [ToolDetail::Everything, ToolDetail::Nothing, ToolDetail::Truncated] {
        page.store.settings.update(|settings| settings.tool_detail = detail);
        settle().await;
    }
    everything_around(&page).await;
    page.store.running.set(true);
    page.store.connection.set(State::Offline { since_ms: 0.0, retry_at_ms: 9e9, attempt: 2 });
    page.until("the banner", |page| !page.all(".banner").is_empty()).await;
    page.click("[data-action=settings]").await;
    page.until("the sheet", |page| !page.all(".sheet[open] .setting").is_empty()).await;
    for button in page.all("button[aria-expanded=false]") {
        button.click();
    }
    pause(50).await;
    page.store.connection.set(State::Online);
    page.store.pairing.set(Pairing::Failed("The code has been used".to_owned()));
    page.until("the other page", |page| !page.all("[data-pairing]").is_empty()).await;
    let strings = js_sys::eval("JSON.stringify(window.htmlStrings)").unwrap();
    assert_eq!(strings.as_string().as_deref(), Some("[]"));
}
