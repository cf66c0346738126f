//! `agent.stream_max_lifetime`: a stream is cut after so long even if text still comes.
//!
//! Hermes 0.22.2 does not have it. The rules are those of its description: off by default and at 0, never before the effective
//! stale timeout, a fresh clock for every attempt, only Chat Completions and Anthropic Messages, and the breaker does not count a cut.

use super::chain::Chain;
use super::{Inputs, Rule, Timer, TimerId, Transport, Value, seconds, stream_stale};
use crate::stall::Versions;

/// The key.
pub const MAX_LIFETIME: &str = "agent.stream_max_lifetime";

/// The longest that one attempt may stream.
pub fn stream_max_lifetime(inputs: &Inputs) -> Timer {
    let mut chain = Chain::new(Value::Off, "off by default");
    if let Some(given) = chain.follow(&inputs.config.max_lifetime, Rule::Config) {
        resolve(&mut chain, inputs, given);
    }
    chain.done(
        TimerId::StreamMaxLifetime,
        "Longest life of a stream",
        "An attempt that still streams after this long is cut and begun again; every attempt has its own clock, and the breaker does not count it",
        Versions::later(),
    )
}

fn resolve(chain: &mut Chain, inputs: &Inputs, given: f64) {
    let transport = inputs.route.transport;
    if given <= 0.0 {
        chain.step(Rule::Off, Value::Off, "zero or less switches it off");
    } else if !matches!(transport, Transport::ChatCompletions | Transport::AnthropicMessages) {
        chain.step(Rule::NotHere, Value::Off, format!("{} streams have no such limit", transport.name()));
    } else {
        let stale = stream_stale(inputs).value.as_seconds().unwrap_or(0.0);
        if given < stale {
            chain.step(
                Rule::RaisedTo,
                seconds(stale),
                format!("it never fires before the stale timeout of {}", seconds(stale)),
            );
        }
    }
}
