//! What the store says beside the rows: search, older history, uploads, loaded files, pairing. Data only.

use iris_core::protocol::frame::{FileInfo, SearchHit};

/// A search through every chat.
#[derive(Clone, Debug, PartialEq)]
pub struct Search {
    /// The words.
    pub query: String,
    /// What was found, the best first; `None` while the answer is on its way.
    pub hits: Option<Vec<SearchHit>>,
}

/// What stands before the first row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Older {
    /// Nothing: the chat begins here.
    #[default]
    None,
    /// More, for the asking.
    More,
    /// It is on its way.
    Loading,
}

/// A file that is attached to the draft.
#[derive(Clone, Debug, PartialEq)]
pub struct Upload {
    /// Its identity on this page.
    pub key: u32,
    /// Its name.
    pub name: String,
    /// Its length, bytes.
    pub size: f64,
    /// How far it is.
    pub state: UploadState,
}

/// How far an upload is.
#[derive(Clone, Debug, PartialEq)]
pub enum UploadState {
    /// On its way.
    Sending,
    /// The adapter has it.
    Ready(FileInfo),
    /// It did not get there; why, for people.
    Failed(String),
}

/// A file's bytes in the page.
#[derive(Clone, Debug, PartialEq)]
pub enum FileState {
    /// On their way.
    Loading,
    /// Here, under this `blob:` URL, for as long as the chat is on screen.
    Ready(String),
    /// They could not be had; why, for people.
    Failed(String),
}

/// How this device stands with the adapter.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Pairing {
    /// Nothing has to be done.
    #[default]
    None,
    /// The page asks for a code; until the user gives one it connects to nothing and stores nothing.
    Ask {
        /// The code of the link that led here.
        code: Option<String>,
        /// Why it asks, for people.
        why: String,
    },
    /// The code is being tried.
    Working,
    /// It did not work; why, for people. Another can be given.
    Failed(String),
}
