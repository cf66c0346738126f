//! [`Call`]: one call that Hermes made on its platform adapter, typed. Owns the line format of recordings and of the
//! live plugin: one JSON object a line, `{t_ms, call, …arguments, returns}`. What a call *means* is the machine's matter.
//!
//! `call` is the method's name (`send`, `edit_message`, …), `inbound` for what the user sent to Hermes, or `hook:NAME`
//! for a plugin hook with its `kwargs`. A name that this code does not know is [`Call::Unknown`], a value; a line that is
//! no call at all is a [`LineError`] that names the line.

use iris_core::jsonl::{self, LineError, Problem};
use serde_json::{Map, Value};

use super::fields::Fields;
use super::hooks::Hook;

/// A call and when it was made.
#[derive(Clone, Debug, PartialEq)]
pub struct TimedCall {
    /// Milliseconds on the clock of whoever recorded or forwards; only differences mean anything.
    pub t_ms: u64,
    /// Hermes' name of the chat, where the call has one.
    pub chat: Option<String>,
    /// The call.
    pub call: Call,
}

/// One call on the platform adapter.
#[derive(Clone, Debug, PartialEq)]
pub enum Call {
    /// The user said something, and it was handed to Hermes.
    Inbound(Inbound),
    /// `on_processing_start`: Hermes takes a message up.
    ProcessingStart {
        /// The message it takes up.
        text: String,
    },
    /// `on_processing_complete`: it is done with it.
    ProcessingComplete {
        /// How it went. `Success` says only that something was delivered, an error text included.
        outcome: Outcome,
    },
    /// `send_typing`, every two seconds while it works.
    SendTyping,
    /// `stop_typing`, several times at the end.
    StopTyping,
    /// `send`: a new message in the chat.
    Send(Send),
    /// `edit_message`: a message in the chat gets another text.
    Edit(Edit),
    /// `delete_message`.
    Delete {
        /// Hermes' id of the message.
        message_id: String,
    },
    /// `send_image_file`, `send_document`, …: a file goes out.
    Attachment(Attachment),
    /// A plugin hook.
    Hook(Hook),
    /// A call that this version does not know: tolerated and counted.
    Unknown {
        /// Its name.
        name: String,
        /// Everything else on its line.
        fields: Map<String, Value>,
    },
}

/// What the user said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inbound {
    /// Hermes' id of it: `reply_to` of the answers points at it.
    pub message_id: String,
    /// The app's id of it, where the adapter forwards one.
    pub client_id: Option<String>,
    /// What was said.
    pub text: String,
}

/// The arguments of a `send`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Send {
    /// The text.
    pub content: String,
    /// The message of the user that it answers.
    pub reply_to: Option<String>,
    /// What Hermes says about it.
    pub metadata: Metadata,
    /// The id that the adapter gave it: later edits name it.
    pub returns: Option<String>,
}

/// The marks of a `send`'s `metadata` that tell the kinds of messages apart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Metadata {
    /// There was no metadata at all: tool lines, status lines and footers have none.
    pub absent: bool,
    /// `reply_to_message_id`: set by the stream consumer and on interim remarks.
    pub reply_to_message_id: Option<String>,
    /// `expect_edits`: the first piece of a text that is still being written.
    pub expect_edits: bool,
    /// `notify`: a text that is complete.
    pub notify: bool,
    /// `_interim_send`: an interim remark, a heartbeat, a warning or an approval.
    pub interim: bool,
    /// `is_approval_prompt`.
    pub approval_prompt: bool,
}

/// The arguments of an `edit_message`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Edit {
    /// Hermes' id of the message.
    pub message_id: String,
    /// All of the new text.
    pub content: String,
    /// The last edit of a text; never has a cursor.
    pub finalize: bool,
}

/// A file that goes out beside the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attachment {
    /// The call without `send_`: `image_file`, `document`, `voice`, …
    pub kind: String,
    /// Path or address of the file, as Hermes has it.
    pub location: String,
    /// A caption.
    pub caption: Option<String>,
}

/// The outcome of `on_processing_complete`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Something was delivered.
    Success,
    /// Hermes failed.
    Failure,
    /// The user stopped it.
    Cancelled,
}

/// Reads a whole recording; blank lines are nothing.
///
/// # Errors
/// The first line that is no call.
pub fn parse(recording: &str) -> Result<Vec<TimedCall>, LineError> {
    jsonl::lines(recording).map(|(number, line)| parse_line(number, line)).collect()
}

/// Reads one line; `number` is only for the error.
///
/// # Errors
/// When the line is no call.
pub fn parse_line(number: usize, line: &str) -> Result<TimedCall, LineError> {
    jsonl::read_line(number, line, read)
}

/// Reads a call that is an object already.
///
/// # Errors
/// When it is no call.
pub(super) fn read(object: &Map<String, Value>) -> Result<TimedCall, Problem> {
    let fields = Fields(object);
    let name = fields.text("call").ok_or_else(|| Problem::missing("?", "call"))?;
    let t_ms = fields.count("t_ms").ok_or_else(|| Problem::missing(name, "t_ms"))?;
    Ok(TimedCall { t_ms, chat: fields.non_empty("chat_id"), call: call(name, fields)? })
}

fn call(name: &str, fields: Fields<'_>) -> Result<Call, Problem> {
    let required = |field| fields.text(field).map(str::to_owned).ok_or_else(|| Problem::missing(name, field));
    Ok(match name {
        "inbound" => Call::Inbound(Inbound {
            message_id: required("message_id")?,
            client_id: fields.non_empty("client_id"),
            text: required("text")?,
        }),
        "on_processing_start" => Call::ProcessingStart { text: fields.string("text") },
        "on_processing_complete" => Call::ProcessingComplete { outcome: outcome(&required("outcome")?) },
        "send_typing" => Call::SendTyping,
        "stop_typing" => Call::StopTyping,
        "send" => Call::Send(Send {
            content: required("content")?,
            reply_to: fields.non_empty("reply_to"),
            metadata: metadata(fields.object("metadata")),
            returns: fields.non_empty("returns"),
        }),
        "edit_message" => Call::Edit(Edit {
            message_id: required("message_id")?,
            content: required("content")?,
            finalize: fields.is_true("finalize"),
        }),
        "delete_message" => Call::Delete { message_id: required("message_id")? },
        _ => other(name, fields),
    })
}

fn other(name: &str, fields: Fields<'_>) -> Call {
    if let Some(hook) = name.strip_prefix("hook:") {
        return Call::Hook(Hook::read(hook, &fields.map("kwargs")));
    }
    attachment(name, fields)
        .unwrap_or_else(|| Call::Unknown { name: name.to_owned(), fields: fields.0.clone() })
}

/// `send_image_file(image_path)`, `send_document(file_path)`, `send_image(image_url)`, `send_voice(audio_path)`, …
fn attachment(name: &str, fields: Fields<'_>) -> Option<Call> {
    let kind = name.strip_prefix("send_")?;
    let location = fields.0.iter().find_map(|(field, value)| {
        (field.ends_with("_path") || field.ends_with("_url")).then(|| value.as_str()).flatten()
    })?;
    Some(Call::Attachment(Attachment {
        kind: kind.to_owned(),
        location: location.to_owned(),
        caption: fields.non_empty("caption"),
    }))
}

fn metadata(fields: Option<Fields<'_>>) -> Metadata {
    let Some(fields) = fields else { return Metadata { absent: true, ..Metadata::default() } };
    Metadata {
        absent: false,
        reply_to_message_id: fields.non_empty("reply_to_message_id"),
        expect_edits: fields.is_true("expect_edits"),
        notify: fields.is_true("notify"),
        interim: fields.is_true("_interim_send"),
        approval_prompt: fields.is_true("is_approval_prompt"),
    }
}

/// An outcome that a later Hermes invents is no success that we know of.
fn outcome(word: &str) -> Outcome {
    match word {
        "success" => Outcome::Success,
        "cancelled" => Outcome::Cancelled,
        _ => Outcome::Failure,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fails(line: &str, expected: &str) {
        assert_eq!(parse_line(3, line).unwrap_err().to_string(), expected, "{line}");
    }

    #[test]
    fn a_line_that_is_no_call_is_named() {
        fails("[]", "line 3: not a JSON object");
        fails(r#"{"t_ms": 1}"#, "line 3: `?` without a usable `call`");
        fails(r#"{"call": "send", "content": "a"}"#, "line 3: `send` without a usable `t_ms`");
        fails(r#"{"t_ms": -1, "call": "send"}"#, "line 3: `send` without a usable `t_ms`");
        fails(r#"{"t_ms": 1, "call": "send", "content": 7}"#, "line 3: `send` without a usable `content`");
        fails(
            r#"{"t_ms": 1, "call": "edit_message", "content": "a"}"#,
            "line 3: `edit_message` without a usable `message_id`",
        );
        assert!(parse_line(3, "{").unwrap_err().to_string().starts_with("line 3: not JSON"));
        let long =
            format!(r#"{{"t_ms": 1, "call": "send", "content": "{}"}}"#, "a".repeat(jsonl::MAX_LINE_BYTES));
        assert!(matches!(parse_line(3, &long).unwrap_err().problem, Problem::TooLong(_)));
    }

    #[test]
    fn the_number_of_a_bad_line_counts_blank_ones() {
        let error = parse("{\"t_ms\": 1, \"call\": \"stop_typing\"}\n\nnonsense\n").unwrap_err();
        assert_eq!(error.line, 3);
    }

    #[test]
    fn an_unknown_call_keeps_its_fields() {
        let timed =
            parse_line(1, r#"{"t_ms": 5, "call": "send_poll", "chat_id": "c", "question": "?"}"#).unwrap();
        assert_eq!((timed.t_ms, timed.chat.as_deref()), (5, Some("c")));
        let Call::Unknown { name, fields } = timed.call else { panic!("{timed:?}") };
        assert_eq!((name.as_str(), fields.get("question").and_then(Value::as_str)), ("send_poll", Some("?")));
    }

    #[test]
    fn fields_of_the_wrong_type_are_absent() {
        let line =
            r#"{"t_ms": 1, "call": "send", "content": "a", "metadata": "x", "reply_to": 3, "returns": null}"#;
        let Call::Send(send) = parse_line(1, line).unwrap().call else { panic!() };
        assert_eq!((send.metadata.absent, send.reply_to, send.returns), (true, None, None));
    }

    #[test]
    fn an_unknown_outcome_is_no_success() {
        let line = r#"{"t_ms": 1, "call": "on_processing_complete", "outcome": "partial"}"#;
        assert_eq!(parse_line(1, line).unwrap().call, Call::ProcessingComplete { outcome: Outcome::Failure });
    }
}
