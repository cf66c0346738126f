//! What the user says reaches Hermes once, in order, and waits while nobody is there to take it.

use iris_adapter::backend::{Backend, Event, Opening, Request, Said, SaidFile};
use iris_core::protocol::{ServerFrame, frame::SendMode};
use serde_json::{Value, json};

use crate::{
    bench::Bench,
    plugin::{Hello, recording},
};

fn taken(event: &Event) -> Option<&str> {
    match event {
        Event::Taken { message_id, .. } => Some(&message_id.0),
        _ => None,
    }
}

fn line(call: &str, more: &Value) -> Value {
    let mut line = json!({"t_ms": 1, "call": call, "chat_id": "chat-1"});
    for (key, value) in more.as_object().unwrap() {
        line[key] = value.clone();
    }
    line
}

#[tokio::test]
async fn what_is_said_while_the_gateway_is_away_waits_and_is_answered_in_order() {
    let mut bench = Bench::new().await;
    for id in ["u1", "u2"] {
        bench.say(id, id, None).await;
    }
    bench.gateway.about().wait_for(|about| about.info.trouble.is_some()).await.unwrap();
    let mut plugin = bench.plugin("a").await;
    assert_eq!(plugin.take().await, "u1");
    assert_eq!(taken(&bench.event().await), Some("u1"));
    plugin.tell(1, &line("on_processing_start", &json!({"text": "u1"}))).await;
    plugin.tell(2, &line("on_processing_complete", &json!({"outcome": "success"}))).await;
    assert_eq!(plugin.take().await, "u2");
    let events = bench.until(|event| taken(event) == Some("u2")).await;
    assert_eq!(events.iter().filter_map(taken).collect::<Vec<_>>(), ["u2"]);
    assert_eq!(bench.gateway.about().borrow().info.trouble, None);
}

#[tokio::test]
async fn a_message_waits_for_a_gateway_that_starts_and_for_what_that_does_by_itself() {
    let mut bench = Bench::new().await;
    bench.say("u1", "hello", None).await;
    let mut plugin = bench.hello(&Hello::new(&bench.token, "a")).await.unwrap();
    // A session that was broken off goes on, woken by an empty message.
    plugin.tell(1, &line("on_processing_start", &json!({"text": ""}))).await;
    plugin.say(&json!({"type": "ready"})).await;
    bench.until(|event| matches!(event, Event::Frame(ServerFrame::Typing { on: true }))).await;
    bench.say("u2", "/status", None).await;
    assert_eq!(plugin.take().await, "/status", "a command waits for nothing");
    plugin.tell(2, &line("on_processing_complete", &json!({"outcome": "success"}))).await;
    assert_eq!(plugin.take().await, "hello");
}

#[tokio::test]
async fn a_message_that_hermes_may_not_have_is_handed_in_again_with_its_id() {
    let mut bench = Bench::new().await;
    let mut plugin = bench.plugin("a").await;
    bench.say("u1", "hello", None).await;
    assert_eq!(plugin.message().await["message_id"], "u1");
    drop(plugin);
    let mut plugin = bench.plugin("a").await;
    assert_eq!(plugin.message().await["message_id"], "u1");
    // The hub says it again in another life of the adapter.
    drop(plugin);
    bench = bench.again(Opening::default()).await;
    bench.say("u1", "hello", None).await;
    let mut plugin = bench.plugin("a").await;
    assert_eq!(plugin.message().await["message_id"], "u1");
    // That Hermes works on it says as much as a word of the plugin.
    plugin.tell(1, &line("inbound", &json!({"message_id": "u1", "text": "hello"}))).await;
    assert_eq!(taken(&bench.event().await), Some("u1"));
}

#[tokio::test]
async fn a_mode_decides_what_a_message_does_to_the_turn() {
    let mut bench = Bench::new().await;
    let mut plugin = bench.plugin("a").await;
    plugin.tell(1, &line("on_processing_start", &json!({"text": "go"}))).await;
    bench.until(|event| matches!(event, Event::Frame(ServerFrame::Typing { on: true }))).await;
    bench.say("u1", "later", Some(SendMode::Queue)).await;
    bench
        .until(|event| matches!(event, Event::Frame(ServerFrame::Notice { code, .. }) if code == "queued"))
        .await;
    bench.say("u2", "be brief", Some(SendMode::Steer)).await;
    bench.say("u3", "no, this", Some(SendMode::Interrupt)).await;
    bench.say("u4", "/status", Some(SendMode::Queue)).await;
    bench.ask(Request::Stop).await;
    for expected in ["/steer be brief", "no, this", "/status", "/stop"] {
        assert_eq!(plugin.take().await, expected);
    }
    plugin.tell(2, &line("on_processing_complete", &json!({"outcome": "cancelled"}))).await;
    assert_eq!(plugin.take().await, "later", "a stop does not lose what waits");
}

#[tokio::test]
async fn files_go_with_their_message() {
    let bench = Bench::new().await;
    let mut plugin = bench.plugin("a").await;
    let file =
        SaidFile { path: "/tmp/a.png".into(), name: "a.png".to_owned(), media_type: "image/png".to_owned() };
    let said = Said { message_id: "u1".into(), files: vec![file], ..Said::default() };
    bench.ask(Request::Say(said)).await;
    let message = plugin.message().await;
    assert_eq!(message["kind"], "photo");
    assert_eq!(message["media"], json!([{"path": "/tmp/a.png", "type": "image/png"}]));
}

#[tokio::test]
async fn a_button_answers_the_question_that_hermes_asks() {
    let mut bench = Bench::new().await;
    let mut plugin = bench.plugin("a").await;
    let lines = recording("with-hooks/approve.jsonl");
    let mut answered = false;
    for (n, line) in (1_u64..).zip(&lines) {
        // Hermes hears the answer when the recording's user gave it.
        if line["text"] == "/approve" {
            let asked = bench.until(|event| matches!(event, Event::Frame(ServerFrame::Ask { .. }))).await;
            let Some(Event::Frame(ServerFrame::Ask { ask_id, .. })) = asked.last() else { panic!() };
            let answer =
                || Request::Answer { ask_id: ask_id.clone(), choice: Some("once".to_owned()), text: None };
            bench.ask(answer()).await;
            assert_eq!(plugin.take().await, "/approve");
            bench.ask(answer()).await;
            answered = true;
        }
        plugin.tell(n, line).await;
    }
    assert!(answered);
    let events = bench.turn().await;
    let outcomes: Vec<_> = events
        .iter()
        .filter_map(|event| match event {
            Event::Frame(ServerFrame::AskClosed { outcome, .. }) => Some(outcome.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(outcomes, ["Approved once"]);
    assert!(!events.iter().any(|event| matches!(event, Event::Frame(ServerFrame::UserMessage { .. }))));
}

#[tokio::test]
async fn a_stop_while_hermes_rests_says_nothing() {
    let bench = Bench::new().await;
    let mut plugin = bench.plugin("a").await;
    bench.ask(Request::Stop).await;
    bench.say("u1", "hello", None).await;
    assert_eq!(plugin.take().await, "hello");
}
