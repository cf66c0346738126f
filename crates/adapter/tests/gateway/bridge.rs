//! Who is let in at the bridge, and what happens to whoever does not behave.

use iris_adapter::backend::{Backend, Event};
use iris_core::protocol::ServerFrame;
use serde_json::json;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::{
    bench::Bench,
    plugin::{Hello, recording},
};

#[tokio::test]
async fn only_who_knows_the_token_is_let_in() {
    let bench = Bench::new().await;
    for token in ["", "0", &"0".repeat(64), &bench.token[1..]] {
        assert!(bench.hello(&Hello::new(token, "a")).await.is_none(), "{token:?}");
    }
    bench.plugin("a").await;
}

#[tokio::test]
async fn whoever_does_not_prove_itself_is_told_nothing() {
    let bench = Bench::new().await;
    let address = bench.gateway.address();
    for bytes in [
        &b"GET / HTTP/1.1\r\n\r\n"[..],
        b"{}\n",
        b"{\"type\":\"line\",\"n\":1,\"line\":{}}\n",
        b"\xff\xfe\n",
        &vec![b'x'; 600 << 10],
    ] {
        let mut stream = TcpStream::connect(address).await.unwrap();
        // It may hang up before all of it is written.
        let _ = stream.write_all(bytes).await;
        let _ = stream.shutdown().await;
        let mut heard = Vec::new();
        let _ = stream.read_to_end(&mut heard).await;
        assert!(heard.iter().filter(|byte| **byte == b'\n').count() <= 1, "no more than the challenge");
    }
    bench.plugin("a").await;
}

#[tokio::test]
async fn a_plugin_of_another_version_is_named_as_the_trouble() {
    let bench = Bench::new().await;
    assert!(bench.hello(&Hello { protocol: 99, ..Hello::new(&bench.token, "a") }).await.is_none());
    let mut about = bench.gateway.about();
    let about = about.wait_for(|about| {
        about.info.trouble.as_deref().is_some_and(|trouble| trouble.contains("another version"))
    });
    about.await.unwrap();
}

#[tokio::test]
async fn the_newest_plugin_takes_the_place_of_the_one_before() {
    let bench = Bench::new().await;
    let mut old = bench.plugin("a").await;
    let mut new = bench.plugin("b").await;
    assert!(old.is_closed().await);
    bench.say("u1", "hello", None).await;
    assert_eq!(new.take().await, "hello");
}

#[tokio::test]
async fn a_plugin_tells_model_and_commands() {
    let bench = Bench::new().await;
    let _plugin = bench.plugin("a").await;
    let mut about = bench.gateway.about();
    let about = about.wait_for(|about| !about.commands.is_empty()).await.unwrap();
    assert_eq!(about.info.model.as_deref(), Some("demo-model"));
    assert_eq!(about.has_texts, Some(false), "what the doctor is told");
    assert_eq!(about.commands.iter().map(|command| command.name.as_str()).collect::<Vec<_>>(), ["status"]);
}

#[tokio::test]
async fn a_message_from_outside_the_gateway_is_delivered_beside_it() {
    let mut bench = Bench::new().await;
    let mut gateway = bench.plugin("a").await;
    for (chat, known) in [("chat-1", true), ("nobody's", false)] {
        let courier = Hello { courier: true, ..Hello::new(&bench.token, "") };
        let mut courier = bench.hello(&courier).await.unwrap();
        courier
            .say(&json!({"type": "post", "chat": chat, "text": "backup done", "files": ["/tmp/log", "log"]}))
            .await;
        assert_eq!(courier.hear().await.unwrap(), json!({"type": "posted", "ok": known}));
    }
    let Event::Frame(ServerFrame::Message { text, .. }) = bench.event().await else { panic!() };
    assert_eq!(text, "backup done");
    let Event::File { path, .. } = bench.event().await else { panic!() };
    assert_eq!(path.to_str(), Some("/tmp/log"));
    bench.say("u1", "hello", None).await;
    assert_eq!(gateway.take().await, "hello", "the gateway is still there");
}

#[tokio::test]
async fn nonsense_on_the_line_is_passed_over() {
    let lines = recording("with-hooks/trivial.jsonl");
    let mut bench = Bench::new().await;
    let mut plugin = bench.plugin("a").await;
    for word in [
        json!({"type": "line", "n": 1, "line": {}}),
        json!({"type": "line", "n": 2, "line": {"call": "send", "t_ms": 1, "chat_id": "chat-1", "content": 7}}),
        json!({"type": "line", "n": -3, "line": {"call": "send"}}),
        json!({"type": "sing"}),
        json!([1, 2]),
        json!({"type": "taken", "chat": "chat-1", "message_id": "nobody's"}),
        json!({"type": "missed", "chats": {"nobody's": 3}}),
    ] {
        plugin.say(&word).await;
    }
    plugin.raw(b"\n{\n\xff\xff\n").await;
    for (n, line) in (10_u64..).zip(&lines) {
        plugin.tell(n, line).await;
    }
    bench.turn().await;
}

#[tokio::test]
async fn a_line_without_end_costs_its_plugin_the_connection_and_nobody_else() {
    let bench = Bench::new().await;
    let mut plugin = bench.plugin("a").await;
    let piece = vec![b'x'; 1 << 20];
    for _ in 0..18 {
        plugin.raw(&piece).await;
    }
    assert!(plugin.is_closed().await);
    bench.plugin("a").await;
}
