//! The recordings inside the binary, and a step of one. How they were made is told in their README.

use include_dir::{Dir, include_dir};
use iris_core::stream_json::{self, TimedEvent};

use crate::backend::gateway::{self, Call};

static FILES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/recordings");

/// Something that happened in a recorded turn.
#[derive(Clone, Debug)]
pub(super) struct Step {
    /// When, milliseconds since the turn's beginning.
    pub t_ms: u64,
    /// What.
    pub what: What,
}

/// What happened.
#[derive(Clone, Debug)]
pub(super) enum What {
    /// Hermes' gateway called its adapter.
    Call(Call),
    /// `hermes chat --format stream-json` wrote a line.
    Event(TimedEvent),
}

impl Step {
    /// A call at this time.
    pub(super) fn call(t_ms: u64, call: Call) -> Self {
        Self { t_ms, what: What::Call(call) }
    }

    /// The call, if it is one.
    pub(super) fn as_call(&self) -> Option<&Call> {
        match &self.what {
            What::Call(call) => Some(call),
            What::Event(_) => None,
        }
    }
}

/// The steps of a recording, by its path below `recordings/`. What cannot be read is left out; a test reads them all.
pub(super) fn steps(path: &str) -> Vec<Step> {
    let text = FILES.get_file(path).and_then(|file| file.contents_utf8()).unwrap_or_default();
    if path.starts_with("stream-json/") { events(text) } else { calls(text) }
}

fn calls(text: &str) -> Vec<Step> {
    let calls = gateway::parse(text).unwrap_or_default();
    calls
        .into_iter()
        .filter(|timed| !is_greeting(&timed.call))
        .map(|timed| Step::call(timed.t_ms, timed.call))
        .collect()
}

/// What Hermes says once in the life of a chat, whatever its first message is. The turns of the demo come in any order.
fn is_greeting(call: &Call) -> bool {
    matches!(call, Call::Send(send) if send.content.starts_with("📬 No home channel"))
}

fn events(text: &str) -> Vec<Step> {
    let events: Vec<_> = stream_json::parse(text).filter_map(Result::ok).collect();
    let first = events.iter().find_map(|event| event.timestamp).unwrap_or(0);
    let step = |event: TimedEvent| Step {
        t_ms: event.timestamp.unwrap_or(first).saturating_sub(first),
        what: What::Event(event),
    };
    events.into_iter().map(step).collect()
}
