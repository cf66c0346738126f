//! The doctor: a configuration of Hermes, its effective timers and switches, and the traps in it.
//!
//! [`examine`] is a function of text: what `config.yaml` and `.env` say, for one model and one size of context.
//! The report can be shown to anybody: no value of a key, token or password is in it ([`secret`]).

mod dotenv;
mod known;
mod platforms;
mod route;
mod rules;
mod scalar;
mod secret;
mod settings;
mod switches;
mod warning;
mod yaml;

pub use platforms::Edits;
pub use switches::{Cadence, PlatformStreaming, Switch, Switches};
pub use warning::{Severity, Under, Warning};

use super::timers::{self, Env, File, Inputs, Load, Timer, Transport};
use serde::{Deserialize, Serialize};
use yaml::Node;

/// The Hermes whose rules these are.
pub const HERMES: &str = "0.22.2";

/// What the doctor is given.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct DoctorInput {
    /// The text of `config.yaml`; `None` when there is no such file.
    pub config: Option<String>,
    /// The text of `.env`, or lines of the environment.
    pub env: Option<String>,
    /// The model; that of the configuration when absent.
    pub model: Option<String>,
    /// Tokens of context; a short one when absent.
    pub tokens: Option<u64>,
    /// Whether this Hermes has its texts (`locales/en.yaml`); `None` when nobody looked.
    pub has_texts: Option<bool>,
}

/// What was made of `config.yaml`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ConfigState {
    /// There is none, or nothing in it: the defaults hold.
    Absent,
    /// It is read.
    Read,
    /// Hermes cannot read it and goes on with its defaults.
    Refused,
}

/// Where a call goes, as far as the configuration says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RouteReport {
    /// The model; empty when nobody named one.
    pub model: String,
    /// The provider.
    pub provider: String,
    /// The endpoint's host; empty when it is the provider's own.
    pub host: String,
    /// Whether it counts as local.
    pub local: bool,
    /// The wire.
    pub transport: Transport,
    /// Tokens of context the report is for.
    pub tokens: u64,
}

/// The doctor's report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DoctorReport {
    /// The Hermes whose rules these are.
    pub hermes: String,
    /// What was made of `config.yaml`.
    pub config: ConfigState,
    /// Where a call goes.
    pub route: RouteReport,
    /// What to look at, the worst first.
    pub warnings: Vec<Warning>,
    /// The three streaming switches, and the platforms.
    pub switches: Switches,
    /// Every timer.
    pub timers: Vec<Timer>,
}

/// Everything the rules look at.
struct Patient<'a> {
    root: Option<&'a Node>,
    lines: Vec<&'a str>,
    env_lines: Vec<&'a str>,
    inputs: &'a Inputs,
    timers: &'a [Timer],
    switches: &'a Switches,
    has_texts: Option<bool>,
}

impl Patient<'_> {
    /// The line of a file, as it may be quoted.
    fn quote(&self, place: timers::Place) -> Option<String> {
        let lines = match place.file {
            File::Config => &self.lines,
            File::Env => &self.env_lines,
        };
        let index = usize::try_from(place.line).ok()?.checked_sub(1)?;
        secret::quotable(lines.get(index)?)
    }

    fn timer(&self, id: timers::TimerId) -> Option<&Timer> {
        self.timers.iter().find(|timer| timer.id == id)
    }
}

/// Examines a configuration.
pub fn examine(input: &DoctorInput) -> DoctorReport {
    let text = input.config.as_deref().unwrap_or_default();
    let env_text = input.env.as_deref().unwrap_or_default();
    let env = dotenv::parse(env_text);
    let parsed = yaml::parse(text).and_then(rules::syntax::mapping);
    let (root, refused) = match parsed {
        Ok(root) => (root, None),
        Err(error) => (None, Some(error)),
    };
    let inputs = inputs(root.as_ref(), env, input);
    let timers = timers::all(&inputs);
    let switches = switches::read(root.as_ref(), &inputs.env);
    let patient = Patient {
        root: root.as_ref(),
        lines: text.lines().collect(),
        env_lines: env_text.lines().collect(),
        inputs: &inputs,
        timers: &timers,
        switches: &switches,
        has_texts: input.has_texts,
    };
    let mut warnings: Vec<Warning> = refused.iter().map(rules::syntax::refused).collect();
    warnings.extend(rules::all(&patient));
    if refused.is_some() {
        // Of a file that does not count only what is wrong with it is of interest.
        warnings.retain(|warning| warning.severity != Severity::Hint);
    }
    warnings.sort_by_key(|warning| (warning.severity, warning.place.is_none(), warning.place));
    let config = match (&refused, &root) {
        (Some(_), _) => ConfigState::Refused,
        (None, Some(_)) => ConfigState::Read,
        (None, None) => ConfigState::Absent,
    };
    DoctorReport {
        hermes: HERMES.to_owned(),
        config,
        route: route::report(&inputs),
        warnings,
        switches,
        timers,
    }
}

fn inputs(root: Option<&Node>, env: Env, input: &DoctorInput) -> Inputs {
    let route = route::read(root, input.model.as_deref());
    let config = settings::timers(root, &route.provider, &route.model);
    Inputs { route, load: Load { tokens: input.tokens.unwrap_or(0), elapsed: 0.0 }, config, env }
}
