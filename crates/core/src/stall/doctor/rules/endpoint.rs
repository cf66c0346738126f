//! What a provider and its endpoint make of the timers: keys that are looked up under another name, wires that are not believed.

use super::super::route;
use super::super::warning::{Severity, Warning};
use super::super::{Patient, settings};
use super::{executed, instead, observed, plain};
use crate::stall::timers::{TimerId, Transport, Value};

pub(super) fn rules(patient: &Patient<'_>) -> Vec<Warning> {
    let mut found = own_provider(patient);
    found.extend(model_request_key(patient));
    found.extend(local_for_ever(patient));
    found.extend(mode_ignored(patient));
    found.extend(short_gap(patient));
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
            "With `provider: custom` Hermes takes Responses only from hosts that are known for them. An endpoint with a name of its own may choose: `providers.<name>` with `base_url` and `api_mode`, and `model.provider: <name>`. Without a name of its own, write what Hermes does.",
            observed(),
        );
        patient.at(warning, entry).replace(instead(entry, "api_mode", "chat_completions"))
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
