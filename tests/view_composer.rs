//! The composer's keys and its button; questions that are answered exactly once.

#![cfg(target_arch = "wasm32")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod view;

use iris::components::composer::{KeyMeans, Press};
use iris::components::slash::matches;
use iris::store::Intent;
use iris_core::connection::State;
use iris_core::ids::AskId;
use iris_core::protocol::frame::{AskKind, Choice, SendMode, SlashCommand};
use iris_core::timeline::{Ask, ItemKind};
use leptos::prelude::*;
use view::{Page, focused, input, key, settle};
use wasm_bindgen::JsCast;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::{HtmlInputElement, HtmlTextAreaElement, KeyboardEvent, KeyboardEventInit};

wasm_bindgen_test_configure!(run_in_browser);

fn field(page: &Page) -> HtmlTextAreaElement {
    page.one("textarea").unchecked_into()
}

async fn write(page: &Page, text: &str) {
    field(page).set_value(text);
    input(&field(page)).await;
}

/// Presses a key; whether the browser may do its own part (a new line).
async fn press(page: &Page, change: impl Fn(&KeyboardEventInit)) -> bool {
    let init = KeyboardEventInit::new();
    init.set_key("Enter");
    init.set_bubbles(true);
    init.set_cancelable(true);
    change(&init);
    let event = KeyboardEvent::new_with_keyboard_event_init_dict("keydown", &init).unwrap();
    let allowed = field(page).dispatch_event(&event).unwrap();
    settle().await;
    allowed
}

#[wasm_bindgen_test]
async fn enter_sends_and_empties_the_field() {
    let page = Page::open();
    write(&page, "Hello\nyou").await;
    assert!(!press(&page, |_| ()).await, "Enter also made a line");
    assert_eq!(page.intents(), [Intent::Send { text: "Hello\nyou".to_owned(), mode: None }]);
    assert_eq!((field(&page).value(), page.store.draft.get_untracked()), (String::new(), String::new()));
}

#[wasm_bindgen_test]
async fn shift_enter_makes_a_line() {
    let page = Page::open();
    write(&page, "Hello").await;
    assert!(press(&page, |init| init.set_shift_key(true)).await);
    assert!(page.intents().is_empty());
}

#[wasm_bindgen_test]
async fn composing_never_sends() {
    let page = Page::open();
    write(&page, "にほんご").await;
    assert!(press(&page, |init| init.set_is_composing(true)).await);
    // Safari ends the composition before it reports the key.
    assert!(press(&page, |init| init.set_key_code(229)).await);
    assert!(page.intents().is_empty());
}

#[wasm_bindgen_test]
fn keys_mean_what_the_keyboard_can_do() {
    let enter = Press { key: "Enter", ..Press::default() };
    let cases = [
        (enter, KeyMeans::Send),
        (Press { shift: true, ..enter }, KeyMeans::Text),
        (Press { touch: true, ..enter }, KeyMeans::Text),
        (Press { touch: true, command: true, ..enter }, KeyMeans::Send),
        (Press { composing: true, ..enter }, KeyMeans::Text),
        (Press { composing: true, command: true, ..enter }, KeyMeans::Text),
        (Press { key: "a", ..Press::default() }, KeyMeans::Text),
    ];
    for (press, means) in cases {
        assert_eq!(press.means(), means, "{press:?}");
    }
}

#[wasm_bindgen_test]
async fn blank_text_is_not_sent() {
    let page = Page::open();
    write(&page, " \n ").await;
    press(&page, |_| ()).await;
    page.click(".go").await;
    assert!(page.intents().is_empty());
    assert_eq!(page.one(".go").get_attribute("data-action").as_deref(), Some("send"));
}

#[wasm_bindgen_test]
async fn while_a_turn_runs_the_button_stops_it_and_the_draft_stays() {
    let page = Page::open();
    write(&page, "And then?").await;
    page.store.running.set(true);
    settle().await;
    press(&page, |_| ()).await;
    page.click("[data-action=stop]").await;
    assert_eq!(page.intents(), [Intent::Stop]);
    page.store.running.set(false);
    settle().await;
    page.click("[data-action=send]").await;
    assert_eq!(page.intents().last(), Some(&Intent::Send { text: "And then?".to_owned(), mode: None }));
}

fn capabilities(page: &Page, all: &[&str]) {
    page.store.capabilities.set(all.iter().map(|one| (*one).to_owned()).collect());
}

#[wasm_bindgen_test]
async fn while_a_turn_runs_a_message_goes_with_the_chosen_mode() {
    let page = Page::open();
    page.store.running.set(true);
    capabilities(&page, &["interrupt", "files", "steer"]);
    settle().await;
    let modes: Vec<_> =
        page.all("[data-mode] input").iter().map(|input| input.get_attribute("value").unwrap()).collect();
    assert_eq!(modes, ["steer", "interrupt"], "only what the backend can do");
    page.click("[data-mode] [value=interrupt]").await;
    assert_eq!(field(&page).placeholder(), "Interrupt Hermes");
    assert!(page.all("[data-action=send]").is_empty(), "nothing to send, and only one way to press wrong");
    write(&page, "Stop that").await;
    assert_eq!(page.all("[data-action=stop], [data-action=send]").len(), 2);
    press(&page, |_| ()).await;
    let sent = Intent::Send { text: "Stop that".to_owned(), mode: Some(SendMode::Interrupt) };
    assert_eq!(page.intents(), [sent]);
    // The next turn finds the same choice, and a message between turns needs none.
    page.store.running.set(false);
    settle().await;
    assert!(page.all("[data-mode]").is_empty());
    write(&page, "Go on").await;
    press(&page, |_| ()).await;
    assert_eq!(page.intents().last(), Some(&Intent::Send { text: "Go on".to_owned(), mode: None }));
    page.store.running.set(true);
    settle().await;
    assert!(page.one("[data-mode] [value=interrupt]").unchecked_into::<HtmlInputElement>().checked());
}

#[wasm_bindgen_test]
async fn the_only_mode_is_no_choice_and_counts() {
    let page = Page::open();
    page.store.running.set(true);
    capabilities(&page, &["queue"]);
    settle().await;
    assert!(page.all("[data-mode]").is_empty());
    assert_eq!(field(&page).placeholder(), "Answered when Hermes is done");
    write(&page, "And then").await;
    press(&page, |_| ()).await;
    assert_eq!(page.intents(), [Intent::Send { text: "And then".to_owned(), mode: Some(SendMode::Queue) }]);
}

#[wasm_bindgen_test]
async fn without_a_connection_the_field_promises_no_answer() {
    let page = Page::open();
    page.store.running.set(true);
    capabilities(&page, &["queue"]);
    page.store.connection.set(State::Offline { since_ms: 0.0, retry_at_ms: 1_000.0, attempt: 1 });
    settle().await;
    assert_eq!(field(&page).placeholder(), "Sent when the connection is back");
    page.store.connection.set(State::Connecting { attempt: 2, since_ms: Some(0.0) });
    settle().await;
    assert_eq!(field(&page).placeholder(), "Sent when the connection is back");
    page.store.connection.set(State::Online);
    settle().await;
    assert_eq!(field(&page).placeholder(), "Answered when Hermes is done");
}

fn command(name: &str) -> SlashCommand {
    SlashCommand { name: name.to_owned(), description: format!("Does {name}"), args: None }
}

/// A page with commands, and the names of those that the list offers.
fn page_with_commands() -> Page {
    let page = Page::open();
    page.store.commands.set(["status", "stop", "title", "restart"].map(command).to_vec());
    page
}

fn offered(page: &Page) -> Vec<String> {
    page.all("[data-slash] [role=option] .slash-name")
        .iter()
        .map(|option| option.text_content().unwrap())
        .collect()
}

#[wasm_bindgen_test]
fn a_slash_and_the_beginning_of_a_name_finds_commands() {
    let all = ["status", "stop", "title", "restart"].map(command);
    let check = |draft: &str, names: &[&str]| {
        let found: Vec<_> = matches(draft, &all).into_iter().map(|command| command.name).collect();
        assert_eq!(found, names, "{draft:?}");
    };
    check("/", &["status", "stop", "title", "restart"]);
    check("/st", &["status", "stop", "restart"]);
    check("/ST", &["status", "stop", "restart"]);
    check("/t", &["title", "status", "stop", "restart"]);
    check("/title", &["title"]);
    check("/title ", &[]);
    check("/x", &[]);
    check(" /st", &[]);
    check("say /st", &[]);
    check("", &[]);
}

#[wasm_bindgen_test]
async fn commands_are_completed_by_keys_and_sent_when_written_out() {
    let page = page_with_commands();
    write(&page, "/st").await;
    assert_eq!(offered(&page), ["/status", "/stop", "/restart"]);
    assert!(!key(&field(&page), "ArrowDown").await && !key(&field(&page), "ArrowDown").await);
    assert!(!key(&field(&page), "ArrowUp").await);
    let active = field(&page).get_attribute("aria-activedescendant").unwrap();
    assert_eq!(page.text("[aria-selected=true] .slash-name").as_deref(), Some("/stop"));
    assert_eq!(page.one("[aria-selected=true]").id(), active);
    assert!(!key(&field(&page), "Tab").await, "Tab left the field");
    assert_eq!(field(&page).value(), "/stop ");
    assert!(offered(&page).is_empty() && page.intents().is_empty());
    write(&page, "/tit").await;
    press(&page, |_| ()).await;
    assert_eq!(field(&page).value(), "/title ", "Enter completes");
    write(&page, "/stop").await;
    press(&page, |_| ()).await;
    assert_eq!(
        page.intents(),
        [Intent::Send { text: "/stop".to_owned(), mode: None }],
        "and sends what is whole"
    );
}

#[wasm_bindgen_test]
async fn escape_puts_the_commands_away_until_more_is_written() {
    let page = page_with_commands();
    write(&page, "/s").await;
    assert!(!key(&field(&page), "Escape").await);
    assert!(offered(&page).is_empty());
    assert!(key(&field(&page), "ArrowDown").await, "the keys are the text's again");
    write(&page, "/st").await;
    assert_eq!(offered(&page).len(), 3);
    field(&page).focus().unwrap();
    page.click("[data-slash] [role=option]").await;
    assert_eq!(field(&page).value(), "/status ");
    assert!(focused().is_same_node(Some(&field(&page))));
}

#[wasm_bindgen_test]
async fn a_draft_from_the_store_appears_and_a_refused_page_says_why_it_does_not_send() {
    let page = Page::open();
    page.store.draft.set("kept".to_owned());
    page.store.connection.set(State::Refused { reason: "pair this device".to_owned() });
    settle().await;
    assert_eq!(field(&page).value(), "kept");
    press(&page, |_| ()).await;
    assert!(page.intents().is_empty());
    assert_eq!(field(&page).placeholder(), "Hermes cannot be reached");
}

fn question(kind: AskKind, outcome: Option<&str>) -> ItemKind {
    let choice = |id: &str| Choice { id: id.to_owned(), label: format!("Say {id}") };
    ItemKind::Ask(Ask {
        ask_id: AskId::from("a1"),
        kind,
        text: "May it run?".to_owned(),
        command: Some("rm -rf build".to_owned()),
        choices: vec![choice("once"), choice("deny")],
        outcome: outcome.map(str::to_owned),
    })
}

#[wasm_bindgen_test]
async fn a_question_sends_exactly_one_answer() {
    let mut page = Page::open();
    let key = page.add(question(AskKind::Approval, None));
    settle().await;
    let buttons = page.all("[data-choice]");
    for button in buttons.iter().chain(&buttons).rev() {
        button.click();
    }
    settle().await;
    let answer = Intent::Answer { ask_id: AskId::from("a1"), choice: Some("deny".to_owned()), text: None };
    assert_eq!(page.intents(), [answer]);
    assert_eq!(page.text(".ask-sent").as_deref(), Some("Sending your answer…"));
    assert_eq!(page.all("[data-choice]:disabled").len(), 2);
    page.set(key, question(AskKind::Approval, Some("Denied")));
    settle().await;
    assert!(page.all("[data-choice]").is_empty());
    let outcome = page.text(".ask-outcome").unwrap();
    assert!(outcome.contains("Denied") && outcome.contains("rm -rf build"), "{outcome}");
}

#[wasm_bindgen_test]
async fn a_question_takes_free_text() {
    let mut page = Page::open();
    page.add(question(AskKind::Clarify, None));
    settle().await;
    let input_field: HtmlInputElement = page.one(".ask-input").unchecked_into();
    input_field.set_value("  neither  ");
    input(&input_field).await;
    page.click(".ask-form button").await;
    page.click(".ask-form button").await;
    let answer = Intent::Answer { ask_id: AskId::from("a1"), choice: None, text: Some("neither".to_owned()) };
    assert_eq!(page.intents(), [answer]);
}
