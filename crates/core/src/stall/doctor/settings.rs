//! From the tree to the timers' inputs, each value coerced as that part of Hermes coerces it.
//!
//! Every key has its own idea of what a number is: one takes `true` for one second, the next ignores it. Executed, not guessed.

use super::scalar::Typed;
use super::yaml::{Entry, Node};
use crate::stall::timers::{Config, File, Place, Setting, Source, python_float, python_int};

/// The place of an entry's key.
pub(super) fn place(entry: &Entry) -> Place {
    Place { file: File::Config, line: entry.at.line, column: entry.at.column }
}

/// How a part of Hermes reads a number.
#[derive(Clone, Copy)]
enum Reader {
    /// `float(value)`, and only what is above zero: the providers' keys.
    Positive,
    /// A YAML number or switch, as it is: `agent.local_stream_stale_timeout`.
    Number,
    /// A YAML number, no switch: `agent.stream_drain_timeout`, `agent.stream_max_lifetime`.
    StrictNumber,
    /// `int(value)`: the counts.
    Count,
    /// `float(value)` without switches, above zero: `agent.run_budget_seconds`.
    Budget,
    /// `float(value)`: what the gateway takes.
    Float,
}

/// Everything the timers ask the configuration.
pub(super) fn timers(root: Option<&Node>, provider: &str, model: &str) -> Config {
    let Some(root) = root else { return Config::default() };
    let agent = |key: &str, reader| read(root, &["agent", key], reader);
    let provider_key = |key: &str| read(root, &["providers", provider, key], Reader::Positive);
    let model_key = |key: &str| read(root, &["providers", provider, "models", model, key], Reader::Positive);
    Config {
        model_stale: model_key("stale_timeout_seconds"),
        provider_stale: provider_key("stale_timeout_seconds"),
        model_request: model_key("timeout_seconds"),
        provider_request: provider_key("request_timeout_seconds"),
        local_ceiling: agent("local_stream_stale_timeout", Reader::Number),
        drain: agent("stream_drain_timeout", Reader::StrictNumber),
        api_max_retries: agent("api_max_retries", Reader::Count),
        recovery_cycles: agent("auto_recovery_cycles", Reader::Count),
        run_budget: agent("run_budget_seconds", Reader::Budget),
        max_lifetime: agent("stream_max_lifetime", Reader::StrictNumber),
        gateway_timeout: agent("gateway_timeout", Reader::Float),
        gateway_warning: agent("gateway_timeout_warning", Reader::Float),
        gateway_notify: agent("gateway_notify_interval", Reader::Float),
        turn_liveness: read(root, &["agent", "turn_liveness", "timeout_s"], Reader::Float),
    }
}

fn read(root: &Node, path: &[&str], reader: Reader) -> Setting {
    let Some(entry) = root.at_path(path) else { return Setting::Unset };
    let source = Source { name: path.join("."), place: Some(place(entry)) };
    let Some(scalar) = entry.value.scalar() else {
        return Setting::Ignored(source, "it is not a number".to_owned());
    };
    if scalar.value == Typed::Null {
        return Setting::Unset;
    }
    match number(scalar.value, &scalar.text, reader) {
        Ok(number) => Setting::Given(number, source),
        Err(why) => Setting::Ignored(source, why.to_owned()),
    }
}

fn number(value: Typed, text: &str, reader: Reader) -> Result<f64, &'static str> {
    const TEXT: &str = "it is text, not a number";
    let as_number = |switch: Result<f64, &'static str>, text_value: Option<f64>| match value {
        Typed::Bool(_) => switch,
        Typed::Text => text_value.ok_or(TEXT),
        Typed::Null => Err("it is empty"),
        Typed::Int(_) | Typed::Float(_) => value.number().ok_or(TEXT),
    };
    let one = Ok(if value == Typed::Bool(true) { 1.0 } else { 0.0 });
    let above_zero =
        |number: f64| if number > 0.0 { Ok(number) } else { Err("only a number above zero counts") };
    match reader {
        Reader::Positive => above_zero(as_number(one, python_float(text))?),
        Reader::Budget => above_zero(as_number(Err("a switch is not a number"), python_float(text))?),
        Reader::Number => as_number(one, None),
        Reader::StrictNumber => as_number(Err("a switch is not a number"), None),
        Reader::Float => as_number(Err("a switch is not a number"), python_float(text)),
        Reader::Count => {
            let number = as_number(one, python_int(text).map(|number| number as f64))?;
            if number.is_finite() { Ok(number.trunc()) } else { Err("it is not a whole number") }
        }
    }
}
