//! Timers that do not do what their line says.

use super::super::Patient;
use super::super::warning::{Severity, Warning};
use super::{executed, instead, plain};
use crate::stall::Versions;
use crate::stall::timers::{self, Rule, Setting, TimerId, Transport, Value, stream_stale};

pub(super) fn rules(patient: &Patient<'_>) -> Vec<Warning> {
    let mut found = cap(patient);
    found.extend(stale_variable_raised(patient));
    found.extend(stale_below_floor(patient));
    found.extend(default_on_local(patient));
    found.extend(read_timeout(patient));
    found.extend(request_beats_stale(patient));
    found.extend(fires_at_once(patient));
    found
}

/// `agent.stream_max_lifetime`: unknown to 0.22.2, raised to the stale timeout, not on every transport.
fn cap(patient: &Patient<'_>) -> Vec<Warning> {
    let Setting::Given(cap, source) = &patient.inputs.config.max_lifetime else { return Vec::new() };
    let mut found = Vec::new();
    let mut say = |id: &str, severity, title: String, why: String, versions, write: Vec<String>| {
        found.push(
            patient.point(Warning::new(id, severity, title, why, versions), source.place).replace(write),
        );
    };
    say(
        "cap-unknown",
        Severity::Warning,
        format!("Hermes {} does not know `{}`", super::super::HERMES, timers::MAX_LIFETIME),
        "The key came with a later version; here it does nothing, and a stream that goes on is not cut. Update Hermes, or leave the line out.".to_owned(),
        executed(),
        Vec::new(),
    );
    let transport = patient.inputs.route.transport;
    if *cap > 0.0 && !matches!(transport, Transport::ChatCompletions | Transport::AnthropicMessages) {
        say(
            "cap-not-on-transport",
            Severity::Warning,
            format!("`{}` is ignored on {}", timers::MAX_LIFETIME, transport.name()),
            "Only Chat Completions and Anthropic Messages streams have this limit. A Responses stream is guarded by its own watchdogs, a Bedrock stream by the stale timeout. Leave the line out.".to_owned(),
            Versions::later(),
            Vec::new(),
        );
    } else if *cap > 0.0 {
        let stale = stream_stale(patient.inputs).value;
        if let Some(stale) = stale.as_seconds().filter(|stale| *cap < *stale && stale.is_finite()) {
            say(
                "cap-below-stale",
                Severity::Warning,
                format!("The cap of {} s is below the stale timeout and is raised to {} s", plain(*cap), plain(stale)),
                "A cap never fires before the effective stale timeout. To cut earlier, the stale timeout has to come down first.".to_owned(),
                Versions::later(),
                patient.find(&["agent", "stream_max_lifetime"]).map(|entry| instead(entry, &entry.key, &plain(stale))).unwrap_or_default(),
            );
        }
    }
    found
}

/// The variable is raised by tier and floor; only the provider's key is taken as it is.
fn stale_variable_raised(patient: &Patient<'_>) -> Option<Warning> {
    let timer = stream_stale(patient.inputs);
    let index = timer.chain.iter().position(|step| step.rule == Rule::Env)?;
    let Value::Seconds(written) = timer.chain.get(index)?.value else { return None };
    let raised = timer
        .chain
        .get(index.saturating_add(1)..)?
        .iter()
        .find(|step| matches!(step.rule, Rule::ContextTier | Rule::ReasoningFloor))?;
    let source = timer.chain.get(index)?.from.as_ref()?;
    let provider = patient.inputs.route.provider.as_str();
    let warning = Warning::new(
        "stale-variable-raised",
        Severity::Warning,
        format!("`{}={}` is raised to {}", source.name, plain(written), timer.value),
        format!(
            "The variable is scaled for a large context and raised to the floor of a model that thinks, like the default ({}). Only the key of a provider is taken as it is.",
            raised.why
        ),
        executed(),
    );
    Some(
        patient
            .point(warning, source.place)
            .insert(patient.insertion(&["providers", provider, "stale_timeout_seconds"], &plain(written))),
    )
}

/// A provider's key is taken as it is, even below what the model needs.
fn stale_below_floor(patient: &Patient<'_>) -> Option<Warning> {
    let config = &patient.inputs.config;
    let (given, source) =
        [&config.model_stale, &config.provider_stale].into_iter().find_map(|setting| match setting {
            Setting::Given(given, source) => Some((*given, source)),
            _ => None,
        })?;
    let (slug, floor) =
        timers::reasoning_slug(&patient.inputs.route.model).filter(|(_, floor)| given < *floor)?;
    let warning = Warning::new(
        "stale-below-floor",
        Severity::Warning,
        format!("{} s is taken as it is, below the {floor} s that `{slug}` is given otherwise", plain(given)),
        "A provider's key wins over the size of the context and over the floor of a model that thinks: a stream that still thinks is cut and begun again, and five of these open the breaker.",
        executed(),
    );
    Some(patient.rewrite(warning, source, &plain(floor)))
}

/// 180 written down on a local endpoint counts as "nobody set it".
fn default_on_local(patient: &Patient<'_>) -> Option<Warning> {
    let timer = stream_stale(patient.inputs);
    let local = timer.chain.iter().position(|step| step.rule == Rule::Local)?;
    let source = timer
        .chain
        .get(..local)?
        .iter()
        .rev()
        .find(|step| matches!(step.rule, Rule::Config | Rule::Env))?
        .from
        .as_ref()?;
    let warning = Warning::new(
        "local-180-is-default",
        Severity::Warning,
        format!(
            "`{}` is 180, which counts as the default: the local endpoint is given {}",
            source.name, timer.value
        ),
        "Hermes asks whether the number is 180, not whether somebody wrote it. 181 is taken as written.",
        executed(),
    );
    Some(patient.rewrite(warning, source, "181"))
}

/// 120 s of silence on the socket are usually 180.
fn read_timeout(patient: &Patient<'_>) -> Option<Warning> {
    let timer = patient.timer(TimerId::SocketRead)?;
    let written = timer.chain.iter().find(|step| step.rule == Rule::Env)?.from.as_ref()?;
    let raised = timer.chain.iter().find(|step| matches!(step.rule, Rule::RaisedTo | Rule::Local))?;
    let warning = Warning::new(
        "read-120-is-default",
        Severity::Warning,
        format!("`{}=120` counts as the default and is raised to {}", written.name, timer.value),
        format!("{}. 121 is taken as written.", raised.why),
        executed(),
    );
    Some(patient.point(warning, written.place).write_env(format!("{}=121", written.name)))
}

/// The socket gives up before the stale timeout can.
fn request_beats_stale(patient: &Patient<'_>) -> Option<Warning> {
    if patient.inputs.route.transport == Transport::CodexResponses {
        return None;
    }
    let read = patient.timer(TimerId::SocketRead)?;
    let stale = stream_stale(patient.inputs).value.as_seconds()?;
    let seconds = read.value.as_seconds().filter(|seconds| *seconds < stale && stale.is_finite())?;
    let source = read.decided_by()?;
    let warning = Warning::new(
        "read-below-stale",
        Severity::Hint,
        format!(
            "The socket gives up after {} s, before the stale timeout of {} s",
            plain(seconds),
            plain(stale)
        ),
        format!(
            "`{}` also limits the silence between two bytes. A provider that sends keep-alive bytes is not touched by it; one that sends none is cut as a connection error, which the breaker does not count.",
            source.name
        ),
        executed(),
    );
    Some(patient.rewrite(warning, source, &plain(stale)))
}

/// Zero is not "off" here: it fires at once.
fn fires_at_once(patient: &Patient<'_>) -> Vec<Warning> {
    let ids = [TimerId::StreamStale, TimerId::NonStreamStale, TimerId::LocalCeiling];
    let mut found: Vec<Warning> = Vec::new();
    for timer in ids.iter().filter_map(|id| patient.timer(*id)) {
        let (Value::Seconds(seconds), Some(source)) = (timer.value, timer.decided_by()) else { continue };
        if seconds >= 5.0
            || found.iter().any(|warning| warning.place.is_some() && warning.place == source.place)
        {
            continue;
        }
        let title = if seconds <= 0.0 {
            format!("`{}` is {} s: every call is cut at once", source.name, plain(seconds))
        } else {
            format!("`{}` is {} s: no provider answers that fast", source.name, plain(seconds))
        };
        let why = "Zero does not switch this timer off, and `true` is one second. For no limit write `inf` in the environment or `.inf` in the configuration; better is a long limit.";
        let warning = Warning::new("fires-at-once", Severity::Error, title, why, executed());
        found.push(patient.rewrite(warning, source, "900"));
    }
    found
}
