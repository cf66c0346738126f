//! A timer and the steps that led to its value.

use super::{Setting, Source, Value, seconds};
use crate::stall::Versions;
use serde::{Deserialize, Serialize};

/// Which timer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "each is named in `Timer::name`")]
pub enum TimerId {
    SocketConnect,
    SocketWrite,
    SocketRead,
    StreamStale,
    LocalCeiling,
    NonStreamStale,
    CodexTtfb,
    CodexFirstProgress,
    CodexIdle,
    StreamDrain,
    StreamMaxLifetime,
    StreamRetries,
    ApiMaxRetries,
    AutoRecoveryCycles,
    StaleGiveup,
    WaitNotice,
    WaitNoticeNear,
    GatewayTimeout,
    GatewayWarning,
    GatewayNotify,
    TurnLiveness,
    RunBudget,
}

/// The kind of rule that made a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rule {
    /// Hermes' own default.
    Default,
    /// A key of the configuration.
    Config,
    /// A variable of the environment.
    Env,
    /// Written down, not used.
    Ignored,
    /// Taken as it is: no tier, no floor, no cap.
    AsIs,
    /// Raised for a large context.
    ContextTier,
    /// Raised for a model that thinks.
    ReasoningFloor,
    /// Raised because the model is asked to think hard.
    EffortFloor,
    /// The endpoint is local.
    Local,
    /// Lowered to what the run's budget leaves.
    RunBudget,
    /// Raised to another timer, which it must not beat.
    RaisedTo,
    /// Lowered to a ceiling.
    Ceiling,
    /// Switched off.
    Off,
    /// This transport does not have it.
    NotHere,
    /// Hermes fails.
    Fails,
}

/// One step: after it, the timer has `value`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// The kind of rule.
    pub rule: Rule,
    /// The value after it.
    pub value: Value,
    /// Why, as a sentence without its full stop.
    pub why: String,
    /// What decided, where somebody wrote it down.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Source>,
}

/// A timer: what it does, what it is set to, and why.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Timer {
    /// Which.
    pub id: TimerId,
    /// Its name for people.
    pub name: String,
    /// What happens when it passes, as a sentence without its full stop.
    pub what: String,
    /// The effective value.
    pub value: Value,
    /// How it came about, in order; the first step is where it starts.
    pub chain: Vec<Step>,
    /// Which Hermes this is true for.
    pub versions: Versions,
}

impl Timer {
    /// The place that decided the value: the last step that somebody wrote down and Hermes used.
    pub fn decided_by(&self) -> Option<&Source> {
        self.chain.iter().rev().filter(|step| step.rule != Rule::Ignored).find_map(|step| step.from.as_ref())
    }

    /// The steps as one line, for a terminal.
    pub fn explain(&self) -> String {
        let steps: Vec<String> =
            self.chain.iter().map(|step| format!("{} ({})", step.value, step.why)).collect();
        steps.join(" → ")
    }
}

/// A timer in the making.
pub(super) struct Chain {
    steps: Vec<Step>,
    value: Value,
}

impl Chain {
    pub(super) fn new(value: Value, why: &str) -> Self {
        Self { steps: vec![Step { rule: Rule::Default, value, why: why.to_owned(), from: None }], value }
    }

    pub(super) fn value(&self) -> Value {
        self.value
    }

    /// The value in seconds; a value that is no duration counts as infinity, which no comparison raises.
    pub(super) fn seconds(&self) -> f64 {
        self.value.as_seconds().unwrap_or(f64::INFINITY)
    }

    pub(super) fn step(&mut self, rule: Rule, value: Value, why: impl Into<String>) {
        self.push(rule, value, why.into(), None);
    }

    pub(super) fn push(&mut self, rule: Rule, value: Value, why: String, from: Option<Source>) {
        self.value = value;
        self.steps.push(Step { rule, value, why, from });
    }

    /// Raises the value to `floor` where it is lower, and says why.
    pub(super) fn raise(&mut self, rule: Rule, floor: f64, why: impl Into<String>) {
        if self.seconds() < floor {
            self.step(rule, seconds(floor), why);
        }
    }

    /// Follows a setting in seconds: a step for what was written, and whether it counted.
    pub(super) fn follow(&mut self, setting: &Setting, rule: Rule) -> Option<f64> {
        self.follow_as(setting, rule, seconds)
    }

    /// Follows a setting whose number is made a value by `make`.
    pub(super) fn follow_as(
        &mut self,
        setting: &Setting,
        rule: Rule,
        make: impl Fn(f64) -> Value,
    ) -> Option<f64> {
        match setting {
            Setting::Unset => None,
            Setting::Given(number, source) => {
                self.push(rule, make(*number), format!("`{}` is set", source.name), Some(source.clone()));
                Some(*number)
            }
            Setting::Ignored(source, why) => {
                self.push(
                    Rule::Ignored,
                    self.value,
                    format!("`{}` is ignored: {why}", source.name),
                    Some(source.clone()),
                );
                None
            }
            Setting::Fails(source, why) => {
                self.push(
                    Rule::Fails,
                    Value::Breaks,
                    format!("`{}`: {why}", source.name),
                    Some(source.clone()),
                );
                None
            }
        }
    }

    pub(super) fn done(self, id: TimerId, name: &str, what: &str, versions: Versions) -> Timer {
        Timer {
            id,
            name: name.to_owned(),
            what: what.to_owned(),
            value: self.value,
            chain: self.steps,
            versions,
        }
    }
}
