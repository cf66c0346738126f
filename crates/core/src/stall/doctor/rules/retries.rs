//! How often Hermes tries, and how long that is silent.

use super::super::Patient;
use super::super::warning::{Severity, Warning};
use super::{executed, observed, plain};
use crate::stall::timers::{
    Rule, Setting, TimerId, Value, api_max_retries, attempts_per_call, giveup, recovery_cycles, silence,
};

pub(super) fn rules(patient: &Patient<'_>) -> Vec<Warning> {
    [breaker(patient), silent(patient), errors_are_silent(patient), no_attempt(patient), breaker_off(patient)]
        .into_iter()
        .flatten()
        .collect()
}

/// The breaker counts attempts, not turns.
fn breaker(patient: &Patient<'_>) -> Option<Warning> {
    let timer = giveup(patient.inputs);
    let source = timer.decided_by()?;
    let Value::Count(count) = timer.value else { return None };
    let attempts = i64::try_from(attempts_per_call(patient.inputs)).unwrap_or(3);
    if attempts < 2 {
        return None;
    }
    let calls = u64::try_from(count).unwrap_or(1).div_ceil(u64::try_from(attempts).unwrap_or(1));
    let warning = Warning::new(
        "breaker-counts-attempts",
        Severity::Warning,
        format!(
            "The breaker opens after {count} stale attempts: {}",
            if calls == 1 {
                "one call can be enough".to_owned()
            } else {
                format!("{calls} calls are enough")
            }
        ),
        format!(
            "Each attempt counts, and one call makes up to {attempts}. A stop by the user after 30 s without an answer counts as well. For {count} stale calls the number has to be {}.",
            count.saturating_mul(attempts)
        ),
        executed(),
    );
    Some(
        patient
            .point(warning, source.place)
            .write_env(format!("HERMES_STREAM_STALE_GIVEUP={}", count.saturating_mul(attempts))),
    )
}

/// How long a provider that accepts and says nothing keeps a turn silent.
fn silent(patient: &Patient<'_>) -> Option<Warning> {
    let (seconds, calls) = silence(patient.inputs)?;
    if seconds < 600.0 || !patient.switches.model.on {
        return None;
    }
    let attempts = attempts_per_call(patient.inputs);
    let end = match giveup(patient.inputs).value {
        Value::Count(count) if calls.saturating_mul(attempts) >= u64::try_from(count).unwrap_or(0) => {
            "then the breaker ends the turn"
        }
        _ => "then the turn fails or waits to begin again",
    };
    let warning = Warning::new(
        "long-silence",
        Severity::Hint,
        format!(
            "A provider that accepts and says nothing keeps a turn silent for at least {} minutes",
            (seconds / 60.0).floor()
        ),
        format!(
            "{calls} {} of {attempts} attempts, each as long as the stale timeout, plus the pauses: {} s at least, {end}. In a chat nothing is said meanwhile but the gateway's sign of life; the command line and the TUI show what is waited for after 60 s.",
            if calls == 1 { "call" } else { "calls" },
            plain(seconds)
        ),
        executed(),
    );
    Some(match (calls, attempts) {
        (2.., _) => warning.insert(patient.insertion(&["agent", "api_max_retries"], "1")),
        (_, 2..) => warning.write_env("HERMES_STREAM_RETRIES=0".to_owned()),
        _ => warning,
    })
}

/// The defaults keep a failing provider silent for about five minutes.
fn errors_are_silent(patient: &Patient<'_>) -> Option<Warning> {
    let untouched = |setting: &Setting| matches!(setting, Setting::Unset);
    let config = &patient.inputs.config;
    let defaults = untouched(&config.api_max_retries) && untouched(&config.recovery_cycles);
    let active = api_max_retries(patient.inputs).value == Value::Count(3)
        && recovery_cycles(patient.inputs).value == Value::Count(5);
    (defaults && active).then(|| {
        Warning::new(
            "default-retries-silent",
            Severity::Hint,
            "A provider that fails is retried for about five minutes before anybody hears of it",
            "Three calls, then up to five waits of 15 to 60 s: `--format stream-json` printed nothing for 298 s with a provider that answers every call with 500. One cycle less is a minute less.",
            observed(),
        )
        .insert(patient.insertion(&["agent", "auto_recovery_cycles"], "1"))
    })
}

/// Below zero there is no first attempt either.
fn no_attempt(patient: &Patient<'_>) -> Option<Warning> {
    let timer = patient.timer(TimerId::StreamRetries)?;
    let source = timer.decided_by().filter(|_| timer.value.as_count().is_some_and(|count| count < 0))?;
    let warning = Warning::new(
        "no-attempt",
        Severity::Error,
        "Retries below zero leave no attempt at all",
        "The first attempt is one of the count plus one: below zero the stream is never opened. Zero means: once, without a retry.",
        super::read(),
    );
    Some(patient.point(warning, source.place).write_env("HERMES_STREAM_RETRIES=0".to_owned()))
}

/// Without the breaker a dead provider is asked for ever.
fn breaker_off(patient: &Patient<'_>) -> Option<Warning> {
    let timer = giveup(patient.inputs);
    let source = timer.decided_by()?;
    timer.chain.iter().any(|step| step.rule == Rule::Off).then(|| {
        let warning = Warning::new(
            "breaker-off",
            Severity::Hint,
            "The breaker is off",
            "A provider that never answers is then asked again in every turn, each time for as long as all attempts take.",
            executed(),
        );
        patient.rewrite(warning, source, "5")
    })
}
