//! Where turns come from. Every backend ends in the same frames; none of them knows the socket or the journal.

pub mod cli;
pub mod demo;
pub mod gateway;

use std::path::PathBuf;

use iris_core::{
    ids::{AskId, ChatId, ClientId, MessageId, TurnId},
    protocol::frame::{BackendInfo, SendMode, ServerFrame, SlashCommand, Suggestion, TurnStatus},
    stall::record::StreamRecord,
};
use tokio::sync::{mpsc, oneshot, watch};

/// What answers the user's messages.
pub trait Backend: Send + Sync {
    /// What it is and can do now; every change is passed on to the devices.
    fn about(&self) -> watch::Receiver<About>;
    /// What an empty chat may offer.
    fn suggestions(&self) -> Vec<Suggestion>;
    /// Begins to serve a chat.
    fn open(&self, chat: &ChatId, opening: Opening) -> Link;
    /// Every chat that was known when the adapter started is open now.
    fn started(&self) {}
    /// A chat is deleted for good; what the backend keeps about it may go.
    fn forget(&self, _chat: &ChatId) {}
}

/// What a backend says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct About {
    /// For `hello`.
    pub info: BackendInfo,
    /// The capabilities that depend on it: `files`, `queue`, `steer`, `interrupt`.
    pub capabilities: Vec<String>,
    /// The slash commands that it takes.
    pub commands: Vec<SlashCommand>,
    /// Whether this Hermes has its texts; `None`: nobody looked.
    pub has_texts: Option<bool>,
}

/// What is known of a chat when its backend begins to serve it.
#[derive(Clone, Debug, Default)]
pub struct Opening {
    /// Ids of turns and messages must begin with this: no other life of the adapter has used it in this chat.
    pub prefix: String,
    /// What the backend wanted to be remembered last ([`Event::Remember`]).
    pub memory: Option<String>,
    /// The turn that an earlier life of the adapter left open. The backend says how it goes on ([`Event::Restart`]) or
    /// ends ([`ServerFrame::TurnEnd`]); a backend whose turns die with the adapter ends it at once as lost.
    pub open_turn: Option<TurnId>,
}

/// What a chat asks of its backend.
#[derive(Debug)]
pub enum Request {
    /// The user said something. The journal has it already.
    Say(Said),
    /// The user answered an open question by its buttons or its field.
    Answer {
        /// The question.
        ask_id: AskId,
        /// The button.
        choice: Option<String>,
        /// Free text.
        text: Option<String>,
    },
    /// The user wants the turn to stop.
    Stop,
}

/// A message of the user on its way to the agent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Said {
    /// The hub's id of it, the same when it is said again after a restart: who hands it on twice is to take it once.
    pub message_id: MessageId,
    /// The app's id of it.
    pub client_id: Option<ClientId>,
    /// What was said; may be empty when something is attached.
    pub text: String,
    /// What to do with it while a turn runs.
    pub mode: Option<SendMode>,
    /// What came with it, on this machine's disk.
    pub files: Vec<SaidFile>,
}

/// A file that came with a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SaidFile {
    /// Where it is.
    pub path: PathBuf,
    /// Its name as the user has it.
    pub name: String,
    /// Its media type.
    pub media_type: String,
}

/// What a backend tells its chat, in order.
#[derive(Debug)]
pub enum Event {
    /// Something for the transcript: full texts, never appends. `user.message` only for what no device of ours sent.
    Frame(ServerFrame),
    /// The message is with the agent now; it is never said again. Who must not risk that it is handed on twice (no agent
    /// to recognise it) waits for `noted` before handing it on.
    Taken {
        /// The message.
        message_id: MessageId,
        /// Told once it is on disk.
        noted: Option<oneshot::Sender<()>>,
    },
    /// Keep this with the chat, for the next [`Opening`]. Replaces what was kept before.
    Remember(String),
    /// How the streams of a turn went; they replace what was said of the same ones before.
    Streamed(Vec<StreamRecord>),
    /// The turn that is open in the transcript is told again from its start: what is shown of it goes.
    Restart,
    /// A file of the agent, on this machine's disk. The hub keeps a copy and shows it.
    File {
        /// The message that it becomes.
        message_id: MessageId,
        /// Where it is.
        path: PathBuf,
        /// What the agent says of it.
        caption: Option<String>,
    },
}

/// A chat's line to its backend. Dropping it ends the backend's work for the chat.
#[derive(Debug)]
pub struct Link {
    /// To the backend.
    pub requests: mpsc::Sender<Request>,
    /// From the backend, in order.
    pub events: mpsc::Receiver<Event>,
}

/// The end of a turn that nobody will tell the end of; `why` is for people.
pub(crate) fn lost(turn: TurnId, why: &str) -> ServerFrame {
    ServerFrame::TurnEnd {
        turn,
        status: TurnStatus::Lost,
        exit_code: None,
        error: Some(why.to_owned()),
        model: None,
        tokens: None,
        duration_ms: None,
    }
}
