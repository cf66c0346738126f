//! The timers around a turn: the gateway's patience with an agent that does nothing, its signs of life, the run's budget.

use super::chain::Chain;
use super::{Inputs, Rule, Setting, Timer, TimerId, Value};
use crate::stall::{Evidence, Versions};

/// A setting with a variable that wins over its key; zero or less is off.
fn both(default: f64, key: &Setting, variable: &Setting) -> Chain {
    let mut chain = Chain::new(Value::Seconds(default), "Hermes' default");
    chain.follow(key, Rule::Config);
    chain.follow(variable, Rule::Env);
    off_at_zero(&mut chain);
    chain
}

fn off_at_zero(chain: &mut Chain) {
    if chain.seconds() <= 0.0 {
        chain.step(Rule::Off, Value::Off, "zero or less switches it off");
    }
}

pub(super) fn timers(inputs: &Inputs) -> Vec<Timer> {
    let (config, env) = (&inputs.config, &inputs.env);
    let done = |chain: Chain, id, name, what| chain.done(id, name, what, Versions::of(Evidence::Read));
    let mut liveness = Chain::new(Value::Seconds(600.0), "Hermes' default");
    liveness.follow(&config.turn_liveness, Rule::Config);
    off_at_zero(&mut liveness);
    let mut budget = Chain::new(Value::Off, "off by default");
    budget.follow(&config.run_budget, Rule::Config);
    vec![
        done(
            both(1800.0, &config.gateway_timeout, &env.float("HERMES_AGENT_TIMEOUT")),
            TimerId::GatewayTimeout,
            "Gateway: inactivity",
            "A turn without any activity for this long fails",
        ),
        done(
            both(900.0, &config.gateway_warning, &env.float("HERMES_AGENT_TIMEOUT_WARNING")),
            TimerId::GatewayWarning,
            "Gateway: warning",
            "After this inactivity the chat is told so, once",
        ),
        done(
            both(180.0, &config.gateway_notify, &env.float("HERMES_AGENT_NOTIFY_INTERVAL")),
            TimerId::GatewayNotify,
            "Gateway: sign of life",
            "So often a long turn says in the chat that it still works",
        ),
        done(
            liveness,
            TimerId::TurnLiveness,
            "Turn without progress",
            "A turn without any progress for this long is interrupted",
        ),
        done(
            budget,
            TimerId::RunBudget,
            "Run budget",
            "The time of one run; stale timeouts that nobody set are lowered to half of what is left of it",
        ),
    ]
}
