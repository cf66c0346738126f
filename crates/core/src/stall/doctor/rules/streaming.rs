//! The three switches, the rhythm of edits, the platforms, and what becomes of the reasoning.

use super::super::platforms::Edits;
use super::super::scalar::Typed;
use super::super::warning::{Severity, Warning};
use super::super::{Patient, PlatformStreaming, settings};
use super::{executed, instead, observed};

pub(super) fn rules(patient: &Patient<'_>) -> Vec<Warning> {
    let mut found: Vec<Warning> = [
        wrong_switch(patient),
        transport_does_not_switch(patient),
        transport_off(patient),
        threshold(patient),
        model_off(patient),
    ]
    .into_iter()
    .flatten()
    .collect();
    for platform in &patient.switches.platforms {
        found.extend(narrowed(patient, platform));
        found.extend(cannot_widen(patient, platform));
        found.extend(cannot_edit(patient, platform));
        found.extend(swallowed(patient, platform));
    }
    found
}

/// `display.streaming` on, the gateway's off: what many expect of the first is done by the second.
fn wrong_switch(patient: &Patient<'_>) -> Option<Warning> {
    let switches = patient.switches;
    let place = switches.command_line.place.filter(|_| switches.command_line.on)?;
    if switches.gateway.on || switches.gateway.place.is_some() || switches.platforms.is_empty() {
        return None;
    }
    let warning = Warning::new(
        "display-streaming-is-cli",
        Severity::Warning,
        "`display.streaming` is for the command line only; in chats streaming is off",
        "Three switches have the name: `display.streaming` (the command line), `streaming.enabled` (the gateway's chats) and `model.streaming` (the call to the model).",
        executed(),
    );
    Some(patient.point(warning, Some(place)).insert(patient.insertion(&["streaming", "enabled"], "true")))
}

fn transport_does_not_switch(patient: &Patient<'_>) -> Option<Warning> {
    let entry = patient.find(&["streaming", "transport"])?;
    let silent =
        patient.find(&["streaming", "enabled"]).is_none() && patient.find(&["streaming", "mode"]).is_none();
    (silent && patient.switches.cadence.transport != "off").then(|| {
        let warning = Warning::new(
            "transport-does-not-enable",
            Severity::Warning,
            "`streaming.transport` alone switches nothing on",
            "The switch is `streaming.enabled`. (`streaming.mode` names a transport as well and does switch on.)",
            executed(),
        );
        let mut lines = instead(entry, "enabled", "true");
        lines.extend(instead(entry, "transport", &patient.switches.cadence.transport));
        patient.at(warning, entry).replace(lines)
    })
}

fn transport_off(patient: &Patient<'_>) -> Option<Warning> {
    let entry = patient.find(&["streaming", "transport"]).or_else(|| patient.find(&["streaming", "mode"]))?;
    let wanted = patient.find(&["streaming", "enabled"])?.value.scalar()?;
    (patient.switches.cadence.transport == "off" && super::super::switches::display_bool(wanted)).then(|| {
        let warning = Warning::new(
            "transport-off",
            Severity::Warning,
            format!("`streaming.{}` is off, which wins over `enabled`", entry.key),
            "A transport that is off switches streaming off altogether.",
            executed(),
        );
        patient.at(warning, entry).replace(instead(entry, &entry.key, "auto"))
    })
}

/// The threshold counts the whole reply, so that after a few words every tick edits.
fn threshold(patient: &Patient<'_>) -> Option<Warning> {
    let cadence = &patient.switches.cadence;
    if !patient.switches.gateway.on || cadence.buffer_threshold >= 2000 {
        return None;
    }
    let own = patient.find(&["streaming", "buffer_threshold"]);
    let entry = own.or_else(|| patient.find(&["streaming", "edit_interval"]))?;
    let warning = Warning::new(
        "threshold-beats-interval",
        Severity::Warning,
        format!(
            "After {} characters a reply is edited every 50 ms, not every {} s",
            cadence.buffer_threshold, cadence.edit_interval
        ),
        "`buffer_threshold` counts the whole reply so far, not what is unsent: once it is passed, every tick of 50 ms edits, about 20 times a second. The interval holds only if the threshold is longer than the replies.",
        observed(),
    );
    let warning = patient.at(warning, entry);
    Some(match own {
        Some(entry) => warning.replace(instead(entry, "buffer_threshold", "100000")),
        None => warning.insert(patient.insertion(&["streaming", "buffer_threshold"], "100000")),
    })
}

fn model_off(patient: &Patient<'_>) -> Option<Warning> {
    let switches = patient.switches;
    let place = switches.model.place.filter(|_| {
        !switches.model.on
            && (switches.gateway.on || switches.command_line.place.is_some_and(|_| switches.command_line.on))
    })?;
    let warning = Warning::new(
        "model-streaming-off",
        Severity::Warning,
        "`model.streaming` is off, so there is nothing to stream in a chat or on the command line",
        "It keeps Hermes from asking the model for a stream at all; the other switches then have no effect, and the stale timeout without streaming holds.",
        executed(),
    );
    let entry = patient.find(&["model", "streaming"])?;
    Some(patient.point(warning, Some(place)).replace(instead(entry, "streaming", "true")))
}

/// A platform's own switch keeps streaming off.
fn narrowed(patient: &Patient<'_>, platform: &PlatformStreaming) -> Option<Warning> {
    let place = platform.place.filter(|_| {
        platform.own == Some(false) && patient.switches.gateway.on && platform.edits != Edits::No
    })?;
    let entry = patient.find(&["display", "platforms", &platform.name, "streaming"])?;
    let text = entry
        .value
        .scalar()
        .filter(|scalar| scalar.value == Typed::Text)
        .map(|scalar| scalar.text.trim().to_lowercase());
    let word = text.filter(|text| !["false", "off", "no", "0"].contains(&text.as_str()));
    let (severity, reason) = match word {
        Some(_) => (Severity::Warning, "what is written there is no switch, and counts as off"),
        None => (Severity::Hint, "its own switch is off"),
    };
    let warning = Warning::new(
        "platform-streaming-off",
        severity,
        format!("On {} replies do not grow: {reason}", platform.name),
        "`streaming.enabled` is on, and a platform's own switch can narrow it.",
        executed(),
    );
    Some(patient.point(warning, Some(place)).replace(instead(entry, "streaming", "true")))
}

/// A platform's own switch cannot do what the gateway's forbids.
fn cannot_widen(patient: &Patient<'_>, platform: &PlatformStreaming) -> Option<Warning> {
    let place = platform.place.filter(|_| platform.own == Some(true) && !patient.switches.gateway.on)?;
    let warning = Warning::new(
        "platform-cannot-widen",
        Severity::Warning,
        format!("`display.platforms.{}.streaming` is on, but the gateway's switch is off", platform.name),
        "A platform can only narrow `streaming.enabled`, which is off by default.",
        executed(),
    );
    Some(patient.point(warning, Some(place)).insert(patient.insertion(&["streaming", "enabled"], "true")))
}

fn cannot_edit(patient: &Patient<'_>, platform: &PlatformStreaming) -> Option<Warning> {
    if platform.edits != Edits::No || platform.own != Some(true) {
        return None;
    }
    let entry = patient.find(&["display", "platforms", &platform.name, "streaming"])?;
    let warning = Warning::new(
        "platform-cannot-edit",
        Severity::Warning,
        format!("{} cannot edit a message, so nothing streams there", platform.name),
        "A reply grows by edits. Where a platform has none, Hermes sends the reply when it is complete.",
        super::read(),
    );
    Some(patient.at(warning, entry).replace(instead(entry, "streaming", "false")))
}

/// Where a reply streams, its reasoning is never sent.
fn swallowed(patient: &Patient<'_>, platform: &PlatformStreaming) -> Option<Warning> {
    if !platform.streams || !platform.show_reasoning {
        return None;
    }
    let own = patient.find(&["display", "platforms", &platform.name, "show_reasoning"]);
    let entry = own.or_else(|| patient.find(&["display", "show_reasoning"]))?;
    let hooks = platform.name == "iris";
    let deltas = patient.find(&["plugins", "stream_reasoning_deltas"]).and_then(|entry| entry.value.scalar());
    if hooks && deltas.is_some_and(super::super::switches::display_bool) {
        return None;
    }
    let why = if hooks {
        "Hermes puts reasoning before a reply that is sent whole, and a streamed reply is not. Iris can show it live, if the plugin's hook is given it."
    } else {
        "Hermes puts reasoning before a reply that is sent whole, and a streamed reply is not: show reasoning or stream, not both."
    };
    let warning = Warning::new(
        "streaming-swallows-reasoning",
        Severity::Warning,
        format!("On {} replies stream, so their reasoning is not shown", platform.name),
        why,
        observed(),
    );
    let warning = patient.point(warning, Some(settings::place(entry)));
    Some(if hooks {
        warning.insert(patient.insertion(&["plugins", "stream_reasoning_deltas"], "true"))
    } else {
        warning.insert(patient.insertion(&["display", "platforms", &platform.name, "streaming"], "false"))
    })
}
