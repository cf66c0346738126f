//! Either side dies in mid-turn: the turn is told again, or it ends. None is left running.

use std::time::Duration;

use iris_adapter::backend::{Event, Opening};
use iris_core::protocol::ServerFrame;
use serde_json::json;

use crate::{
    bench::{Bench, frames, lost, memory},
    plugin::{Hello, Plugin, recording},
    recordings::expected,
};

const TURN: &str = "with-hooks/tools3-one-failing.jsonl";

async fn tell(plugin: &mut Plugin, lines: &[serde_json::Value], from: u64) {
    for (n, line) in (1_u64..).zip(lines).filter(|(n, _)| *n >= from) {
        plugin.tell(n, line).await;
    }
}

/// A turn of which the hub has seen a part when the adapter dies; what the hub kept of it.
async fn cut_off(lines: &[serde_json::Value]) -> (Bench, Opening) {
    let mut bench = Bench::new().await;
    let mut plugin = bench.plugin("a").await;
    tell(&mut plugin, &lines[..lines.len() / 2], 1).await;
    let seen = bench.until(|event| matches!(event, Event::Frame(ServerFrame::ToolEnd { .. }))).await;
    let turn = frames(seen.iter().map(copy).collect()).into_iter().find_map(|frame| match frame {
        ServerFrame::TurnStart { turn } => Some(turn),
        _ => None,
    });
    let opening = Opening { prefix: "second-".to_owned(), memory: memory(&seen), open_turn: turn };
    assert!(opening.memory.is_some() && opening.open_turn.is_some());
    (bench, opening)
}

fn copy(event: &Event) -> Event {
    match event {
        Event::Frame(frame) => Event::Frame(frame.clone()),
        _ => Event::Restart,
    }
}

#[tokio::test]
async fn an_adapter_that_died_in_mid_turn_tells_the_turn_again_from_its_start() {
    let lines = recording(TURN);
    let (bench, opening) = cut_off(&lines).await;
    let turn = opening.open_turn.clone().unwrap();
    let mut bench = bench.again(opening).await;
    let mut plugin = bench.plugin("a").await;
    assert_eq!(plugin.after, 0, "a new life knows nothing yet");
    tell(&mut plugin, &lines, 1).await;
    let mut events = bench.turn().await;
    assert!(matches!(events.remove(0), Event::Restart));
    let again = frames(events);
    assert!(
        matches!(again.last(), Some(ServerFrame::TurnEnd { turn: ended, .. }) if *ended == turn),
        "its own end"
    );
    // It began before, so that only what comes after is told.
    let begun = |frame: &ServerFrame| matches!(frame, ServerFrame::TurnStart { .. });
    let expected: Vec<_> = expected(&lines).into_iter().filter(|frame| !begun(frame)).collect();
    assert_eq!(format!("{again:?}").replace("second-", ""), format!("{expected:?}"));
}

#[tokio::test]
async fn a_turn_that_ended_while_the_adapter_was_away_is_told_to_its_end_and_nothing_twice() {
    let lines = recording(TURN);
    let (bench, opening) = cut_off(&lines).await;
    let mut bench = bench.again(opening).await;
    let mut plugin = bench.plugin("a").await;
    tell(&mut plugin, &lines, 1).await;
    let kept = memory(&bench.turn().await);
    // A third life finds it ended.
    let mut bench = bench.again(Opening { prefix: "third-".to_owned(), memory: kept, open_turn: None }).await;
    let mut plugin = bench.plugin("a").await;
    tell(&mut plugin, &lines, 1).await;
    let word = json!({"t_ms": 1, "call": "send", "chat_id": "chat-1", "content": "later", "metadata": null});
    plugin.tell(lines.len() as u64 + 1, &word).await;
    let Event::Frame(ServerFrame::Message { text, .. }) = bench.event().await else { panic!("told twice") };
    assert_eq!(text, "later");
}

#[tokio::test]
async fn a_turn_whose_gateway_is_gone_ends_as_lost_in_words() {
    let lines = recording(TURN);
    let (bench, opening) = cut_off(&lines).await;
    let open = opening.open_turn.clone();
    let mut bench = bench.again(opening).await;
    bench.plugin("b").await;
    let events = bench.turn().await;
    assert!(lost(&events).unwrap().contains("restarted"), "{events:?}");
    let Some(Event::Frame(ServerFrame::TurnEnd { turn, .. })) = events.last() else { panic!() };
    assert_eq!(Some(turn), open.as_ref());
}

#[tokio::test]
async fn a_turn_whose_lines_are_gone_ends_as_lost_in_words() {
    let (bench, opening) = cut_off(&recording(TURN)).await;
    let mut bench = bench.again(opening).await;
    let hello = Hello { first: 9, ..Hello::new(&bench.token, "a") };
    bench.hello(&hello).await.unwrap();
    assert!(lost(&bench.turn().await).unwrap().contains("no longer knows"));
}

#[tokio::test]
async fn a_turn_that_another_backend_left_open_ends_as_lost() {
    let opening = Opening {
        memory: Some("a session id".to_owned()),
        open_turn: Some("t".into()),
        ..Opening::default()
    };
    let mut bench = Bench::new().await.again(opening).await;
    bench.plugin("a").await;
    assert!(lost(&bench.turn().await).is_some());
}

#[tokio::test]
async fn a_gateway_that_dies_in_mid_turn_ends_it_when_the_next_one_comes() {
    let lines = recording(TURN);
    let mut bench = Bench::new().await;
    let mut plugin = bench.plugin("a").await;
    tell(&mut plugin, &lines[..lines.len() / 2], 1).await;
    bench.until(|event| matches!(event, Event::Frame(ServerFrame::ToolEnd { .. }))).await;
    drop(plugin);
    bench
        .until(|event| matches!(event, Event::Frame(ServerFrame::Notice { code, .. }) if code == "waiting"))
        .await;
    let mut plugin = bench.plugin("b").await;
    assert!(lost(&bench.turn().await).unwrap().contains("restarted"));
    // Its numbers begin anew, and so does the chat.
    tell(&mut plugin, &lines, 1).await;
    let found = bench.turn().await;
    assert_eq!(lost(&found), None);
    assert!(frames(found).len() > 10);
}

#[tokio::test]
async fn a_gateway_that_never_comes_back_is_not_waited_for_for_ever() {
    let lines = recording(TURN);
    let patience = Duration::from_millis(20);
    let mut bench = Bench::with(Opening::default(), tempfile::tempdir().unwrap(), patience).await;
    let mut plugin = bench.plugin("a").await;
    tell(&mut plugin, &lines[..lines.len() / 2], 1).await;
    bench.until(|event| matches!(event, Event::Frame(ServerFrame::ToolEnd { .. }))).await;
    drop(plugin);
    assert!(lost(&bench.turn().await).unwrap().contains("did not come back"));
    // And neither is one that was gone before the adapter started.
    let opening = Opening { open_turn: Some("t".into()), ..Opening::default() };
    let mut bench = Bench::with(opening, tempfile::tempdir().unwrap(), patience).await;
    assert!(lost(&bench.turn().await).unwrap().contains("did not come back"));
}

#[tokio::test]
async fn lines_that_found_no_room_are_counted_and_the_turn_goes_on_to_its_end() {
    let lines = recording(TURN);
    let mut bench = Bench::new().await;
    let mut plugin = bench.plugin("a").await;
    let third = lines.len() / 3;
    tell(&mut plugin, &lines[..third], 1).await;
    plugin.say(&json!({"type": "missed", "chats": {"chat-1": 7, "chat-9": 1}, "busy": ["chat-1"]})).await;
    tell(&mut plugin, &lines, 2 * third as u64).await;
    let events = bench.turn().await;
    assert_eq!(lost(&events), None);
    let found = frames(events);
    assert!(found.iter().any(|frame| matches!(frame,
        ServerFrame::Notice { code, text, .. } if code == "missed" && text.contains("7 steps"))));
    assert_eq!(found.last().map(end), expected(&lines).last().map(end), "the end is whole");
}

fn end(frame: &ServerFrame) -> String {
    let ServerFrame::TurnEnd { status, .. } = frame else { panic!("{frame:?}") };
    format!("{status:?}")
}

#[tokio::test]
async fn a_turn_whose_end_found_no_room_ends_all_the_same() {
    let lines = recording(TURN);
    let patience = Duration::from_millis(20);
    let mut bench = Bench::with(Opening::default(), tempfile::tempdir().unwrap(), patience).await;
    let mut plugin = bench.plugin("a").await;
    tell(&mut plugin, &lines[..lines.len() / 2], 1).await;
    plugin.say(&json!({"type": "missed", "chats": {"chat-1": 7}, "busy": []})).await;
    assert!(lost(&bench.turn().await).unwrap().contains("ended meanwhile"));
}
