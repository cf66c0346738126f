//! What follows from the order of events, and what all of them come to.

use super::{LogEvent, LogKind, Weight};
use crate::stall::timers::TimerId;

/// Adds to an event what only those before it tell.
pub(super) fn consequences(events: &mut [LogEvent]) {
    // A Responses stream that stopped in the middle: what had come is taken for the whole answer, and nobody says so.
    let mut cut_responses = false;
    for event in events {
        match event.kind {
            LogKind::TurnStarted => cut_responses = false,
            LogKind::Cut => cut_responses = matches!(event.timer, Some(TimerId::CodexIdle)),
            LogKind::CallFailed | LogKind::TurnFailed | LogKind::Retrying => cut_responses = false,
            LogKind::TurnEnded if cut_responses => {
                "The turn ended with what had come before the cut".clone_into(&mut event.title);
                "The beginning of the answer was taken for all of it: Hermes calls this a finished turn."
                    .clone_into(&mut event.why);
                event.weight = Weight::Error;
            }
            _ => {}
        }
    }
}

/// The sentences that the whole comes to.
pub(super) fn summary(events: &[LogEvent]) -> Vec<String> {
    let mut sentences = Vec::new();
    let mut timers: Vec<(TimerId, u32, Option<f64>)> = Vec::new();
    for event in events.iter().filter(|event| event.kind == LogKind::Cut) {
        let Some(timer) = event.timer else { continue };
        match timers.iter_mut().find(|(known, ..)| *known == timer) {
            Some((_, times, _)) => *times = times.saturating_add(event.times),
            None => timers.push((timer, event.times, event.numbers.threshold)),
        }
    }
    for (timer, times, threshold) in timers {
        let value = threshold.map(|seconds| format!(" of {seconds} s")).unwrap_or_default();
        let attempts =
            if times == 1 { "One attempt was".to_owned() } else { format!("{times} attempts were") };
        sentences.push(format!("{attempts} cut by {}{value}.", name(timer)));
    }
    let count = |kind: LogKind| events.iter().filter(|event| event.kind == kind).count();
    let by_itself = |event: &&LogEvent| {
        event.kind == LogKind::Dropped && event.timer.is_none() && !event.why.contains("cut before")
    };
    match events.iter().filter(by_itself).count() {
        0 => {}
        1 => sentences.push(
            "Once a stream failed without a timer of Hermes: the provider, or the way to it.".to_owned(),
        ),
        times => sentences.push(format!(
            "{times} times a stream failed without a timer of Hermes: the provider, or the way to it."
        )),
    }
    if count(LogKind::PartialText) > 0 {
        sentences.push("Text had come already, so the model was asked to go on from there.".to_owned());
    }
    if count(LogKind::Breaker) > 0 {
        sentences.push("The breaker ended the turn without asking the provider again.".to_owned());
    } else if count(LogKind::TurnFailed) > 0 {
        sentences.push("The turn failed.".to_owned());
    }
    if events.iter().any(|event| event.kind == LogKind::TurnEnded && event.weight == Weight::Error) {
        sentences.push("A beginning was taken for the whole answer.".to_owned());
    }
    sentences
}

fn name(timer: TimerId) -> &'static str {
    match timer {
        TimerId::StreamStale => "the stale timeout",
        TimerId::NonStreamStale => "the stale timeout without streaming",
        TimerId::CodexTtfb => "the wait for the first event",
        TimerId::CodexFirstProgress => "the wait for the first progress",
        TimerId::CodexIdle => "the longest gap between events",
        TimerId::StreamMaxLifetime => "the longest life of a stream",
        TimerId::TurnLiveness => "the watch over a turn's progress",
        _ => "a timer",
    }
}
