//! Calls that no recording has, but Hermes' source says may come. Each test is the calls and the frames they mean.

mod broken;
mod bubbles;
mod reasoning;
mod tools;
mod trouble;
mod turns;

use iris_adapter::backend::gateway::{Machine, parse_line};
use serde_json::{Value, json};

use crate::compact::line;

/// Plays the calls; an object without `t_ms` comes one millisecond after the one before.
fn frames(calls: &[Value]) -> Vec<String> {
    let mut machine = Machine::new("x");
    let mut lines = Vec::new();
    for (at, call) in calls.iter().enumerate() {
        let mut call = call.clone();
        if call.get("t_ms").is_none() {
            call["t_ms"] = json!(at);
        }
        let timed = parse_line(at + 1, &call.to_string()).unwrap();
        lines.extend(machine.call(timed.t_ms, &timed.call).iter().map(line));
    }
    lines
}

/// A turn with these calls inside; expected without the frames that every turn begins with.
fn turn(inside: &[Value], expected: &[&str]) {
    let mut calls = vec![inbound("u1", "go"), start("go")];
    calls.extend_from_slice(inside);
    let frames = frames(&calls);
    assert_eq!(&frames[..3], ["user.message x-m1 \"go\"", "turn.start x-t1", "typing true"]);
    assert_eq!(&frames[3..], expected);
}

fn inbound(id: &str, text: &str) -> Value {
    json!({"call": "inbound", "message_id": id, "text": text})
}

fn start(text: &str) -> Value {
    json!({"call": "on_processing_start", "text": text})
}

fn done(outcome: &str) -> Value {
    json!({"call": "on_processing_complete", "outcome": outcome})
}

fn send(id: &str, content: &str, metadata: Value) -> Value {
    json!({"call": "send", "content": content, "metadata": metadata, "returns": id})
}

/// The first snapshot of a bubble.
fn live(id: &str, content: &str) -> Value {
    send(id, content, json!({"reply_to_message_id": "u1", "expect_edits": true}))
}

fn status(id: &str, content: &str) -> Value {
    send(id, content, Value::Null)
}

fn whole(content: &str) -> Value {
    send("w", content, json!({"notify": true}))
}

fn edit(id: &str, content: &str) -> Value {
    json!({"call": "edit_message", "message_id": id, "content": content, "finalize": false})
}

fn last(id: &str, content: &str) -> Value {
    json!({"call": "edit_message", "message_id": id, "content": content, "finalize": true})
}

fn hook(name: &str, kwargs: Value) -> Value {
    json!({"call": format!("hook:{name}"), "kwargs": kwargs})
}

fn delta(iteration: u64, kind: &str, delta: &str) -> Value {
    hook("on_stream_delta", json!({"iteration": iteration, "kind": kind, "delta": delta}))
}
