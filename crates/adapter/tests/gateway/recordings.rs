//! Recordings told over the bridge come out as the turn machine alone reads them, however the bytes arrive.

use iris_adapter::backend::gateway::{Call, Machine, parse_line};
use iris_core::protocol::ServerFrame;
use serde_json::{Value, json};

use crate::{
    bench::{Bench, frames},
    plugin::recording,
};

const RECORDINGS: [&str; 7] = [
    "with-hooks/trivial.jsonl",
    "with-hooks/tools3-one-failing.jsonl",
    "with-hooks/stop.jsonl",
    "with-hooks/error500.jsonl",
    "with-hooks/clarify.jsonl",
    "streaming-code/unclosed-fence-length.jsonl",
    "streaming-code/long-answer-over-4096.jsonl",
];

/// What the machine alone makes of it, up to the end of the turn; the hub has the user's messages itself.
pub(crate) fn expected(lines: &[Value]) -> Vec<ServerFrame> {
    let mut machine = Machine::new("");
    let mut frames = Vec::new();
    for line in lines {
        let timed = parse_line(1, &line.to_string()).unwrap();
        if !matches!(timed.call, Call::Attachment(_)) {
            frames.extend(machine.call(timed.t_ms, &timed.call));
        }
        if frames.iter().any(|frame| matches!(frame, ServerFrame::TurnEnd { .. })) {
            break;
        }
    }
    frames.retain(|frame| !matches!(frame, ServerFrame::UserMessage { .. }));
    frames
}

#[tokio::test]
async fn a_recorded_turn_is_told_the_same_however_its_bytes_are_split() {
    for name in RECORDINGS {
        let lines = recording(name);
        for piece in [7, 4_096] {
            let mut bench = Bench::new().await;
            let mut plugin = bench.plugin("a").await;
            let mut bytes = String::new();
            for (at, line) in lines.iter().enumerate() {
                bytes.push_str(&format!("{}\n", json!({"type": "line", "n": at + 1, "line": line})));
            }
            let telling = async {
                for piece in bytes.as_bytes().chunks(piece) {
                    plugin.raw(piece).await;
                }
            };
            let (found, ()) = tokio::join!(bench.turn(), telling);
            assert_eq!(frames(found), expected(&lines), "{name} in pieces of {piece}");
        }
    }
}

#[tokio::test]
async fn a_line_that_breaks_in_mid_turn_loses_nothing() {
    for name in RECORDINGS {
        let lines = recording(name);
        let mut bench = Bench::new().await;
        let mut plugin = bench.plugin("a").await;
        assert_eq!(plugin.after, 0);
        let cut = lines.len() / 3;
        for (at, line) in lines.iter().enumerate().take(2 * cut) {
            plugin.tell(at as u64 + 1, line).await;
            if at + 1 == cut {
                plugin.acked(cut as u64).await;
                drop(plugin);
                plugin = bench.plugin("a").await;
                assert_eq!(plugin.after, cut as u64, "what was read is not told again");
            }
        }
        // What was told without being acknowledged may be told again.
        drop(plugin);
        let mut plugin = bench.plugin("a").await;
        let after = usize::try_from(plugin.after).unwrap();
        assert!((cut..=2 * cut).contains(&after));
        let telling = async {
            for (at, line) in lines.iter().enumerate().skip(after.saturating_sub(3)) {
                plugin.tell(at as u64 + 1, line).await;
            }
        };
        let (found, ()) = tokio::join!(bench.turn(), telling);
        assert_eq!(frames(found), expected(&lines), "{name}");
    }
}

#[tokio::test]
async fn two_chats_at_once_are_two_turns() {
    use iris_adapter::backend::{Backend, Opening};
    let lines = recording("with-hooks/trivial.jsonl");
    let mut bench = Bench::new().await;
    let other = bench.gateway.open(&"chat-2".into(), Opening::default());
    let mut plugin = bench.plugin("a").await;
    let mut n = 0;
    for line in &lines {
        for chat in ["chat-1", "chat-2", "chat-of-nobody"] {
            let mut line = line.clone();
            line["chat_id"] = json!(chat);
            n += 1;
            plugin.tell(n, &line).await;
        }
    }
    assert_eq!(frames(bench.turn().await), expected(&lines));
    bench.link = other;
    assert_eq!(frames(bench.turn().await), expected(&lines));
}

#[tokio::test]
async fn a_file_of_the_agent_is_a_file_and_an_address_a_notice() {
    use iris_adapter::backend::Event;
    let mut bench = Bench::new().await;
    let mut plugin = bench.plugin("a").await;
    let call = |call: &str, field: &str, value: &str| json!({"t_ms": 1, "call": call, "chat_id": "chat-1", field: value, "caption": "a chart"});
    plugin.tell(1, &call("send_document", "file_path", "/tmp/a.pdf")).await;
    let Event::File { path, caption, .. } = bench.event().await else { panic!() };
    assert_eq!((path.to_str(), caption.as_deref()), (Some("/tmp/a.pdf"), Some("a chart")));
    assert!(matches!(bench.event().await, Event::Remember(_)));
    plugin.tell(2, &call("send_image", "image_url", "https://example.org/a.png")).await;
    let Event::Frame(ServerFrame::Notice { text, detail, .. }) = bench.event().await else { panic!() };
    assert!(text.ends_with("https://example.org/a.png"), "{text}");
    assert_eq!(detail.as_deref(), Some("a chart"));
}

#[tokio::test]
async fn what_hermes_says_without_a_turn_is_a_message() {
    use iris_adapter::backend::Event;
    let mut bench = Bench::new().await;
    let mut plugin = bench.plugin("a").await;
    for (n, text) in [(1, "Your report is ready."), (2, "💻 Running late, says the train")] {
        let line = json!({"t_ms": 1, "call": "send", "chat_id": "chat-1", "content": text, "reply_to": null,
            "metadata": null, "returns": "m1"});
        plugin.tell(n, &line).await;
        let Event::Frame(ServerFrame::Message { text: shown, .. }) = bench.event().await else {
            panic!("{text}")
        };
        assert_eq!(shown, text);
        assert!(matches!(bench.event().await, Event::Remember(_)));
    }
}
