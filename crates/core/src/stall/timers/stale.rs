//! How long Hermes waits for a sign of life: of a stream, and of a call that does not stream.

use super::chain::Chain;
use super::floors::{bedrock_floor, reasoning_slug, scale_for_context};
use super::responses::{EFFORT_FLOOR, large_request_floor};
use super::{Inputs, Rule, Setting, Source, Timer, TimerId, Transport, Value, seconds};
use crate::stall::{Evidence, Versions};

/// Below this a run's budget lowers no timer.
const BUDGET_MINIMUM: f64 = 60.0;

/// A stream without a part for this long is cut and opened again.
pub fn stream_stale(inputs: &Inputs) -> Timer {
    let mut chain = Chain::new(Value::Seconds(180.0), "Hermes' default");
    let env = inputs.env.float("HERMES_STREAM_STALE_TIMEOUT");
    let explicit = follow_explicit(&mut chain, inputs);
    if explicit.is_none() {
        chain.follow(&env, Rule::Env);
    }
    // Hermes asks whether the number is 180, not whether somebody wrote it.
    if chain.value() == Value::Seconds(180.0) && inputs.local() {
        let ceiling = local_ceiling(inputs);
        let why = "the endpoint is local, and 180 s counts as the default".to_owned();
        chain.push(Rule::Local, ceiling.value, why, ceiling.decided_by().cloned());
    } else if explicit.is_some() {
        chain.step(
            Rule::AsIs,
            chain.value(),
            "a provider's key is taken as it is: no tier, no floor, no cap",
        );
    } else {
        raise_for_load(&mut chain, inputs);
        // A variable that is there counts as the user's wish, even if it is empty.
        if !inputs.env.has("HERMES_STREAM_STALE_TIMEOUT") {
            cap_to_budget(&mut chain, inputs);
        }
    }
    chain.done(
        TimerId::StreamStale,
        "Stream stale timeout",
        "A stream without a part for this long is cut and opened again",
        Versions::of(Evidence::Executed),
    )
}

/// A call without streaming that has no answer after this long is given up.
pub fn non_stream_stale(inputs: &Inputs) -> Timer {
    let mut chain = Chain::new(Value::Seconds(90.0), "Hermes' default");
    let explicit = follow_explicit(&mut chain, inputs).is_some() || follow_strictly(&mut chain, inputs);
    if chain.value() != Value::Breaks {
        if !explicit && reasoning(inputs).is_none() && inputs.local() {
            chain.step(
                Rule::Local,
                Value::Never,
                "the endpoint is local and nothing is set: Hermes waits for ever",
            );
        } else {
            resolve_non_stream(&mut chain, inputs, explicit);
        }
    }
    chain.done(
        TimerId::NonStreamStale,
        "Stale timeout without streaming",
        "A call that does not stream and has no answer after this long is cut",
        Versions::of(Evidence::Executed),
    )
}

fn resolve_non_stream(chain: &mut Chain, inputs: &Inputs, explicit: bool) {
    if let (false, Some((slug, floor))) = (explicit, reasoning(inputs)) {
        chain.step(Rule::ReasoningFloor, seconds(floor), format!("`{slug}` thinks before it writes"));
    }
    let tokens = inputs.load.tokens;
    let tier = match tokens {
        100_001.. => 240.0,
        50_001.. => 150.0,
        _ => f64::NEG_INFINITY,
    };
    chain.raise(Rule::ContextTier, tier, format!("the context is about {tokens} tokens"));
    let codex = inputs.route.transport == Transport::CodexResponses;
    if !explicit {
        if codex && inputs.route.high_effort {
            chain.raise(Rule::EffortFloor, EFFORT_FLOOR, "the model is asked to think hard");
        }
        cap_to_budget(chain, inputs);
    }
    if codex && !inputs.local() {
        chain.raise(
            Rule::ContextTier,
            large_request_floor(tokens),
            format!("a Responses request of about {tokens} tokens is admitted slowly"),
        );
        hard_ceiling(chain, inputs);
    }
}

/// What a local endpoint is given instead of the default.
pub fn local_ceiling(inputs: &Inputs) -> Timer {
    let mut chain = Chain::new(Value::Seconds(900.0), "Hermes' default for local endpoints");
    chain.follow(&inputs.config.local_ceiling, Rule::Config);
    chain.follow(&inputs.env.float("HERMES_LOCAL_STREAM_STALE_TIMEOUT"), Rule::Env);
    chain.done(
        TimerId::LocalCeiling,
        "Stale timeout of a local endpoint",
        "What a local endpoint is given where nothing else is set",
        Versions::of(Evidence::Executed),
    )
}

/// A provider's own key: the model's wins over the provider's.
fn follow_explicit(chain: &mut Chain, inputs: &Inputs) -> Option<f64> {
    let model = chain.follow(&inputs.config.model_stale, Rule::Config);
    model.or_else(|| chain.follow(&inputs.config.provider_stale, Rule::Config))
}

/// `HERMES_API_CALL_STALE_TIMEOUT`, which Hermes reads without a net: what is no number is an error of every call.
fn follow_strictly(chain: &mut Chain, inputs: &Inputs) -> bool {
    const NAME: &str = "HERMES_API_CALL_STALE_TIMEOUT";
    let setting = match inputs.env.float(NAME) {
        Setting::Ignored(source, why) => Setting::Fails(
            source,
            format!("{why}, and every call without streaming fails on it (ValueError)"),
        ),
        setting => setting,
    };
    chain.follow(&setting, Rule::Env);
    inputs.env.has(NAME)
}

fn raise_for_load(chain: &mut Chain, inputs: &Inputs) {
    let scaled = scale_for_context(chain.seconds(), inputs.load.tokens);
    chain.raise(Rule::ContextTier, scaled, format!("the context is about {} tokens", inputs.load.tokens));
    if let Some((slug, floor)) = reasoning(inputs) {
        chain.raise(Rule::ReasoningFloor, floor, format!("`{slug}` thinks before it writes"));
    }
}

/// The slug and the floor of the model.
fn reasoning(inputs: &Inputs) -> Option<(String, f64)> {
    let model = &inputs.route.model;
    if let Some((slug, floor)) = reasoning_slug(model) {
        return Some((slug.to_owned(), floor));
    }
    let bedrock = inputs.route.transport == Transport::BedrockConverse;
    bedrock.then(|| bedrock_floor(model)).flatten().map(|floor| (model.clone(), floor))
}

/// Half of what the run's budget leaves, but not below 60 s.
fn cap_to_budget(chain: &mut Chain, inputs: &Inputs) {
    if let Setting::Given(budget, source) = &inputs.config.run_budget {
        let cap = ((budget - inputs.load.elapsed) * 0.5).max(BUDGET_MINIMUM);
        if chain.seconds() > cap {
            chain.push(
                Rule::RunBudget,
                seconds(cap),
                "half of what is left of the run's budget, at least 60 s".to_owned(),
                Some(source.clone()),
            );
        }
    }
}

fn hard_ceiling(chain: &mut Chain, inputs: &Inputs) {
    let setting = inputs.env.float("HERMES_CODEX_HARD_TIMEOUT_SECONDS");
    let ceiling = setting.value().unwrap_or(1500.0);
    if ceiling > 0.0 && chain.seconds() > ceiling {
        let from: Option<Source> = setting.value().and(setting.source()).cloned();
        chain.push(Rule::Ceiling, seconds(ceiling), "the ceiling of a Responses call".to_owned(), from);
    }
}
