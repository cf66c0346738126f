//! The command-line backend: an unmodified Hermes, one `hermes chat --format stream-json` a turn. It needs no plugin and
//! no running gateway; for that, it cannot ask, cannot be steered, and shows no reasoning, for Hermes' command line does
//! none of it.
//!
//! `chat.rs` keeps the order of turns, `turn.rs` makes frames of one run, `process.rs` is the run itself, and `keeper.rs`
//! sees to it that none outlives the adapter.

mod attachments;
mod chat;
mod environment;
pub mod keeper;
mod lines;
mod mask;
pub mod options;
mod probe;
mod process;
mod session;
mod stderr;
mod streams;
mod turn;
mod words;

use std::{
    fmt::Write,
    path::PathBuf,
    sync::{Arc, Once},
};

use iris_core::{
    ids::ChatId,
    protocol::frame::{BackendInfo, Suggestion},
};
use tokio::sync::{mpsc, watch};

use super::{About, Backend, Link, Opening};
use chat::Chat;
pub use options::{Options, Patience, StartError};
pub(super) use streams::Streams;

/// Events that may wait for the chat; the run waits with them.
const EVENTS: usize = 256;
const REQUESTS: usize = 64;

/// The backend.
#[derive(Debug)]
pub struct Cli {
    options: Arc<Options>,
    about: watch::Sender<About>,
    probed: Once,
}

impl Cli {
    /// Finds Hermes.
    ///
    /// # Errors
    /// When there is none, or a folder is missing.
    pub fn new(options: Options) -> Result<Self, StartError> {
        let info =
            BackendInfo { kind: "cli".to_owned(), label: "Hermes".to_owned(), ..BackendInfo::default() };
        let capabilities = vec!["files".to_owned(), "queue".to_owned()];
        let about = About { info, capabilities, commands: Vec::new(), has_texts: None };
        Ok(Self {
            options: Arc::new(options.checked()?),
            about: watch::Sender::new(about),
            probed: Once::new(),
        })
    }

    fn folder(&self, chat: &ChatId) -> PathBuf {
        self.options.data.join(file_name(chat.as_str()))
    }
}

impl Backend for Cli {
    fn about(&self) -> watch::Receiver<About> {
        self.about.subscribe()
    }

    fn suggestions(&self) -> Vec<Suggestion> {
        let suggestion =
            |label: &str, text: &str| Suggestion { label: label.to_owned(), text: text.to_owned() };
        vec![
            suggestion("What can you do?", "What can you do here? Be short."),
            suggestion("Look around", "Look around in this folder and tell me what it is about."),
        ]
    }

    fn open(&self, chat: &ChatId, opening: Opening) -> Link {
        // Not earlier: here there is a runtime for it.
        self.probed.call_once(|| {
            let (options, about) = (Arc::clone(&self.options), self.about.clone());
            tokio::spawn(async move { probe::probe(&options, &about).await });
        });
        let (requests, from_chat) = mpsc::channel(REQUESTS);
        let (to_chat, events) = mpsc::channel(EVENTS);
        let (options, about) = (Arc::clone(&self.options), self.about.clone());
        let chat = Chat::new(options, about, self.folder(chat), &opening, from_chat, to_chat);
        tokio::spawn(chat.run(opening.open_turn));
        Link { requests, events }
    }

    fn forget(&self, chat: &ChatId) {
        let folder = self.folder(chat);
        if let Err(error) = std::fs::remove_dir_all(&folder)
            && error.kind() != std::io::ErrorKind::NotFound
        {
            tracing::warn!(%chat, %error, "the files of a deleted chat stay");
        }
    }
}

/// An id as the name of a file: what is not plain is spelled out, so that no id leads anywhere else.
fn file_name(id: &str) -> String {
    let mut name = String::with_capacity(id.len());
    for byte in id.bytes() {
        if byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_' {
            name.push(char::from(byte));
        } else {
            let _ = write!(name, "%{byte:02x}");
        }
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_id_leads_out_of_the_folder() {
        for (id, name) in [("chat-1", "chat-1"), ("..", "%2e%2e"), ("a/b", "a%2fb"), ("é", "%c3%a9")] {
            assert_eq!(file_name(id), name);
        }
    }
}
