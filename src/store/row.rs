//! A row of the timeline as signals: one struct of `ArcRwSignal`s each, so that only what changed redraws.

use iris_core::ids::{AskId, ClientId, MessageId, ToolIndex};
use iris_core::protocol::frame::{AskKind, Choice, FileInfo, TurnStatus};
use iris_core::timeline::{FileItem, ItemKey, Notice, Phase, ToolState, TurnFooter, item::Pending};
use leptos::prelude::ArcRwSignal;
use serde_json::{Map, Value};

/// One row. Cheap to clone: everything inside is shared.
#[derive(Clone)]
pub struct Row {
    /// Its identity: the key of `For`.
    pub key: ItemKey,
    /// What it shows.
    pub body: Body,
}

/// What a row shows.
#[derive(Clone)]
pub enum Body {
    /// The user's words.
    User(UserRow),
    /// An answer.
    Answer(AnswerRow),
    /// An interim remark.
    Commentary(ArcRwSignal<String>),
    /// A run of tools.
    Tools(ArcRwSignal<Vec<ToolRow>>),
    /// A notice.
    Notice(ArcRwSignal<Notice>),
    /// A question.
    Ask(AskRow),
    /// A file from the agent.
    File(FileItem),
}

/// The user's words.
#[derive(Clone)]
pub struct UserRow {
    /// Plain text.
    pub text: ArcRwSignal<String>,
    /// This device's own id of it.
    pub client_id: ArcRwSignal<Option<ClientId>>,
    /// `None` once the adapter has it.
    pub pending: ArcRwSignal<Option<Pending>>,
    /// What came with it.
    pub attachments: ArcRwSignal<Vec<FileInfo>>,
}

/// An answer. `text` is the *target*; the reveal decides how much of it is drawn.
#[derive(Clone)]
pub struct AnswerRow {
    /// Its id on the wire.
    pub message_id: MessageId,
    /// Markdown, all of it so far.
    pub text: ArcRwSignal<String>,
    /// Counts replacements of the text by one that is no extension.
    pub generation: ArcRwSignal<u32>,
    /// The reasoning so far; empty = none.
    pub reasoning: ArcRwSignal<String>,
    /// Reasoning is still arriving.
    pub reasoning_live: ArcRwSignal<bool>,
    /// Where it stands.
    pub phase: ArcRwSignal<Phase>,
    /// Its turn ended before it did.
    pub cut: ArcRwSignal<Option<TurnStatus>>,
    /// Model and tokens.
    pub footer: ArcRwSignal<TurnFooter>,
}

/// A tool call.
#[derive(Clone)]
pub struct ToolRow {
    /// Number within its turn.
    pub index: ToolIndex,
    /// Its name.
    pub name: String,
    /// One short line.
    pub preview: ArcRwSignal<Option<String>>,
    /// All its arguments.
    pub args: ArcRwSignal<Map<String, Value>>,
    /// The last progress note.
    pub note: ArcRwSignal<Option<String>>,
    /// The beginning of its output.
    pub output: ArcRwSignal<Option<String>>,
    /// How it stands.
    pub state: ArcRwSignal<ToolState>,
    /// `performance.now()` when it began; unknown when it came with a history.
    pub seen_ms: Option<f64>,
    /// The same for the last progress note.
    pub noted_ms: ArcRwSignal<Option<f64>>,
}

/// A question.
#[derive(Clone)]
pub struct AskRow {
    /// Its id on the wire.
    pub ask_id: AskId,
    /// Its kind.
    pub kind: AskKind,
    /// What is asked.
    pub text: String,
    /// The command that waits.
    pub command: Option<String>,
    /// The buttons.
    pub choices: Vec<Choice>,
    /// This device has answered and waits for `ask.closed`.
    pub answering: ArcRwSignal<bool>,
    /// What became of it.
    pub outcome: ArcRwSignal<Option<String>>,
}
