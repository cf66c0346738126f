//! [`Hook`]: a plugin hook of Hermes with the arguments that the machine uses. Owns reading `kwargs`; a field that is
//! absent, or cut by whoever recorded it, is `None` or empty, never an error: hooks observe, they must not stop a turn.

use iris_core::protocol::frame::Tokens;
use serde_json::{Map, Value};

use super::fields::Fields;

/// One hook call.
#[derive(Clone, Debug, PartialEq)]
pub enum Hook {
    /// `on_stream_start`: a request to the model begins.
    StreamStart {
        /// The request's number within the turn, from 1.
        iteration: u64,
        /// The model.
        model: Option<String>,
        /// The provider, as Hermes calls it.
        provider: Option<String>,
    },
    /// `on_stream_delta`: the model wrote something.
    StreamDelta {
        /// The request's number.
        iteration: u64,
        /// Reasoning, not answer.
        reasoning: bool,
        /// What it wrote.
        delta: String,
    },
    /// `on_stream_end`.
    StreamEnd {
        /// The request's number.
        iteration: u64,
        /// What it wrote, without the blank lines around it.
        final_text: String,
        /// Why it broke off.
        error: Option<String>,
    },
    /// `on_interim_message`: the text before a tool call is complete.
    InterimMessage,
    /// `pre_tool_call`.
    ToolStart(ToolCall),
    /// `post_tool_call`.
    ToolEnd {
        /// The call.
        call: ToolCall,
        /// What it returned, usually JSON.
        result: String,
        /// How long it took.
        duration_ms: Option<u64>,
        /// `status` was `ok`; absent when it had none.
        ok: Option<bool>,
    },
    /// `post_api_request`: what the request used, and what it said.
    Usage {
        /// The model that answered.
        model: Option<String>,
        /// Its tokens.
        tokens: Tokens,
        /// The text that it wrote before the tools that it calls.
        before_tools: Option<String>,
    },
    /// `api_request_error`.
    RequestError {
        /// The request's number.
        iteration: u64,
        /// What the provider said.
        message: Option<String>,
    },
    /// `on_session_end`: the agent's loop is over.
    SessionEnd {
        /// It failed.
        failed: bool,
        /// Something else broke it off.
        interrupted: bool,
    },
    /// `pre_approval_request`.
    ApprovalRequest {
        /// The command that waits.
        command: String,
        /// Why it was flagged.
        description: String,
    },
    /// `post_approval_response`.
    ApprovalResponse {
        /// `once`, `session`, `always`, `deny`, or what became of it.
        choice: String,
    },
    /// `on_human_input_request`.
    InputRequest {
        /// `approval` or `clarify`.
        kind: String,
        /// What is asked.
        prompt: String,
    },
    /// `on_human_input_resolved`.
    InputResolved {
        /// `approval` or `clarify`.
        kind: String,
        /// A word for what became of it.
        outcome: String,
    },
    /// A hook that says nothing about the transcript.
    Other {
        /// Its name.
        name: String,
    },
}

/// A tool call, as both tool hooks name it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToolCall {
    /// The provider's id, unique within the session.
    pub id: Option<String>,
    /// The tool.
    pub name: String,
    /// Its arguments.
    pub args: Map<String, Value>,
}

impl Hook {
    /// Reads the `kwargs` of the hook called `name`.
    pub fn read(name: &str, kwargs: &Map<String, Value>) -> Self {
        let fields = Fields(kwargs);
        stream(name, fields)
            .or_else(|| tool(name, fields))
            .or_else(|| human(name, fields))
            .or_else(|| session(name, fields))
            .unwrap_or_else(|| Self::Other { name: name.to_owned() })
    }
}

fn stream(name: &str, fields: Fields<'_>) -> Option<Hook> {
    let iteration = fields.count("iteration").unwrap_or(0);
    Some(match name {
        "on_stream_start" => Hook::StreamStart {
            iteration,
            model: fields.non_empty("model"),
            provider: fields.non_empty("provider"),
        },
        "on_stream_delta" => Hook::StreamDelta {
            iteration,
            reasoning: fields.text("kind") == Some("reasoning"),
            delta: fields.string("delta"),
        },
        "on_stream_end" => Hook::StreamEnd {
            iteration,
            final_text: fields.string("final_text"),
            error: fields.non_empty("error"),
        },
        "on_interim_message" => Hook::InterimMessage,
        _ => return None,
    })
}

fn tool(name: &str, fields: Fields<'_>) -> Option<Hook> {
    let call = || ToolCall {
        id: fields.non_empty("tool_call_id"),
        name: fields.string("tool_name"),
        args: fields.map("args"),
    };
    Some(match name {
        "pre_tool_call" => Hook::ToolStart(call()),
        "post_tool_call" => Hook::ToolEnd {
            call: call(),
            result: fields.string("result"),
            duration_ms: fields.count("duration_ms"),
            ok: fields.text("status").map(|status| status == "ok"),
        },
        _ => return None,
    })
}

fn human(name: &str, fields: Fields<'_>) -> Option<Hook> {
    Some(match name {
        "pre_approval_request" => Hook::ApprovalRequest {
            command: fields.string("command"),
            description: fields.string("description"),
        },
        "post_approval_response" => Hook::ApprovalResponse { choice: fields.string("choice") },
        "on_human_input_request" => {
            Hook::InputRequest { kind: fields.string("kind"), prompt: fields.string("prompt") }
        }
        "on_human_input_resolved" => {
            Hook::InputResolved { kind: fields.string("kind"), outcome: fields.string("outcome") }
        }
        _ => return None,
    })
}

fn session(name: &str, fields: Fields<'_>) -> Option<Hook> {
    Some(match name {
        "post_api_request" => Hook::Usage {
            model: fields.non_empty("response_model").or_else(|| fields.non_empty("model")),
            tokens: fields.object("usage").map(tokens).unwrap_or_default(),
            before_tools: fields.object("response").and_then(|response| {
                let said = response.object("assistant_message").filter(|said| said.has_any("tool_calls"))?;
                said.non_empty("content")
            }),
        },
        "api_request_error" => Hook::RequestError {
            iteration: fields.count("api_call_count").unwrap_or(0),
            message: fields.object("error").and_then(|error| error.non_empty("message")),
        },
        "on_session_end" => {
            Hook::SessionEnd { failed: fields.is_true("failed"), interrupted: fields.is_true("interrupted") }
        }
        _ => return None,
    })
}

fn tokens(usage: Fields<'_>) -> Tokens {
    Tokens {
        input: usage.count("input_tokens"),
        output: usage.count("output_tokens"),
        total: usage.count("total_tokens"),
        cache_read: usage.count("cache_read_tokens"),
        cache_write: usage.count("cache_write_tokens"),
    }
}
