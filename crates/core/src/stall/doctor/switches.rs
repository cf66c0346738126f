//! The three streaming switches, told apart, and what comes of them on each platform.
//!
//! `display.streaming` is the command line's, `streaming.enabled` the gateway's, `model.streaming` the call's to the model.

use super::platforms::{self, Edits};
use super::scalar::{Scalar, Typed};
use super::settings::place;
use super::yaml::{Entry, Node};
use crate::stall::timers::{Env, Place, python_float, python_int};
use serde::{Deserialize, Serialize};

/// A switch and who set it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Switch {
    /// Its key.
    pub key: String,
    /// Whether it is on.
    pub on: bool,
    /// What it switches, as a sentence without its full stop.
    pub what: String,
    /// Where it is written; absent for the default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
}

/// How often a growing reply is edited.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cadence {
    /// `auto`, `edit`, `draft` or `off`.
    pub transport: String,
    /// Seconds between two edits of a short text.
    pub edit_interval: f64,
    /// From so many characters on, every tick edits.
    pub buffer_threshold: i64,
    /// What that means, as a sentence without its full stop.
    pub effect: String,
}

/// What a platform does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlatformStreaming {
    /// Its name.
    pub name: String,
    /// Whether it can edit.
    pub edits: Edits,
    /// Its own switch, where one is written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub own: Option<bool>,
    /// Where.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
    /// Whether replies grow there.
    pub streams: bool,
    /// Why, as a sentence without its full stop.
    pub why: String,
    /// Whether reasoning is asked for there.
    pub show_reasoning: bool,
}

/// All of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Switches {
    /// `display.streaming`
    pub command_line: Switch,
    /// `streaming.enabled`
    pub gateway: Switch,
    /// `model.streaming`
    pub model: Switch,
    /// The gateway's rhythm.
    pub cadence: Cadence,
    /// The platforms that are mentioned.
    pub platforms: Vec<PlatformStreaming>,
}

/// Reads them.
pub(super) fn read(root: Option<&Node>, env: &Env) -> Switches {
    let find = |path: &[&str]| root.and_then(|root| root.at_path(path));
    let cadence = cadence(root);
    let gateway = gateway(root, &cadence);
    let platforms = names(root, env).into_iter().map(|name| platform(root, name, &gateway)).collect();
    Switches {
        command_line: command_line(find(&["display", "streaming"])),
        model: model(find(&["model", "streaming"])),
        gateway,
        cadence,
        platforms,
    }
}

/// A switch as Python's `bool` sees it.
fn truthy(scalar: &Scalar) -> bool {
    match scalar.value {
        Typed::Null => false,
        Typed::Bool(on) => on,
        Typed::Int(number) => number != 0,
        Typed::Float(number) => number != 0.0,
        Typed::Text => !scalar.text.is_empty(),
    }
}

/// A switch as the display's settings read it: text has to say yes.
pub(super) fn display_bool(scalar: &Scalar) -> bool {
    match scalar.value {
        Typed::Text => matches!(
            scalar.text.trim().to_lowercase().as_str(),
            "true" | "1" | "yes" | "on" | "raw" | "verbose"
        ),
        _ => truthy(scalar),
    }
}

fn set(entry: Option<&Entry>) -> Option<(&Scalar, Place)> {
    let entry = entry?;
    let scalar = entry.value.scalar().filter(|scalar| scalar.value != Typed::Null)?;
    Some((scalar, place(entry)))
}

fn switch(key: &str, what: &str, default: bool, found: Option<(bool, Place)>) -> Switch {
    Switch {
        key: key.to_owned(),
        on: found.map_or(default, |(on, _)| on),
        what: what.to_owned(),
        place: found.map(|(_, place)| place),
    }
}

fn command_line(entry: Option<&Entry>) -> Switch {
    let found = set(entry).map(|(scalar, place)| (truthy(scalar), place));
    switch(
        "display.streaming",
        "Whether the command line prints a reply while it comes; no chat platform reads it",
        true,
        found,
    )
}

fn model(entry: Option<&Entry>) -> Switch {
    let found = set(entry).map(|(scalar, place)| {
        let off = match scalar.value {
            Typed::Bool(on) => !on,
            _ => matches!(scalar.text.trim().to_lowercase().as_str(), "false" | "0" | "no" | "off"),
        };
        (!off, place)
    });
    switch("model.streaming", "Whether Hermes asks the model for a stream at all", true, found)
}

fn gateway(root: Option<&Node>, cadence: &Cadence) -> Switch {
    let find = |key: &str| set(root.and_then(|root| root.at_path(&["streaming", key])));
    let enabled = find("enabled").map(|(scalar, place)| {
        let on = match scalar.value {
            Typed::Text => matches!(scalar.text.trim().to_lowercase().as_str(), "true" | "1" | "yes" | "on"),
            _ => truthy(scalar),
        };
        (on, place)
    });
    // `mode` names a transport and also switches on; `transport` does not.
    let by_mode = find("mode").map(|(scalar, place)| (transport_token(scalar) != "off", place));
    let mut found = enabled.or(by_mode);
    if cadence.transport == "off" {
        found = find("transport").or_else(|| find("mode")).map(|(_, place)| (false, place));
    }
    switch(
        "streaming.enabled",
        "Whether replies grow in the chats of the gateway; a platform can only narrow it",
        false,
        found,
    )
}

fn transport_token(scalar: &Scalar) -> String {
    match scalar.value {
        Typed::Bool(true) | Typed::Null => "auto".to_owned(),
        Typed::Bool(false) => "off".to_owned(),
        _ => Some(scalar.text.trim().to_lowercase())
            .filter(|text| !text.is_empty())
            .unwrap_or_else(|| "auto".to_owned()),
    }
}

fn cadence(root: Option<&Node>) -> Cadence {
    let find =
        |key: &str| set(root.and_then(|root| root.at_path(&["streaming", key]))).map(|(scalar, _)| scalar);
    let transport =
        find("transport").or_else(|| find("mode")).map_or_else(|| "auto".to_owned(), transport_token);
    let edit_interval = find("edit_interval").and_then(number).unwrap_or(0.8);
    let buffer_threshold = find("buffer_threshold").and_then(|scalar| match scalar.value {
        Typed::Text => python_int(&scalar.text),
        _ => number(scalar).map(|number| number as i64),
    });
    let buffer_threshold = buffer_threshold.unwrap_or(24);
    let effect = format!(
        "Up to {buffer_threshold} characters a reply is edited every {edit_interval} s; from then on every 50 ms, because the threshold counts the whole reply and not what is unsent"
    );
    Cadence { transport, edit_interval, buffer_threshold, effect }
}

fn number(scalar: &Scalar) -> Option<f64> {
    match scalar.value {
        Typed::Bool(on) => Some(f64::from(u8::from(on))),
        Typed::Text => python_float(&scalar.text),
        _ => scalar.value.number(),
    }
    .filter(|number| number.is_finite())
}

/// The platforms that the configuration or the environment mentions, each once, in order.
fn names(root: Option<&Node>, env: &Env) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let mut add = |name: &str| {
        if !name.is_empty() && names.len() < 64 && !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
    };
    for path in [["platforms"].as_slice(), &["display", "platforms"]] {
        if let Some(entry) = root.and_then(|root| root.at_path(path)) {
            entry.value.entries().iter().for_each(|entry| add(&entry.key));
        }
    }
    for entry in root.map(Node::entries).unwrap_or_default() {
        if platforms::NAMES.contains(&entry.key.as_str()) {
            add(&entry.key);
        }
    }
    for (variable, platform) in [
        ("TELEGRAM_BOT_TOKEN", "telegram"),
        ("DISCORD_BOT_TOKEN", "discord"),
        ("SLACK_BOT_TOKEN", "slack"),
        ("API_SERVER_ENABLED", "api_server"),
    ] {
        if env.has(variable) {
            add(platform);
        }
    }
    names
}

fn platform(root: Option<&Node>, name: String, gateway: &Switch) -> PlatformStreaming {
    let find = |path: &[&str]| set(root.and_then(|root| root.at_path(path)));
    let defaults = platforms::defaults(&name);
    let own = find(&["display", "platforms", &name, "streaming"])
        .map(|(scalar, place)| (display_bool(scalar), place));
    let wanted = own.map(|(on, _)| on).or(defaults.streaming);
    let (streams, why) = match (gateway.on, wanted, defaults.edits) {
        (false, _, _) => (false, "`streaming.enabled` is off, and nothing else switches it on".to_owned()),
        (true, Some(false), _) if own.is_some() => (false, "its own switch is off".to_owned()),
        (true, Some(false), _) => (false, "it does not stream unless its own switch is on".to_owned()),
        (true, _, Edits::No) => {
            (false, "it cannot edit a message, so there is nothing to stream into".to_owned())
        }
        (true, _, Edits::Native) => (true, "it has a stream of its own".to_owned()),
        (true, _, Edits::Yes) => (true, "a message is sent and then edited".to_owned()),
        (true, _, Edits::Unknown) => (true, "it streams if its plugin can edit messages".to_owned()),
    };
    let show_reasoning = find(&["display", "platforms", &name, "show_reasoning"])
        .or_else(|| find(&["display", "show_reasoning"]));
    PlatformStreaming {
        edits: defaults.edits,
        own: own.map(|(on, _)| on),
        place: own.map(|(_, place)| place),
        streams,
        why,
        show_reasoning: show_reasoning.is_some_and(|(scalar, _)| display_bool(scalar)),
        name,
    }
}
