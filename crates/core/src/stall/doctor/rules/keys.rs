//! Keys that Hermes does not read: misspelt, or in the wrong place.

use super::super::known;
use super::super::warning::{Severity, Warning};
use super::super::yaml::{Entry, Node};
use super::super::{Patient, secret};
use super::{executed, plain, read};

/// The most that is said about keys.
const MOST: usize = 32;

pub(super) fn rules(patient: &Patient<'_>) -> Vec<Warning> {
    let Some(root) = patient.root else { return Vec::new() };
    let mut found = Vec::new();
    near(patient, root.entries(), "", known::ROOT, &mut found);
    for (section, known) in [
        ("agent", known::AGENT),
        ("streaming", known::STREAMING),
        ("display", known::DISPLAY),
        ("model", known::MODEL),
        ("plugins", known::PLUGINS),
    ] {
        near(patient, section_entries(root, section), section, known, &mut found);
    }
    for platform in
        root.at_path(&["display", "platforms"]).map(|entry| entry.value.entries()).unwrap_or_default()
    {
        let path = format!("display.platforms.{}", platform.key);
        near(patient, platform.value.entries(), &path, known::PLATFORM_DISPLAY, &mut found);
    }
    for provider in section_entries(root, "providers") {
        let path = format!("providers.{}", provider.key);
        near(patient, provider.value.entries(), &path, known::PROVIDER, &mut found);
        for model in provider.value.get("models").map(Node::entries).unwrap_or_default() {
            near(
                patient,
                model.value.entries(),
                &format!("{path}.models.{}", model.key),
                known::PROVIDER_MODEL,
                &mut found,
            );
        }
    }
    found.extend(misplaced(patient, root));
    found.extend(scalar_section(patient, root));
    found.truncate(MOST);
    found
}

fn section_entries<'a>(root: &'a Node, section: &str) -> &'a [Entry] {
    root.get(section).map(Node::entries).unwrap_or_default()
}

/// What is written after the key, as far as it may be repeated.
fn value_of(entry: &Entry) -> String {
    let scalar = entry.value.scalar().map(|scalar| scalar.text.as_str()).unwrap_or_default();
    let safe = !secret::is_secret(&entry.key) && secret::quotable(&format!("x: {scalar}")).is_some();
    if safe { scalar.to_owned() } else { "…".to_owned() }
}

fn near(
    patient: &Patient<'_>,
    entries: &[Entry],
    path: &str,
    known: &'static [&'static str],
    found: &mut Vec<Warning>,
) {
    // A long list of strangers is not looked through: each is compared with every known key.
    for entry in entries.iter().take(256) {
        let Some(nearest) = known::nearest(&entry.key, known) else { continue };
        if entries.iter().any(|other| other.key == nearest) {
            continue;
        }
        let full = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
        let warning = Warning::new(
            "unknown-key",
            Severity::Warning,
            format!(
                "Hermes reads no `{}`; the nearest that it reads is `{}`",
                full(&entry.key),
                full(nearest)
            ),
            "A key that Hermes does not know does nothing, and it says nothing about it.",
            read(),
        );
        let indent = " ".repeat(usize::try_from(entry.at.column.saturating_sub(1)).unwrap_or(0).min(64));
        let line = format!("{indent}{nearest}: {}", value_of(entry));
        found.push(patient.at(warning, entry).replace(vec![line.trim_end().to_owned()]));
    }
}

/// Where a key is looked for in vain, and where it belongs.
const MISPLACED: &[(&[&str], &[&str])] = &[
    (&["stream_max_lifetime"], &["agent", "stream_max_lifetime"]),
    (&["streaming", "stream_max_lifetime"], &["agent", "stream_max_lifetime"]),
    (&["model", "stream_max_lifetime"], &["agent", "stream_max_lifetime"]),
    (&["local_stream_stale_timeout"], &["agent", "local_stream_stale_timeout"]),
    (&["streaming", "local_stream_stale_timeout"], &["agent", "local_stream_stale_timeout"]),
    (&["api_max_retries"], &["agent", "api_max_retries"]),
    (&["model", "api_max_retries"], &["agent", "api_max_retries"]),
    (&["auto_recovery_cycles"], &["agent", "auto_recovery_cycles"]),
    (&["display", "edit_interval"], &["streaming", "edit_interval"]),
    (&["display", "buffer_threshold"], &["streaming", "buffer_threshold"]),
    (&["edit_interval"], &["streaming", "edit_interval"]),
    (&["buffer_threshold"], &["streaming", "buffer_threshold"]),
    (&["display", "stream_reasoning_deltas"], &["plugins", "stream_reasoning_deltas"]),
    (&["streaming", "stream_reasoning_deltas"], &["plugins", "stream_reasoning_deltas"]),
    (&["show_reasoning"], &["display", "show_reasoning"]),
    (&["streaming", "show_reasoning"], &["display", "show_reasoning"]),
    (&["agent", "gateway", "timeout"], &["agent", "gateway_timeout"]),
    (&["gateway", "gateway_timeout"], &["agent", "gateway_timeout"]),
];

/// A stale timeout that is looked for anywhere but under the provider.
const STALE_KEYS: &[&[&str]] = &[
    &["agent", "stale_timeout_seconds"],
    &["agent", "stream_stale_timeout"],
    &["model", "stale_timeout_seconds"],
    &["model", "request_timeout_seconds"],
    &["streaming", "stale_timeout_seconds"],
    &["stale_timeout_seconds"],
];

fn misplaced(patient: &Patient<'_>, root: &Node) -> Vec<Warning> {
    let listed = MISPLACED
        .iter()
        .map(|(wrong, right)| (*wrong, right.iter().map(|part| (*part).to_owned()).collect::<Vec<_>>()));
    let provider = patient.inputs.route.provider.as_str();
    let stale = STALE_KEYS.iter().map(|wrong| {
        let key = if wrong.contains(&"request_timeout_seconds") {
            "request_timeout_seconds"
        } else {
            "stale_timeout_seconds"
        };
        (*wrong, ["providers", provider, key].map(str::to_owned).to_vec())
    });
    listed
        .chain(stale)
        .filter_map(|(wrong, right)| {
            let entry = root.at_path(wrong)?;
            let warning = Warning::new(
                "misplaced-key",
                Severity::Warning,
                format!("`{}` is not read; the key is `{}`", wrong.join("."), right.join(".")),
                "At this place Hermes does not look for it, and it says nothing.",
                read(),
            );
            let value = entry
                .value
                .scalar()
                .and_then(|scalar| scalar.value.number())
                .map_or_else(|| value_of(entry), plain);
            let path: Vec<&str> = right.iter().map(String::as_str).collect();
            Some(patient.at(warning, entry).insert(patient.insertion(&path, &value)))
        })
        .collect()
}

/// `streaming: true` is a switch where a section belongs.
fn scalar_section(patient: &Patient<'_>, root: &Node) -> Option<Warning> {
    let entry = root.entry("streaming")?;
    let scalar = entry.value.scalar().filter(|scalar| !scalar.text.is_empty())?;
    let on = super::super::switches::display_bool(scalar);
    let warning = Warning::new(
        "streaming-is-a-section",
        Severity::Error,
        "`streaming` is a section, not a switch: this line does nothing",
        "The gateway's switch is `streaming.enabled`; a section that is no section counts as an empty one, and streaming stays off.",
        executed(),
    );
    Some(
        patient
            .at(warning, entry)
            .insert(patient.insertion(&["streaming", "enabled"], if on { "true" } else { "false" })),
    )
}
