//! Where turns come from. Every backend ends in the same frames; none of them knows the socket.

pub mod demo;
pub mod gateway;

use iris_core::{
    ids::{AskId, ChatId},
    protocol::frame::{BackendInfo, ServerFrame, Suggestion},
};
use tokio::sync::mpsc;

/// What answers the user's messages.
pub trait Backend: Send + Sync {
    /// What it is, for `hello`.
    fn info(&self) -> BackendInfo;
    /// What an empty chat may offer.
    fn suggestions(&self) -> Vec<Suggestion>;
    /// Begins to serve a chat.
    fn open(&self, chat: &ChatId) -> Link;
}

/// What a chat asks of its backend.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// The user said something. The transcript has it already.
    Say {
        /// What was said.
        text: String,
    },
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

/// A chat's line to its backend. Dropping it ends the backend's work for the chat.
#[derive(Debug)]
pub struct Link {
    /// To the backend.
    pub requests: mpsc::Sender<Request>,
    /// From the backend, in order; full texts, never appends.
    pub frames: mpsc::Receiver<ServerFrame>,
}
