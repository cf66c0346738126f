//! Every timer of a model call: its effective value, and the chain of rules that led to it.
//!
//! [`all`] resolves them for one situation ([`Inputs`]); each rule is a function of its own module.
//! Where the inputs come from (a file, a process) is not the business of this module.

mod chain;
mod endpoint;
mod environment;
mod floors;
mod gateway;
mod lifetime;
pub mod notice;
mod responses;
mod retries;
mod setting;
mod socket;
mod stale;
mod value;

pub use chain::{Rule, Step, Timer, TimerId};
pub use endpoint::is_local;
pub use environment::{Env, EnvEntry, python_float, python_int};
pub use floors::{bedrock_floor, reasoning_floor, reasoning_slug, scale_for_context};
pub use lifetime::{MAX_LIFETIME, stream_max_lifetime};
pub use responses::{codex_first_progress, codex_idle, codex_ttfb, stream_drain};
pub use retries::{
    api_max_retries, attempts_per_call, giveup, giveup_error, recovery_cycles, silence, stream_retries,
};
pub use setting::{File, Place, Setting, Source};
pub use socket::socket;
pub use stale::{local_ceiling, non_stream_stale, stream_stale};
pub use value::{Value, seconds};

use serde::{Deserialize, Serialize};

/// The wire on which Hermes talks to the model (`api_mode`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Transport {
    /// OpenAI's Chat Completions, and everything that imitates it.
    #[default]
    ChatCompletions,
    /// Anthropic's Messages.
    AnthropicMessages,
    /// OpenAI's Responses, as Codex uses them.
    CodexResponses,
    /// Amazon Bedrock's Converse.
    BedrockConverse,
}

impl Transport {
    /// Its name in a sentence.
    pub fn name(self) -> &'static str {
        match self {
            Self::ChatCompletions => "Chat Completions",
            Self::AnthropicMessages => "Anthropic Messages",
            Self::CodexResponses => "Responses (Codex)",
            Self::BedrockConverse => "Bedrock Converse",
        }
    }
}

/// Where a call goes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Route {
    /// The provider's name in the configuration.
    pub provider: String,
    /// The model.
    pub model: String,
    /// The endpoint's address; empty when it is the provider's own.
    pub base_url: String,
    /// The wire.
    pub transport: Transport,
    /// Whether the model is asked to think at effort `high` or more.
    pub high_effort: bool,
}

/// How large the call is, and how much of a run is left.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Load {
    /// Tokens of context, as Hermes estimates them.
    pub tokens: u64,
    /// Seconds of the run budget that are used up; 0 at the start of a turn.
    pub elapsed: f64,
}

/// What `config.yaml` says about timers, each value as Hermes would read it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Config {
    /// `providers.<id>.models.<model>.stale_timeout_seconds`
    pub model_stale: Setting,
    /// `providers.<id>.stale_timeout_seconds`
    pub provider_stale: Setting,
    /// `providers.<id>.models.<model>.timeout_seconds`
    pub model_request: Setting,
    /// `providers.<id>.request_timeout_seconds`
    pub provider_request: Setting,
    /// `agent.local_stream_stale_timeout`
    pub local_ceiling: Setting,
    /// `agent.stream_drain_timeout`
    pub drain: Setting,
    /// `agent.api_max_retries`
    pub api_max_retries: Setting,
    /// `agent.auto_recovery_cycles`
    pub recovery_cycles: Setting,
    /// `agent.run_budget_seconds`
    pub run_budget: Setting,
    /// `agent.stream_max_lifetime`
    pub max_lifetime: Setting,
    /// `agent.gateway_timeout`
    pub gateway_timeout: Setting,
    /// `agent.gateway_timeout_warning`
    pub gateway_warning: Setting,
    /// `agent.gateway_notify_interval`
    pub gateway_notify: Setting,
    /// `agent.turn_liveness.timeout_s`
    pub turn_liveness: Setting,
}

/// Everything that decides a timer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Inputs {
    /// Where the call goes.
    pub route: Route,
    /// How large it is.
    pub load: Load,
    /// The configuration.
    pub config: Config,
    /// The environment.
    pub env: Env,
}

impl Inputs {
    /// Whether the endpoint counts as local. Bedrock never does.
    pub fn local(&self) -> bool {
        self.route.transport != Transport::BedrockConverse && is_local(&self.route.base_url)
    }
}

/// Every timer that has a meaning on this route, in the order in which a call meets them.
pub fn all(inputs: &Inputs) -> Vec<Timer> {
    let mut timers = socket(inputs).to_vec();
    if inputs.route.transport == Transport::CodexResponses {
        timers.push(codex_ttfb(inputs));
        timers.extend(codex_first_progress(inputs));
        timers.push(codex_idle(inputs));
        timers.push(stream_drain(inputs));
    } else {
        timers.push(stream_stale(inputs));
        if inputs.local() {
            timers.push(local_ceiling(inputs));
        }
    }
    timers.extend([non_stream_stale(inputs), stream_max_lifetime(inputs)]);
    timers.extend([stream_retries(inputs), api_max_retries(inputs), recovery_cycles(inputs), giveup(inputs)]);
    timers.extend(notice::timers(inputs));
    timers.extend(gateway::timers(inputs));
    timers
}
