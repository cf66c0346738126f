//! Answers, remarks and the user's words: told apart, and complete only when they are.

#![cfg(target_arch = "wasm32")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod view;

use iris::store::Intent;
use iris_core::ids::ClientId;
use iris_core::protocol::frame::{Tokens, TurnStatus};
use iris_core::timeline::item::Pending;
use iris_core::timeline::{ItemKind, Phase, TurnFooter, UserMessage};
use view::{Page, answer, settle};
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

fn with_footer(kind: ItemKind) -> ItemKind {
    let ItemKind::Answer(mut answer) = kind else { panic!("not an answer") };
    answer.footer = TurnFooter {
        model: Some("hermes-4".to_owned()),
        tokens: Some(Tokens { total: Some(42), ..Tokens::default() }),
        duration_ms: Some(3_000),
        turn: Some("t/1".into()),
    };
    ItemKind::Answer(answer)
}

fn user(text: &str, pending: Option<Pending>) -> ItemKind {
    ItemKind::User(UserMessage {
        text: text.to_owned(),
        client_id: Some(ClientId::from("c1")),
        pending,
        attachments: Vec::new(),
    })
}

#[wasm_bindgen_test]
async fn the_footer_waits_until_the_reveal_has_caught_up() {
    let mut page = Page::open();
    let text = "Words that take a while to appear. ".repeat(4);
    let key = page.add(answer("", "", Phase::Streaming));
    settle().await;
    page.set(key, with_footer(answer(&text, "", Phase::Stopped)));
    settle().await;
    let shown = page.text("[data-text]").unwrap();
    assert!(shown.len() < text.len(), "the reveal was cut short");
    assert_eq!(page.text(".foot"), None);
    page.until("the footer", |page| page.text(".foot").is_some()).await;
    assert_eq!(page.text("[data-text]").unwrap().trim(), text.trim());
    let foot = page.text(".foot").unwrap();
    assert!(foot.contains("hermes-4") && foot.contains("42"), "{foot}");
    assert_eq!(page.one("[data-row=answer]").get_attribute("data-phase").as_deref(), Some("settled"));
}

#[wasm_bindgen_test]
async fn an_answer_that_was_cut_says_so() {
    for (status, words) in [(TurnStatus::Interrupted, "Stopped"), (TurnStatus::Error, "Cut off by an error")]
    {
        let mut page = Page::open();
        let ItemKind::Answer(mut cut) = answer("Half of", "", Phase::Stopped) else {
            panic!("not an answer")
        };
        cut.cut = Some(status);
        page.add(ItemKind::Answer(cut));
        page.until("the words", |page| page.text(".cut").as_deref() == Some(words)).await;
    }
}

#[wasm_bindgen_test]
async fn a_remark_is_no_answer() {
    let mut page = Page::open();
    page.add(ItemKind::Commentary { text: "Let me **look** first.".to_owned() });
    settle().await;
    assert_eq!(page.text(".commentary [data-text]").as_deref(), Some("Let me look first."));
    assert!(page.all(".answer-row, .foot, .commentary button").is_empty());
}

#[wasm_bindgen_test]
async fn the_users_words_are_plain_text_with_their_lines() {
    let mut page = Page::open();
    let text = "# not a heading\n<b>not bold</b>\n  indented";
    page.add(user(text, None));
    settle().await;
    assert_eq!(page.text(".user-bubble").as_deref(), Some(text));
    assert_eq!(page.one(".user-bubble").child_element_count(), 0);
}

#[wasm_bindgen_test]
async fn a_message_that_failed_can_be_sent_again_or_discarded() {
    let mut page = Page::open();
    page.add(user("Hello", Some(Pending::Failed("no connection".to_owned()))));
    settle().await;
    assert_eq!(page.text(".user-state").as_deref(), Some("Not sent: no connection"));
    for button in page.all(".user-actions button") {
        button.click();
    }
    let id = ClientId::from("c1");
    assert_eq!(page.intents(), [Intent::Retry(id.clone()), Intent::Discard(id)]);
}
