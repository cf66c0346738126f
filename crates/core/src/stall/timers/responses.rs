//! The watchdogs of a Responses (Codex) stream: the first event, the first progress, the gap between events, the drain.

use super::chain::Chain;
use super::stale::local_ceiling;
use super::{Inputs, Rule, Timer, TimerId, Value, seconds};
use crate::stall::{Evidence, Versions};

/// What thinking hard is given before anything is heard of it.
pub(super) const EFFORT_FLOOR: f64 = 300.0;

/// The wall-clock floor of a large Responses request.
pub(super) fn large_request_floor(tokens: u64) -> f64 {
    match tokens {
        100_001.. => 1200.0,
        50_001.. => 900.0,
        10_001.. => 600.0,
        _ => 0.0,
    }
}

/// What the gap between events is by default: 12, 60, 120 or 180 s by the size of the context.
fn idle_default(inputs: &Inputs) -> f64 {
    let by_size: f64 = match inputs.load.tokens {
        100_001.. => 180.0,
        50_001.. => 120.0,
        10_001.. => 60.0,
        _ => 12.0,
    };
    by_size.max(if inputs.route.high_effort { EFFORT_FLOOR } else { 0.0 })
}

/// No event at all after this long: the stream is opened again.
pub fn codex_ttfb(inputs: &Inputs) -> Timer {
    let mut chain = Chain::new(Value::Seconds(120.0), "Hermes' default");
    let given = chain.follow(&inputs.env.float("HERMES_CODEX_TTFB_TIMEOUT_SECONDS"), Rule::Env);
    if chain.seconds() <= 0.0 {
        chain.step(Rule::Off, Value::Off, "zero or less switches it off");
    } else {
        if inputs.local() {
            if given.is_none() {
                let ceiling = local_ceiling(inputs).value.as_seconds().unwrap_or(0.0);
                chain.raise(Rule::Local, ceiling, "a local endpoint is given its stale timeout");
            }
        } else {
            scale_ttfb(&mut chain, inputs);
        }
        if given.is_none() && inputs.route.high_effort {
            chain.raise(Rule::EffortFloor, EFFORT_FLOOR, "the model is asked to think hard");
        }
    }
    done(
        chain,
        TimerId::CodexTtfb,
        "Responses: first event",
        "A Responses stream without any event after this long is opened again",
    )
}

fn scale_ttfb(chain: &mut Chain, inputs: &Inputs) {
    let from = inputs.env.float("HERMES_CODEX_TTFB_DISABLE_ABOVE_TOKENS").value().unwrap_or(10_000.0);
    let strict = inputs.env.get("HERMES_CODEX_TTFB_STRICT").is_some_and(|entry| {
        matches!(entry.value.trim().to_lowercase().as_str(), "1" | "true" | "yes" | "on")
    });
    if !strict && from > 0.0 && inputs.load.tokens as f64 >= from {
        chain.raise(
            Rule::ContextTier,
            idle_default(inputs),
            format!("a request of about {} tokens is admitted slowly", inputs.load.tokens),
        );
    }
    let cap = inputs.env.float("HERMES_CODEX_TTFB_MAX_SECONDS");
    if let Some(most) = cap.value()
        && most > 0.0
        && chain.seconds() > most
    {
        chain.push(
            Rule::Ceiling,
            seconds(most),
            "`HERMES_CODEX_TTFB_MAX_SECONDS` is set".to_owned(),
            cap.source().cloned(),
        );
    }
}

/// Events, but no progress of the model after this long: only the official Codex endpoint, above 10,000 tokens.
pub fn codex_first_progress(inputs: &Inputs) -> Option<Timer> {
    let official = inputs.route.base_url.to_lowercase().contains("chatgpt.com/backend-api/codex");
    let implicit = inputs.env.float("HERMES_CODEX_EVENT_STALE_TIMEOUT_SECONDS").value().is_none();
    (official && implicit && large_request_floor(inputs.load.tokens) > 0.0).then(|| {
        let chain = Chain::new(Value::Seconds(300.0), "fixed, for large requests to the official endpoint");
        done(
            chain,
            TimerId::CodexFirstProgress,
            "Responses: first progress",
            "A Responses stream with events but without progress for this long is opened again",
        )
    })
}

/// The gap between two events after which a Responses stream is opened again.
pub fn codex_idle(inputs: &Inputs) -> Timer {
    let mut chain = Chain::new(Value::Seconds(12.0), "Hermes' default");
    let raised = idle_default(inputs);
    let why =
        if inputs.route.high_effort { "the model is asked to think hard" } else { "the context is large" };
    chain.raise(Rule::ContextTier, raised, why);
    chain.follow(&inputs.env.float("HERMES_CODEX_EVENT_STALE_TIMEOUT_SECONDS"), Rule::Env);
    if chain.seconds() <= 0.0 {
        chain.step(Rule::Off, Value::Off, "zero or less switches it off");
    }
    done(
        chain,
        TimerId::CodexIdle,
        "Responses: gap between events",
        "A Responses stream that stops for this long is opened again",
    )
}

/// How long a finished Responses stream may still be read.
pub fn stream_drain(inputs: &Inputs) -> Timer {
    let mut chain = Chain::new(Value::Seconds(2.0), "Hermes' default");
    if chain.follow(&inputs.config.drain, Rule::Config).is_some_and(|given| given <= 0.0) {
        chain.step(Rule::Off, Value::Off, "zero or less skips the drain");
    }
    done(
        chain,
        TimerId::StreamDrain,
        "Responses: drain",
        "A Responses stream that is finished is read for at most this long",
    )
}

fn done(chain: Chain, id: TimerId, name: &str, what: &str) -> Timer {
    chain.done(id, name, what, Versions::of(Evidence::Executed))
}
