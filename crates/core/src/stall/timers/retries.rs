//! How often Hermes tries again, and when it stops: retries inside a call, calls, cycles, the breaker.

use super::chain::Chain;
use super::{Inputs, Rule, Timer, TimerId, Transport, Value, stream_stale};
use crate::stall::{Evidence, Versions};

fn count(number: f64) -> Value {
    // A cast from a float saturates, and "not a number" is 0.
    Value::Count(number as i64)
}

/// Attempts inside one call after the first; 2 by default, so three in all.
pub fn stream_retries(inputs: &Inputs) -> Timer {
    let mut chain = Chain::new(Value::Count(2), "Hermes' default");
    chain.follow_as(&inputs.env.int("HERMES_STREAM_RETRIES"), Rule::Env, count);
    chain.done(
        TimerId::StreamRetries,
        "Retries inside a call",
        "A stream that drops before its first text is opened again so often, after 1, 2 and 4 s",
        Versions::of(Evidence::Observed),
    )
}

/// The attempts of one call: one and the retries. None at all when the retries are below zero.
pub fn attempts_per_call(inputs: &Inputs) -> u64 {
    u64::try_from(stream_retries(inputs).value.as_count().unwrap_or(2).saturating_add(1)).unwrap_or(0)
}

/// Calls before the turn fails or waits; at least one.
pub fn api_max_retries(inputs: &Inputs) -> Timer {
    let mut chain = Chain::new(Value::Count(3), "Hermes' default");
    if chain.follow_as(&inputs.config.api_max_retries, Rule::Config, count).is_some_and(|given| given < 1.0) {
        chain.step(Rule::RaisedTo, Value::Count(1), "one call is the least");
    }
    chain.done(
        TimerId::ApiMaxRetries,
        "Calls to the provider",
        "So many calls, each with its own attempts, before the turn fails or waits",
        Versions::of(Evidence::Executed),
    )
}

/// Waits of 15, 30, 60, 60 and 60 s after the last call failed; 0 is off.
pub fn recovery_cycles(inputs: &Inputs) -> Timer {
    let mut chain = Chain::new(Value::Count(5), "Hermes' default");
    if chain.follow_as(&inputs.config.recovery_cycles, Rule::Config, count).is_some_and(|given| given < 1.0) {
        chain.step(Rule::Off, Value::Off, "zero or less switches it off");
    }
    chain.done(
        TimerId::AutoRecoveryCycles,
        "Recovery cycles",
        "When every call failed and no text came, Hermes waits about 15, 30, 60, 60, 60 s and begins again",
        Versions::of(Evidence::Executed),
    )
}

/// Stale attempts in a row after which a call fails at once; 0 is off.
pub fn giveup(inputs: &Inputs) -> Timer {
    let mut chain = Chain::new(Value::Count(5), "Hermes' default");
    if chain
        .follow_as(&inputs.env.int("HERMES_STREAM_STALE_GIVEUP"), Rule::Env, count)
        .is_some_and(|given| given < 1.0)
    {
        chain.step(Rule::Off, Value::Off, "zero or less switches it off");
    }
    chain.done(
        TimerId::StaleGiveup,
        "Breaker",
        "After so many stale attempts in a row the next call fails without asking the provider; every attempt counts, not every turn",
        Versions::of(Evidence::Executed),
    )
}

/// What Hermes says when the breaker is open at a streak of `streak`; `None` while it is closed.
pub fn giveup_error(giveup: i64, streak: i64) -> Option<String> {
    (giveup > 0 && streak >= giveup).then(|| {
        format!(
            "Provider has been unresponsive (no response received) for {streak} consecutive stale attempts — aborting this call to avoid an indefinite stall. Switch models or start a new session, then retry."
        )
    })
}

/// The seconds of silence when a provider accepts every call and never answers, and the calls that are made until Hermes stops.
///
/// A lower bound: the pauses between two calls, which Hermes rolls the dice for, are left out.
/// `None` when it never ends, and of Responses streams, which have other watchdogs.
pub fn silence(inputs: &Inputs) -> Option<(f64, u64)> {
    let attempts = attempts_per_call(inputs);
    let streams = inputs.route.transport != Transport::CodexResponses;
    let (Value::Seconds(stale), true) = (stream_stale(inputs).value, streams && attempts > 0) else {
        return None;
    };
    let pauses: f64 = (1..attempts).map(|attempt| f64::from(1_u32 << attempt.saturating_sub(1).min(6))).sum();
    let calls = u64::try_from(api_max_retries(inputs).value.as_count().unwrap_or(3)).unwrap_or(1);
    // The breaker is asked before a call, so it stops at the first call that finds its count reached.
    let until_open = match giveup(inputs).value {
        Value::Count(count) => u64::try_from(count).unwrap_or(1).div_ceil(attempts),
        _ => u64::MAX,
    };
    let calls = calls.min(until_open);
    Some((calls as f64 * (attempts as f64 * stale + pauses), calls))
}
