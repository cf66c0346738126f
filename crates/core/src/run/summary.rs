//! [`Summary`]: what a recorded run came to, as a value that the page draws, the command line prints and `--json` writes.
//! Owns what the figures mean; `counter.rs` counts them in one pass.
//!
//! The time of a run is divided among three, by the silence between one line and the next:
//!
//! * **tools**: at least one tool was running. However many ran at once, the time counts once.
//! * **writing**: no tool ran, and both lines were text; the silence was no longer than [`GAP_MS`](super::GAP_MS).
//! * **waiting**: everything else, which is time in which nothing came from the model.
//!
//! The three add up to `duration_ms`, the time between the first line and the last. A tool's own duration is what Hermes
//! measured; where it measured nothing, the time between the two lines.

mod counter;

use serde::{Deserialize, Serialize};

use super::kind::Format;
use crate::protocol::frame::Tokens;

pub(super) use counter::Counter;

/// So many runs, and so many calls, are listed one by one; figures cover all of them.
pub const MAX_LISTED: usize = 10_000;

/// What one file came to.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// How it was read.
    pub format: Option<Format>,
    /// Lines in the file.
    pub lines: u64,
    /// Lines that were skipped.
    pub damaged_count: u64,
    /// The first of them.
    pub damaged: Vec<DamagedLine>,
    /// The highest exit code of its runs; 1 stands for a run whose end is not in the file. `None`: no run.
    pub exit_code: Option<i32>,
    /// All runs together.
    pub total: Total,
    /// Each run.
    pub runs: Vec<Run>,
}

/// A line that was skipped, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DamagedLine {
    /// Its number, from 1.
    pub line: u64,
    /// What is wrong with it.
    pub problem: String,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ended {
    /// The agent answered.
    Complete,
    /// It failed.
    Error,
    /// The user stopped it.
    Interrupted,
    /// Its end is not in the file: the process was killed, or it still runs.
    CutOff,
}

/// The figures that runs have in common.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Total {
    /// How many runs.
    pub runs: u64,
    /// How many of them did not end well.
    pub not_complete: u64,
    /// Between first and last line, all runs together, milliseconds.
    pub duration_ms: u64,
    /// Of that: nothing came from the model.
    pub waiting_ms: u64,
    /// Of that: the model wrote.
    pub writing_ms: u64,
    /// Of that: tools ran.
    pub tools_ms: u64,
    /// Text that the model streamed, bytes of UTF-8.
    pub streamed_bytes: u64,
    /// Tokens, where any run knew them.
    pub tokens: Option<Counts>,
    /// The tools, in the order of their first call.
    pub tools: Vec<Tool>,
}

/// One run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// Its model.
    pub model: Option<String>,
    /// Hermes' session.
    pub session: Option<String>,
    /// How it ended.
    pub ended: Ended,
    /// Why, in Hermes' words.
    pub error: Option<String>,
    /// The exit status of its process.
    pub exit_code: Option<i32>,
    /// When it began, milliseconds since 1970.
    pub began_ms: Option<u64>,
    /// Between its first line and its last, milliseconds.
    pub duration_ms: u64,
    /// How long it took as Hermes measured it, milliseconds.
    pub reported_ms: Option<u64>,
    /// From its first line to its first text that is more than blank, milliseconds.
    pub first_text_ms: Option<u64>,
    /// Nothing came from the model, milliseconds.
    pub waiting_ms: u64,
    /// The model wrote, milliseconds.
    pub writing_ms: u64,
    /// Tools ran, milliseconds.
    pub tools_ms: u64,
    /// Text that the model streamed, bytes of UTF-8.
    pub streamed_bytes: u64,
    /// The final text, bytes of UTF-8.
    pub final_bytes: u64,
    /// Tokens; `None` when nobody counted (a failed run reports zeros).
    pub tokens: Option<Counts>,
    /// Its tools, in the order of their first call.
    pub tools: Vec<Tool>,
    /// Its calls, in order.
    pub calls: Vec<Call>,
}

/// What came of all calls of one tool.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Tool {
    /// The tool.
    pub name: String,
    /// How often it was called.
    pub count: u64,
    /// How often it failed.
    pub failed: u64,
    /// How often its run ended before it did.
    pub unfinished: u64,
    /// All calls together, milliseconds.
    pub total_ms: u64,
    /// The longest, milliseconds.
    pub longest_ms: u64,
}

/// One call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Call {
    /// The tool.
    pub name: String,
    /// When it began, milliseconds after the run's first line.
    pub from_ms: u64,
    /// How long it took, milliseconds; `None` when its run ended first.
    pub duration_ms: Option<u64>,
    /// Whether it worked; `None` when nobody said.
    pub ok: Option<bool>,
}

/// Tokens by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Prompt tokens that were not cached.
    pub input: u64,
    /// Tokens that the model wrote.
    pub output: u64,
    /// Everything.
    pub total: u64,
    /// Prompt tokens read from the provider's cache.
    pub cache_read: u64,
    /// Prompt tokens written to it.
    pub cache_write: u64,
}

impl Counts {
    /// What the wire says; nothing if it counts nothing.
    pub(super) fn of(tokens: Tokens) -> Option<Self> {
        let known = |count: Option<u64>| count.unwrap_or(0);
        let counts = Self {
            input: known(tokens.input),
            output: known(tokens.output),
            total: 0,
            cache_read: known(tokens.cache_read),
            cache_write: known(tokens.cache_write),
        };
        let parts = [counts.input, counts.output, counts.cache_read, counts.cache_write];
        let sum = parts.into_iter().fold(0, u64::saturating_add);
        let total = tokens.total.unwrap_or(sum);
        (total > 0 || sum > 0).then_some(Self { total, ..counts })
    }

    fn add(&mut self, other: &Self) {
        let add = |a: &mut u64, b: u64| *a = a.saturating_add(b);
        add(&mut self.input, other.input);
        add(&mut self.output, other.output);
        add(&mut self.total, other.total);
        add(&mut self.cache_read, other.cache_read);
        add(&mut self.cache_write, other.cache_write);
    }
}

impl Total {
    fn add(&mut self, run: &Run) {
        self.runs += 1;
        self.not_complete += u64::from(run.ended != Ended::Complete);
        self.duration_ms = self.duration_ms.saturating_add(run.duration_ms);
        self.waiting_ms = self.waiting_ms.saturating_add(run.waiting_ms);
        self.writing_ms = self.writing_ms.saturating_add(run.writing_ms);
        self.tools_ms = self.tools_ms.saturating_add(run.tools_ms);
        self.streamed_bytes = self.streamed_bytes.saturating_add(run.streamed_bytes);
        if let Some(tokens) = &run.tokens {
            self.tokens.get_or_insert_default().add(tokens);
        }
        for tool in &run.tools {
            tool_named(&mut self.tools, &tool.name).add(tool);
        }
    }
}

impl Tool {
    fn add(&mut self, other: &Self) {
        self.count += other.count;
        self.failed += other.failed;
        self.unfinished += other.unfinished;
        self.total_ms = self.total_ms.saturating_add(other.total_ms);
        self.longest_ms = self.longest_ms.max(other.longest_ms);
    }
}

/// The tool of this name; a new one at the end if there is none.
fn tool_named<'a>(tools: &'a mut Vec<Tool>, name: &str) -> &'a mut Tool {
    let at = tools.iter().position(|tool| tool.name == name).unwrap_or(tools.len());
    if at == tools.len() {
        tools.push(Tool { name: name.to_owned(), ..Tool::default() });
    }
    // Just pushed, if it was not there.
    let last = tools.len() - 1;
    #[allow(clippy::indexing_slicing, reason = "`at` is at most the last place")]
    &mut tools[at.min(last)]
}
