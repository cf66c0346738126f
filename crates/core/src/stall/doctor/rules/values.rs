//! Values of the wrong type or the wrong unit.

use super::super::scalar::{Scalar, Typed};
use super::super::warning::{Severity, Warning};
use super::super::yaml::Entry;
use super::super::{Patient, secret};
use super::{executed, instead, plain};
use crate::stall::timers::Setting;

pub(super) fn rules(patient: &Patient<'_>) -> Vec<Warning> {
    let mut found = ignored(patient);
    found.extend(odd_numbers(patient));
    found.extend(units(patient));
    found.extend(switches(patient));
    found
}

/// The keys of this module's rules: where a number of seconds, of times or of characters belongs.
const NUMBERS: &[&[&str]] = &[
    &["agent", "local_stream_stale_timeout"],
    &["agent", "stream_drain_timeout"],
    &["agent", "stream_max_lifetime"],
    &["agent", "run_budget_seconds"],
    &["agent", "api_max_retries"],
    &["agent", "auto_recovery_cycles"],
    &["agent", "gateway_timeout"],
    &["agent", "gateway_timeout_warning"],
    &["agent", "gateway_notify_interval"],
    &["agent", "turn_liveness", "timeout_s"],
    &["streaming", "edit_interval"],
    &["streaming", "buffer_threshold"],
];

fn numbers<'a>(patient: &'a Patient<'_>) -> Vec<(&'a Entry, &'a Scalar)> {
    let route = &patient.inputs.route;
    let of_provider = ["stale_timeout_seconds", "request_timeout_seconds"]
        .map(|key| vec!["providers", route.provider.as_str(), key]);
    let of_model = ["stale_timeout_seconds", "timeout_seconds"]
        .map(|key| vec!["providers", route.provider.as_str(), "models", route.model.as_str(), key]);
    let paths = NUMBERS.iter().map(|path| path.to_vec()).chain(of_provider).chain(of_model);
    paths
        .filter_map(|path| patient.find(&path))
        .filter_map(|entry| Some((entry, entry.value.scalar()?)))
        .collect()
}

/// What Hermes does not use, and says nothing about.
fn ignored(patient: &Patient<'_>) -> Vec<Warning> {
    let config = &patient.inputs.config;
    let settings = [
        &config.model_stale,
        &config.provider_stale,
        &config.model_request,
        &config.provider_request,
        &config.local_ceiling,
        &config.drain,
        &config.api_max_retries,
        &config.recovery_cycles,
        &config.run_budget,
        &config.max_lifetime,
        &config.gateway_timeout,
        &config.gateway_warning,
        &config.gateway_notify,
        &config.turn_liveness,
    ];
    let ignored = settings.into_iter().filter_map(|setting| match setting {
        Setting::Ignored(source, why) => Some((source, why)),
        _ => None,
    });
    ignored
        .map(|(source, why)| {
            let warning = Warning::new(
                "value-ignored",
                Severity::Warning,
                format!("`{}` is ignored: {why}", source.name),
                "Hermes goes on with what would hold without this line, and says nothing.",
                executed(),
            );
            let entry =
                numbers(patient).into_iter().find(|(entry, _)| Some(super::place(entry)) == source.place);
            let write = entry.and_then(|(entry, scalar)| {
                Some(instead(entry, &entry.key, &plain(whole(&entry.key, leading_number(&scalar.text)?))))
            });
            let warning = patient.point(warning, source.place);
            match write {
                Some(lines) => warning.replace(lines),
                None => warning,
            }
        })
        .collect()
}

/// A count has no decimals.
fn whole(key: &str, number: f64) -> f64 {
    if matches!(key, "api_max_retries" | "auto_recovery_cycles" | "buffer_threshold") {
        number.trunc()
    } else {
        number
    }
}

/// The number that a text with a unit begins with, in seconds: `2m` is 120, `800ms` is 0.8.
pub(super) fn leading_number(text: &str) -> Option<f64> {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let number: f64 = text.get(..end)?.parse().ok()?;
    let factor = match text.get(end..)?.trim() {
        "" | "s" | "sec" | "seconds" => 1.0,
        "ms" => 0.001,
        "m" | "min" | "minutes" => 60.0,
        "h" | "hours" => 3600.0,
        _ => return None,
    };
    Some(number * factor)
}

/// `010` is eight and `1:30` is ninety: YAML 1.1.
fn odd_numbers(patient: &Patient<'_>) -> Vec<Warning> {
    let odd = numbers(patient).into_iter().filter(|(_, scalar)| {
        let digits = scalar.text.trim_start_matches(['-', '+']);
        let octal = digits.len() > 1 && digits.starts_with('0') && digits.chars().all(|c| c.is_ascii_digit());
        scalar.value.number().is_some()
            && (octal || digits.contains(':') || digits.starts_with("0x") || digits.starts_with("0b"))
    });
    odd.map(|(entry, scalar)| {
        let number = scalar.value.number().map_or_else(String::new, plain);
        // Who writes 0600 means 600; who writes 5:00 means five minutes.
        let meant = scalar.text.trim_start_matches('0');
        let meant = if meant.chars().all(|c| c.is_ascii_digit()) && !meant.is_empty() { meant } else { &number };
        let warning = Warning::new(
            "odd-number",
            Severity::Warning,
            format!("`{}` means {number} here", scalar.text),
            "Hermes reads YAML 1.1: a leading zero makes a number octal, and a colon makes it one to the base of sixty.",
            executed(),
        );
        patient.at(warning, entry).replace(instead(entry, &entry.key, meant))
    })
    .collect()
}

/// Milliseconds where seconds belong, and the other way round.
fn units(patient: &Patient<'_>) -> Vec<Warning> {
    let mut found = Vec::new();
    for (entry, scalar) in numbers(patient) {
        let Some(number) = scalar.value.number().filter(|number| number.is_finite()) else { continue };
        // Where a value is hardly meant: (from, factor that would make it likely).
        let likely = match entry.key.as_str() {
            "edit_interval" if number > 30.0 => Some(number / 1000.0),
            "buffer_threshold" if number > 0.0 && number < 1.0 => Some(24.0),
            "stream_drain_timeout" if number > 120.0 => Some(number / 1000.0),
            "local_stream_stale_timeout"
            | "stale_timeout_seconds"
            | "request_timeout_seconds"
            | "timeout_seconds"
            | "gateway_timeout"
            | "gateway_timeout_warning"
            | "gateway_notify_interval"
            | "run_budget_seconds"
            | "timeout_s"
            | "stream_max_lifetime"
                if number >= 30_000.0 && number % 1000.0 == 0.0 =>
            {
                Some(number / 1000.0)
            }
            _ => None,
        };
        if let Some(likely) = likely {
            let warning = Warning::new(
                "wrong-unit",
                Severity::Warning,
                format!(
                    "`{}: {}` is in seconds, and {} of them are hardly meant",
                    entry.key,
                    scalar.text,
                    plain(number)
                ),
                if entry.key == "buffer_threshold" {
                    "This key counts characters, not seconds."
                } else {
                    "Hermes' timers are in seconds; this looks like milliseconds."
                },
                executed(),
            );
            found.push(patient.at(warning, entry).replace(instead(entry, &entry.key, &plain(likely))));
        }
    }
    found
}

/// The switches whose text Hermes takes for something else than it says.
fn switches(patient: &Patient<'_>) -> Vec<Warning> {
    let mut found = Vec::new();
    let mut say = |entry: &Entry, title: String, why: &str, value: &str| {
        let warning = Warning::new("odd-switch", Severity::Warning, title, why, executed());
        found.push(patient.at(warning, entry).replace(instead(entry, &entry.key, value)));
    };
    let text = |path: &[&str]| {
        let entry = patient.find(path)?;
        let scalar = entry.value.scalar().filter(|scalar| scalar.value == Typed::Text)?;
        Some((entry, scalar.text.trim().to_lowercase()))
    };
    if let Some((entry, value)) = text(&["display", "streaming"])
        && matches!(value.as_str(), "false" | "off" | "no" | "0")
    {
        say(
            entry,
            format!("\"{value}\" in quotes is text, and the command line takes any text for on"),
            "Without its quotes it is the switch that was meant.",
            "false",
        );
    }
    if let Some((entry, value)) = text(&["streaming", "enabled"])
        && !["true", "1", "yes", "on", "false", "0", "no", "off"].contains(&value.as_str())
    {
        say(
            entry,
            format!("`{}` is no switch, so streaming stays off", shown(&value)),
            "Only yes, no and their like count; anything else is the default, which is off.",
            "true",
        );
    }
    if let Some((entry, value)) = text(&["model", "streaming"])
        && !["true", "1", "yes", "on", "false", "0", "no", "off"].contains(&value.as_str())
    {
        say(
            entry,
            format!("`{}` is no switch, so Hermes streams", shown(&value)),
            "Hermes logs a warning and goes on with its default.",
            "true",
        );
    }
    found
}

/// A value as a title may show it.
fn shown(value: &str) -> String {
    secret::quotable(&format!("x: {value}"))
        .map_or_else(|| "…".to_owned(), |_| value.chars().take(24).collect())
}
