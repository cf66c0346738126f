//! Timers that do not do what their line says.

use super::super::route;
use super::super::warning::{Severity, Warning};
use super::super::{Patient, settings};
use super::{executed, instead, observed, plain};
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
    found.extend(own_provider(patient));
    found.extend(model_request_key(patient));
    found.extend(local_for_ever(patient));
    found.extend(mode_ignored(patient));
    found.extend(short_gap(patient));
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
            "Only Chat Completions and Anthropic Messages streams have this limit. A Responses stream is guarded by its own watchdogs, a Bedrock stream by the stale timeout.".to_owned(),
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

/// The timeouts of a provider of one's own are looked up under `custom`.
fn own_provider(patient: &Patient<'_>) -> Vec<Warning> {
    let Some(root) = patient.root else { return Vec::new() };
    let name = root
        .at_path(&["model", "provider"])
        .and_then(|entry| entry.value.scalar())
        .map(|scalar| scalar.text.as_str());
    let Some(name) = name.filter(|name| route::is_own(root, name)) else { return Vec::new() };
    let keys = ["stale_timeout_seconds", "request_timeout_seconds"];
    let entries = keys.iter().filter_map(|key| root.at_path(&["providers", name, key]));
    entries
        .map(|entry| {
            let value = entry.value.scalar().and_then(|scalar| scalar.value.number()).map_or_else(|| "180".to_owned(), plain);
            let warning = Warning::new(
                "own-provider-timeout",
                Severity::Error,
                format!("`providers.{name}.{}` is not read", entry.key),
                format!("Hermes runs a provider of your own under the name `custom`, and looks its timeouts up there: `{name}` is an endpoint, not a name it knows."),
                observed(),
            );
            patient.at(warning, entry).insert(patient.insertion(&["providers", "custom", &entry.key], &value))
        })
        .collect()
}

/// A model's own request timeout has another name than the provider's.
fn model_request_key(patient: &Patient<'_>) -> Vec<Warning> {
    let providers = patient.find(&["providers"]).map(|entry| entry.value.entries()).unwrap_or_default();
    let models = providers.iter().flat_map(|provider| {
        provider.value.get("models").map(super::super::yaml::Node::entries).unwrap_or_default()
    });
    let wrong = models.filter_map(|model| model.value.entry("request_timeout_seconds"));
    wrong
        .take(16)
        .map(|entry| {
            let value = entry.value.scalar().and_then(|scalar| scalar.value.number()).map_or_else(|| "300".to_owned(), plain);
            let warning = Warning::new(
                "model-request-key",
                Severity::Error,
                "Under a model this key is called `timeout_seconds`",
                "`request_timeout_seconds` is the provider's key; under `models` Hermes reads `timeout_seconds` and ignores this line.",
                executed(),
            );
            patient.at(warning, entry).replace(instead(entry, "timeout_seconds", &value))
        })
        .collect()
}

/// A local endpoint without streaming is waited for without an end.
fn local_for_ever(patient: &Patient<'_>) -> Option<Warning> {
    let never = patient.timer(TimerId::NonStreamStale)?.value == Value::Never;
    if !never || !patient.inputs.local() || patient.switches.model.on {
        return None;
    }
    let warning = Warning::new(
        "local-without-end",
        Severity::Warning,
        "Without streaming, a local endpoint is waited for without an end",
        "`model.streaming` is off, and for a local endpoint the stale timeout of a call without streaming is infinite unless somebody sets it. A server that hangs stops the turn for as long as the gateway is patient.",
        executed(),
    );
    let place = patient.find(&["model", "streaming"]).map(settings::place);
    Some(patient.point(warning, place).write_env("HERMES_API_CALL_STALE_TIMEOUT=900".to_owned()))
}

/// Responses are not believed of a plain endpoint of one's own.
fn mode_ignored(patient: &Patient<'_>) -> Option<Warning> {
    let entry = patient.find(&["model", "api_mode"])?;
    let responses = entry.value.scalar().is_some_and(|scalar| scalar.text == "codex_responses");
    let route = &patient.inputs.route;
    let own = patient.find(&["model", "provider"]).and_then(|entry| entry.value.scalar());
    let plain = own.is_some_and(|scalar| scalar.text == "custom");
    (responses && plain && route.transport != Transport::CodexResponses).then(|| {
        let warning = Warning::new(
            "api-mode-ignored",
            Severity::Warning,
            format!("`api_mode: codex_responses` is not used for this endpoint; Hermes talks {}", route.transport.name()),
            "With `provider: custom` Hermes takes Responses only from hosts that are known for them. An endpoint with a name of its own may choose: `providers.<name>` with `base_url` and `api_mode`, and `model.provider: <name>`.",
            observed(),
        );
        patient.at(warning, entry)
    })
}

/// A pause in a Responses stream that is cut, and what had come counts as the whole answer.
fn short_gap(patient: &Patient<'_>) -> Option<Warning> {
    const SHORT: f64 = 60.0;
    let timer = patient.timer(TimerId::CodexIdle)?;
    let Value::Seconds(seconds) = timer.value else { return None };
    (seconds < SHORT).then(|| {
        let warning = Warning::new(
            "responses-gap-short",
            Severity::Warning,
            format!("A Responses stream that pauses for {} s is cut, and its beginning counts as the whole answer", plain(seconds)),
            "When the gap between two events passes this timer after text has come, Hermes ends the turn with that text as if the model had finished: no retry, no error. A model that thinks between two sentences pauses that long.",
            observed(),
        );
        let place = timer.decided_by().and_then(|source| source.place);
        patient.point(warning, place).write_env(format!("HERMES_CODEX_EVENT_STALE_TIMEOUT_SECONDS={SHORT}"))
    })
}
