//! One line of `--format stream-json` as an [`Event`]. Owns the line format; what the events mean together is
//! `to_frames.rs`. A type that this version does not know is a value, unknown fields are ignored, and a line that is no
//! event at all is a [`LineError`] that names the line.

use serde_json::{Map, Value};

use super::clock::stamp_ms;
use crate::jsonl::{self, LineError, Problem};
use crate::protocol::frame::Tokens;

/// An event and when it was written.
#[derive(Clone, Debug, PartialEq)]
pub struct TimedEvent {
    /// Milliseconds since 1970.
    pub timestamp: Option<u64>,
    /// The event.
    pub event: Event,
}

/// What Hermes reports.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// `system`, subtype `init`: the turn begins.
    Init {
        /// The model.
        model: Option<String>,
        /// The session.
        session_id: Option<String>,
    },
    /// `text`: one delta of the provider, unmodified.
    Text {
        /// The delta.
        text: String,
    },
    /// `tool_use`: a tool begins.
    ToolUse {
        /// The tool.
        name: String,
        /// Joins it to its result; Hermes 0.22.2 never writes it.
        id: Option<String>,
        /// The arguments.
        input: Map<String, Value>,
    },
    /// `tool_result`: a tool ended.
    ToolResult {
        /// The tool.
        name: String,
        /// Joins it to its use.
        id: Option<String>,
        /// What it returned, cut after 5,000 characters.
        output: String,
        /// How long it took.
        duration_ms: Option<u64>,
        /// Whether it failed.
        is_error: Option<bool>,
    },
    /// `result`: the last line.
    Result(Outcome),
    /// A type or subtype that this version does not know.
    Unknown {
        /// Its `type`.
        kind: String,
    },
}

/// What the last line says of the turn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// The session.
    pub session_id: Option<String>,
    /// The exit status of the process.
    pub exit_code: i32,
    /// The last answer only, or the text of the error.
    pub text: String,
    /// Tokens of the turn.
    pub tokens: Tokens,
    /// How long it took.
    pub duration_ms: Option<u64>,
    /// Why it failed.
    pub error: Option<String>,
}

/// Reads the lines one after the other; blank ones are nothing. An error is that line's alone.
pub fn parse(text: &str) -> impl Iterator<Item = Result<TimedEvent, LineError>> {
    jsonl::lines(text).map(|(number, line)| parse_line(number, line))
}

/// Reads one line; `number` is only for the error.
///
/// # Errors
/// When the line is no event.
pub fn parse_line(number: usize, line: &str) -> Result<TimedEvent, LineError> {
    jsonl::read_line(number, line, read)
}

/// Reads an object.
///
/// # Errors
/// When it is no event.
pub fn read(object: &Map<String, Value>) -> Result<TimedEvent, Problem> {
    let timestamp = object.get("timestamp").and_then(stamp_ms);
    Ok(TimedEvent { timestamp, event: event(object)? })
}

fn event(object: &Map<String, Value>) -> Result<Event, Problem> {
    let kind = required(object, "?", "type")?;
    let id = text(object, "tool_call_id");
    Ok(match kind.as_str() {
        "system" if text(object, "subtype").as_deref() == Some("init") => {
            Event::Init { model: text(object, "model"), session_id: text(object, "session_id") }
        }
        "text" => Event::Text { text: required(object, &kind, "text")? },
        "tool_use" => {
            let input = object.get("input").and_then(Value::as_object).cloned().unwrap_or_default();
            Event::ToolUse { name: required(object, &kind, "name")?, id, input }
        }
        "tool_result" => Event::ToolResult {
            name: required(object, &kind, "name")?,
            id,
            output: text(object, "output").unwrap_or_default(),
            duration_ms: object.get("duration_ms").and_then(Value::as_u64),
            is_error: object.get("is_error").and_then(Value::as_bool),
        },
        "result" => Event::Result(outcome(object)?),
        _ => Event::Unknown { kind },
    })
}

fn outcome(object: &Map<String, Value>) -> Result<Outcome, Problem> {
    let exit_code = object.get("exit_code").and_then(Value::as_i64).and_then(|code| i32::try_from(code).ok());
    Ok(Outcome {
        session_id: text(object, "session_id"),
        exit_code: exit_code.ok_or_else(|| Problem::missing("result", "exit_code"))?,
        text: text(object, "text").unwrap_or_default(),
        tokens: object.get("tokens").and_then(Value::as_object).map(tokens).unwrap_or_default(),
        duration_ms: object.get("duration_ms").and_then(Value::as_u64),
        error: text(object, "error").filter(|error| !error.is_empty()),
    })
}

fn tokens(object: &Map<String, Value>) -> Tokens {
    let count = |name| object.get(name).and_then(Value::as_u64);
    Tokens {
        input: count("input"),
        output: count("output"),
        total: count("total"),
        cache_read: count("cache_read"),
        cache_write: count("cache_write"),
    }
}

fn text(object: &Map<String, Value>, field: &str) -> Option<String> {
    object.get(field).and_then(Value::as_str).map(str::to_owned)
}

fn required(object: &Map<String, Value>, kind: &str, field: &'static str) -> Result<String, Problem> {
    text(object, field).ok_or_else(|| Problem::missing(kind, field))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expected: &Event) {
        assert_eq!(&parse_line(1, line).unwrap().event, expected, "{line}");
    }

    fn fails(line: &str, expected: &str) {
        assert_eq!(parse_line(7, line).unwrap_err().to_string(), expected, "{line}");
    }

    #[test]
    fn every_type_is_read() {
        check(
            r#"{"type":"system","subtype":"init","model":"m","session_id":"s","timestamp":1}"#,
            &Event::Init { model: Some("m".into()), session_id: Some("s".into()) },
        );
        check(r#"{"type":"text","text":"\n\nhé","timestamp":1}"#, &Event::Text { text: "\n\nhé".into() });
        check(
            r#"{"type":"tool_result","name":"terminal","output":"x","duration_ms":5,"is_error":true}"#,
            &Event::ToolResult {
                name: "terminal".into(),
                id: None,
                output: "x".into(),
                duration_ms: Some(5),
                is_error: Some(true),
            },
        );
        let result =
            r#"{"type":"result","exit_code":130,"text":"","tokens":{"total":7},"error":"Interrupted"}"#;
        let tokens = Tokens { total: Some(7), ..Tokens::default() };
        let error = Some("Interrupted".to_owned());
        check(result, &Event::Result(Outcome { exit_code: 130, tokens, error, ..Outcome::default() }));
    }

    #[test]
    fn input_that_is_no_object_is_no_input() {
        let use_of = |input: &str| format!(r#"{{"type":"tool_use","name":"t","tool_call_id":"c"{input}}}"#);
        let bare = Event::ToolUse { name: "t".into(), id: Some("c".into()), input: Map::new() };
        check(&use_of(""), &bare);
        check(&use_of(r#","input":"{\"a\":1}""#), &bare);
    }

    #[test]
    fn what_is_unknown_is_a_value() {
        check(r#"{"type":"reasoning","text":"hm"}"#, &Event::Unknown { kind: "reasoning".into() });
        check(r#"{"type":"system","subtype":"later"}"#, &Event::Unknown { kind: "system".into() });
        check(r#"{"type":"text","text":"a","color":"red"}"#, &Event::Text { text: "a".into() });
    }

    #[test]
    fn a_line_that_is_no_event_is_named() {
        fails("[1]", "line 7: not a JSON object");
        fails(r#"{"text":"a"}"#, "line 7: `?` without a usable `type`");
        fails(r#"{"type":"text","text":3}"#, "line 7: `text` without a usable `text`");
        fails(r#"{"type":"result","text":"a"}"#, "line 7: `result` without a usable `exit_code`");
        assert!(parse_line(7, r#"{"type":"#).unwrap_err().to_string().starts_with("line 7: not JSON"));
    }

    #[test]
    fn a_huge_line_is_refused_before_it_is_parsed() {
        let line = format!(r#"{{"type":"text","text":"{}"}}"#, "a".repeat(jsonl::MAX_LINE_BYTES));
        assert!(matches!(parse_line(1, &line).unwrap_err().problem, Problem::TooLong(_)));
    }

    #[test]
    fn one_bad_line_does_not_spoil_the_others() {
        let lines: Vec<_> =
            parse("{\"type\":\"text\",\"text\":\"a\"}\n\nnonsense\n{\"type\":\"new\"}\n").collect();
        assert_eq!(lines.iter().map(Result::is_ok).collect::<Vec<_>>(), [true, false, true]);
        assert_eq!(lines[1].as_ref().unwrap_err().line, 3);
    }
}
