//! The items of a timeline and the changes to them, as data.

use serde_json::{Map, Value};

use crate::ids::{AskId, ClientId, MessageId, ToolIndex, TurnId};
use crate::protocol::frame::{AskKind, Choice, Facts, FileInfo, Level, Tokens, TurnStatus};

/// The identity of a row on screen. Survives a local echo being confirmed; never reused within a timeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ItemKey(pub u64);

/// One row.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// Its identity.
    pub key: ItemKey,
    /// What it shows.
    pub kind: ItemKind,
}

/// What a row shows.
#[derive(Clone, Debug, PartialEq)]
pub enum ItemKind {
    /// What the user said.
    User(UserMessage),
    /// An answer of the agent, with its reasoning.
    Answer(Answer),
    /// An interim remark.
    Commentary {
        /// Markdown.
        text: String,
    },
    /// A run of tools that stands between two texts; in order of their start.
    Tools(Vec<Tool>),
    /// Something about the turn that is not a message.
    Notice(Notice),
    /// A question that waits, or has been answered.
    Ask(Ask),
    /// A file from the agent.
    File(FileItem),
}

/// What the user said.
#[derive(Clone, Debug, PartialEq)]
pub struct UserMessage {
    /// What was said; shown as plain text with its line breaks.
    pub text: String,
    /// The device's own id, when this device sent it.
    pub client_id: Option<ClientId>,
    /// `None` = the adapter has it; otherwise it is still only here.
    pub pending: Option<Pending>,
    /// What came with it.
    pub attachments: Vec<FileInfo>,
}

/// A file from the agent.
#[derive(Clone, Debug, PartialEq)]
pub struct FileItem {
    /// Its id on the wire.
    pub message_id: MessageId,
    /// The file.
    pub file: FileInfo,
    /// What the agent says of it.
    pub caption: Option<String>,
}

/// Why a message of the user is not with the adapter yet.
#[derive(Clone, Debug, PartialEq)]
pub enum Pending {
    /// On its way.
    Sending,
    /// It did not get there; why, for people. It can be sent again.
    Failed(String),
}

/// Where a live text stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// More may come.
    Streaming,
    /// Complete: `message.stop` came (or its turn ended). The app keeps drawing until its reveal has caught up.
    Stopped,
    /// Complete and never streamed here (synced history, `message`): shown at once.
    Settled,
}

/// An answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// Its id on the wire.
    pub message_id: MessageId,
    /// The text so far (Markdown).
    pub text: String,
    /// Counts the times that the text was replaced by one that is no extension of it; the reveal starts over.
    pub generation: u32,
    /// The reasoning that led to it; empty = none.
    pub reasoning: String,
    /// Reasoning is still arriving.
    pub reasoning_live: bool,
    /// Where it stands.
    pub phase: Phase,
    /// Its turn ended before the message did: stopped, failed or lost.
    pub cut: Option<TurnStatus>,
    /// Model and tokens, once known.
    pub footer: TurnFooter,
}

/// What stands below a finished answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TurnFooter {
    /// The model.
    pub model: Option<String>,
    /// The tokens.
    pub tokens: Option<Tokens>,
    /// The whole turn, milliseconds.
    pub duration_ms: Option<u64>,
    /// The turn, once it is over: of its answers only the last has it.
    pub turn: Option<TurnId>,
}

/// A tool call.
#[derive(Clone, Debug, PartialEq)]
pub struct Tool {
    /// Number within its turn.
    pub index: ToolIndex,
    /// Its name.
    pub name: String,
    /// One short line.
    pub preview: Option<String>,
    /// All its arguments.
    pub args: Map<String, Value>,
    /// The last `tool.progress`.
    pub note: Option<String>,
    /// The beginning of its output.
    pub output: Option<String>,
    /// How it stands.
    pub state: ToolState,
}

/// How a tool call stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ToolState {
    /// It runs: only while its turn does.
    Running,
    /// It ended.
    Done {
        /// Whether it worked; `None` when Hermes does not say.
        ok: Option<bool>,
        /// Seconds.
        duration: Option<f64>,
    },
    /// Its turn ended first: no result.
    NoResult,
}

/// Something about the turn that is not a message.
#[derive(Clone, Debug, PartialEq)]
pub struct Notice {
    /// How loud.
    pub level: Level,
    /// A fixed word.
    pub code: String,
    /// For people.
    pub text: String,
    /// More, on demand.
    pub detail: Option<String>,
    /// Its numbers.
    pub facts: Facts,
    /// How often it was said in a row: at least 1.
    pub times: u32,
    /// What was said of the same trouble right before, oldest first: one row shows all of it.
    pub before: Vec<Notice>,
    /// How many messages before those are not kept any more.
    pub left_out: u32,
}

/// A question.
#[derive(Clone, Debug, PartialEq)]
pub struct Ask {
    /// Its id on the wire.
    pub ask_id: AskId,
    /// Its kind.
    pub kind: AskKind,
    /// What is asked.
    pub text: String,
    /// The command that waits.
    pub command: Option<String>,
    /// The buttons; none means free text.
    pub choices: Vec<Choice>,
    /// What became of it; `None` while it waits.
    pub outcome: Option<String>,
}

/// One change to a timeline, in the order in which to apply it.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// Everything goes (a sync with `reset`).
    Clear,
    /// A row appears at this position, counted from 0.
    Insert {
        /// Its position.
        at: usize,
        /// The row.
        item: Item,
    },
    /// A row goes.
    Remove {
        /// Which.
        key: ItemKey,
    },
    /// A row's content is now this (same key, same place, same kind).
    Set {
        /// The row.
        item: Item,
    },
    /// An answer's text grew at its end: the cheap form of `Set` for the hot path.
    AppendText {
        /// Which.
        key: ItemKey,
        /// What was added.
        text: String,
    },
    /// An answer's reasoning grew at its end.
    AppendReasoning {
        /// Which.
        key: ItemKey,
        /// What was added.
        text: String,
    },
    /// The indicator by the composer.
    Typing(bool),
    /// A turn runs, or none does.
    Running(bool),
    /// The transcript has a gap: subscribe again from here.
    Resync,
}
