//! Stopping: politely, then less so, and never without an end of the turn.

use iris_core::protocol::frame::{
    ServerFrame,
    TurnStatus::{Complete, Interrupted},
};

use crate::support::Talk;

/// Runs until it is stopped; `$1` of the trap is what it does then.
fn stubborn(on_int: &str, on_term: &str) -> String {
    format!("trap '{on_int}' INT; trap '{on_term}' TERM; init; text begun; while :; do sleep 0.02; done")
}

async fn check(scene: &str) -> Talk {
    let mut talk = Talk::new(scene);
    talk.say("hello").await;
    talk.until(|frame| matches!(frame, ServerFrame::MessageUpdate { .. })).await;
    talk.stop().await;
    let end = talk.end().await;
    assert_eq!((end.status, end.error), (Interrupted, None), "{scene}");
    assert_eq!(talk.texts(), ["begun"], "{scene}");
    talk
}

#[tokio::test]
async fn a_stop_is_an_interrupt() {
    check(&stubborn("echo INT >>$scene.signals; result 130 \"\" Interrupted; exit 130", "exit 9")).await;
}

#[tokio::test]
async fn a_process_that_ignores_the_interrupt_is_terminated() {
    let talk = check(&stubborn("echo INT >>$scene.signals", "echo TERM >>$scene.signals; exit 1")).await;
    assert_eq!(talk.noted("signals"), "INT\nTERM\n");
}

#[tokio::test]
async fn a_process_that_ignores_everything_is_killed() {
    let talk = check(&stubborn("echo INT >>$scene.signals", "echo TERM >>$scene.signals")).await;
    assert_eq!(talk.noted("signals"), "INT\nTERM\n");
}

#[tokio::test]
async fn whoever_stops_twice_is_heard() {
    let mut talk = Talk::new(&stubborn("echo INT >>$scene.signals", "echo TERM >>$scene.signals; exit 1"));
    talk.say("hello").await;
    talk.until(|frame| matches!(frame, ServerFrame::MessageUpdate { .. })).await;
    talk.stop().await;
    talk.stop().await;
    assert_eq!(talk.end().await.status, Interrupted);
}

#[tokio::test]
async fn a_stop_before_the_first_word_stops_too() {
    let mut talk = Talk::new("while :; do sleep 0.02; done");
    talk.say("hello").await;
    talk.until(|frame| matches!(frame, ServerFrame::TurnStart { .. })).await;
    talk.stop().await;
    assert_eq!(talk.end().await.status, Interrupted);
}

#[tokio::test]
async fn what_waits_behind_a_stopped_turn_is_dropped_and_said_to_be() {
    let mut talk = Talk::new(&stubborn("exit 130", "exit 130"));
    talk.say("one").await;
    talk.until(|frame| matches!(frame, ServerFrame::MessageUpdate { .. })).await;
    talk.say("two").await;
    talk.stop().await;
    assert_eq!(talk.end().await.status, Interrupted);
    assert_eq!(talk.notices(), ["queued", "dropped"]);
    assert_eq!(talk.taken, ["u1", "u2"], "it is not said again after a restart");
    talk.scene("init; result 0 three");
    talk.say("three").await;
    assert_eq!(talk.end().await.status, Complete);
    assert_eq!(talk.noted("runs").lines().count(), 2);
}
