//! Streams that break off and that Hermes asks for again.

use serde_json::{Value, json};

use super::{done, edit, frames, hook, inbound, live, start, status, turn, whole};

const PEER: &str = "peer closed connection without sending complete message body (incomplete chunked read)";

fn begins(iteration: u64) -> Value {
    hook("on_stream_start", json!({"iteration": iteration, "model": "demo"}))
}

fn breaks(iteration: u64, error: &str) -> Value {
    hook("on_stream_end", json!({"iteration": iteration, "final_text": "", "error": error}))
}

fn ends(iteration: u64) -> Value {
    hook("on_stream_end", json!({"iteration": iteration, "final_text": "ola", "error": null}))
}

/// With a time of its own.
fn at(t_ms: u64, mut call: Value) -> Value {
    call["t_ms"] = json!(t_ms);
    call
}

fn notice(words: &str, error: &str, numbers: &str) -> String {
    format!("notice Warning asked_again {words:?} detail={error:?}{numbers}")
}

#[test]
fn a_stream_that_breaks_off_is_told_when_hermes_asks_again() {
    turn(
        &[at(100, begins(1)), at(6_500, breaks(1, PEER)), at(7_500, begins(1)), ends(1), whole("ola")],
        &[
            &notice(
                "The connection to the model broke off after 6 s. Hermes asks again.",
                PEER,
                " after=6 attempt=2",
            ),
            "message x-m2 \"ola\" model=demo",
        ],
    );
}

#[test]
fn nothing_is_told_before_it_is_known_that_hermes_asks_again() {
    turn(&[begins(1), breaks(1, PEER)], &[]);
    turn(
        &[begins(1), breaks(1, PEER), done("failure")],
        &["typing false", "turn.end x-t1 Error error=\"Hermes failed\" model=demo ms=4"],
    );
}

#[test]
fn what_is_told_names_the_cause_as_far_as_the_error_has_it() {
    let check = |error: &str, words: &str| {
        let told = notice(&format!("{words}. Hermes asks again."), error, " attempt=2");
        turn(&[begins(1), breaks(1, error), begins(1)], &[&told]);
    };
    check("Server disconnected without sending a response.", "The connection to the model broke off");
    check("The read operation timed out", "The connection to the model timed out");
    check("Connection error.", "The model could not be reached");
    check("Error code: 500 - {'error': {'message': 'oops'}}", "The provider answered with an error");
    check("Expecting value: line 1 column 1 (char 0)", "The model's answer could not be read");
    check(
        "Response still streaming after 900s, cut by agent.stream_max_lifetime",
        "The model's answer was cut by agent.stream_max_lifetime",
    );
    turn(
        &[begins(1), breaks(1, "stream attempt 1 was superseded"), begins(1)],
        &[&notice("Hermes cut the stream and asks again.", "stream attempt 1 was superseded", " attempt=2")],
    );
    check("something new", "The model's answer broke off");
}

#[test]
fn attempts_are_counted_until_one_succeeds() {
    let told = |which: &str, attempt: u32| {
        let words = format!("The connection to the model broke off. Hermes asks again{which}.");
        notice(&words, PEER, &format!(" attempt={attempt}"))
    };
    let calls = [
        begins(1),
        breaks(1, PEER),
        begins(1),
        breaks(1, PEER),
        begins(1),
        ends(1),
        begins(2),
        breaks(2, PEER),
        begins(2),
    ];
    turn(&calls, &[&told("", 2), &told(" (attempt 3)", 3), &told("", 2)]);
}

#[test]
fn a_stream_that_the_user_broke_in_on_is_not_told() {
    let calls =
        [inbound("u1", "go"), start("go"), begins(1), inbound("u2", "no, so"), breaks(1, PEER), begins(2)];
    assert!(frames(&calls).iter().all(|frame| !frame.contains("asked_again")), "it was cut for them");
}

#[test]
fn what_hermes_said_itself_is_not_told_again() {
    let said = "⏳ Provider temporarily unavailable — retrying automatically in 15s (cycle 1/5)";
    turn(
        &[begins(1), breaks(1, "Error code: 503"), status("s", said), begins(1)],
        &[
            "notice Warning recovering \"Provider temporarily unavailable — retrying automatically in 15s (cycle 1/5)\" next=15 attempt=1 of=5",
        ],
    );
    let inside = "Let me look.\n\n⚠ Connection dropped mid tool-call; reconnecting…\n\n";
    turn(
        &[begins(1), live("b", "Let me look."), breaks(1, PEER), edit("b", inside), begins(1)],
        &[
            "message.start x-m2",
            "message.update x-m2 \"Let me look.\"",
            "notice Warning tool_cut \"Connection dropped mid tool-call; reconnecting…\"",
        ],
    );
}

#[test]
fn an_error_of_a_hostile_provider_is_one_short_line() {
    let calls =
        [inbound("u1", "go"), start("go"), begins(1), breaks(1, &"a\u{1b}[31m\nb ".repeat(9_000)), begins(1)];
    let frames = frames(&calls);
    let told = frames.last().unwrap();
    assert!(told.len() < 600 && told.contains("detail=\"a b a b"), "{told}");
}
