//! The state of the page. Owns the signals; components read them and send `Intent`s, and never touch the socket.

mod apply;
pub mod row;
mod session;
mod state;

use std::collections::HashMap;
use std::sync::Arc;

use iris_core::connection::State;
use iris_core::ids::{AskId, ChatId, ClientId, FileId};
use iris_core::protocol::frame::{BackendInfo, ChatSummary, SearchHit, SendMode, SlashCommand, Suggestion};
use iris_core::settings::Settings;
use iris_core::stall::quiet::Watch;
use iris_core::timeline::ItemKey;
use leptos::prelude::ArcRwSignal;

pub use apply::Rows;
pub(crate) use apply::set_if;
pub use row::{AnswerRow, AskRow, Body, Row, ToolRow, UserRow};
pub use session::Session;
pub use state::{FileState, Older, Pairing, Search, Upload, UploadState};

/// What a component asks for.
#[derive(Clone, Debug, PartialEq)]
pub enum Intent {
    /// Send this text as the user's message, with the files that are attached and ready.
    Send {
        /// The text.
        text: String,
        /// What to do with it while a turn runs; `None`: what the backend does by itself.
        mode: Option<SendMode>,
    },
    /// Send a failed message again.
    Retry(ClientId),
    /// Take a failed message away; its text goes back into the composer.
    Discard(ClientId),
    /// Stop the running turn.
    Stop,
    /// Answer a question.
    Answer {
        /// The question.
        ask_id: AskId,
        /// The button.
        choice: Option<String>,
        /// Free text.
        text: Option<String>,
    },
    /// Try the connection now.
    Reconnect,
    /// Begin with an empty chat.
    NewChat,
    /// Show this chat.
    OpenChat(ChatId),
    /// Give a chat another title.
    RenameChat(ChatId, String),
    /// Delete a chat.
    DeleteChat(ChatId),
    /// Look for these words in every chat; nothing closes the search.
    Search(String),
    /// Show the place that a search found.
    OpenHit(SearchHit),
    /// Load what stands before the first row.
    OlderHistory,
    /// Upload these files, for the next message.
    Attach(Vec<web_sys::File>),
    /// Take one of them away.
    Detach(u32),
    /// Pair this device.
    Pair {
        /// The code, or the whole pairing link.
        code: String,
        /// A name for this device.
        name: String,
    },
    /// Load a file's bytes.
    Fetch(FileId),
}

/// The state of the page. Cheap to clone; provided as context.
#[derive(Clone)]
pub struct Store {
    /// The timeline; changes only when a row comes or goes.
    pub rows: ArcRwSignal<Vec<Row>>,
    /// The indicator by the composer.
    pub typing: ArcRwSignal<bool>,
    /// A turn is running.
    pub running: ArcRwSignal<bool>,
    /// When the running turn was heard of. Says that it has changed only when that shows at once.
    pub watch: ArcRwSignal<Watch>,
    /// The time of the recording that is played, milliseconds since it began; of a live chat nothing.
    pub recorded_ms: ArcRwSignal<f64>,
    /// How the connection stands.
    pub connection: ArcRwSignal<State>,
    /// What stands behind the adapter, once it said so.
    pub backend: ArcRwSignal<Option<BackendInfo>>,
    /// What an empty chat offers.
    pub suggestions: ArcRwSignal<Vec<Suggestion>>,
    /// This device's settings; whoever changes it writes it through `storage`.
    pub settings: ArcRwSignal<Settings>,
    /// The text in the composer; each chat has its own, kept over a reload.
    pub draft: ArcRwSignal<String>,
    /// What is attached to the draft.
    pub uploads: ArcRwSignal<Vec<Upload>>,
    /// The chat on screen; `None` before the adapter said which it has, and for a peer with one nameless chat.
    pub chat: ArcRwSignal<Option<ChatId>>,
    /// Every chat, newest first.
    pub chats: ArcRwSignal<Vec<ChatSummary>>,
    /// The optional parts of the protocol that adapter and backend speak now.
    pub capabilities: ArcRwSignal<Vec<String>>,
    /// The slash commands that the backend takes now.
    pub commands: ArcRwSignal<Vec<SlashCommand>>,
    /// The search that is open.
    pub search: ArcRwSignal<Option<Search>>,
    /// What stands before the first row.
    pub older: ArcRwSignal<Older>,
    /// The row to bring into view and to point out: the place of a search's hit. Whoever has done so sets it to `None`.
    pub target: ArcRwSignal<Option<ItemKey>>,
    /// The files that were asked for in this chat.
    pub files: ArcRwSignal<HashMap<FileId, FileState>>,
    /// How this device stands with the adapter.
    pub pairing: ArcRwSignal<Pairing>,
    /// It is a recorded run: nothing is written into it, and nothing of it is kept on this device.
    pub replay: bool,
    /// Where intents go.
    pub intents: Arc<dyn Fn(Intent) + Send + Sync>,
}

impl Store {
    /// An empty page with these settings; `intents` is told what components ask for.
    pub fn new(settings: Settings, intents: impl Fn(Intent) + Send + Sync + 'static) -> Self {
        Self {
            rows: ArcRwSignal::default(),
            typing: ArcRwSignal::new(false),
            running: ArcRwSignal::new(false),
            watch: ArcRwSignal::default(),
            recorded_ms: ArcRwSignal::default(),
            connection: ArcRwSignal::new(State::Connecting { attempt: 1, since_ms: None }),
            backend: ArcRwSignal::new(None),
            suggestions: ArcRwSignal::default(),
            settings: ArcRwSignal::new(settings),
            draft: ArcRwSignal::default(),
            uploads: ArcRwSignal::default(),
            chat: ArcRwSignal::default(),
            chats: ArcRwSignal::default(),
            capabilities: ArcRwSignal::default(),
            commands: ArcRwSignal::default(),
            search: ArcRwSignal::default(),
            older: ArcRwSignal::default(),
            target: ArcRwSignal::default(),
            files: ArcRwSignal::default(),
            pairing: ArcRwSignal::default(),
            replay: false,
            intents: Arc::new(intents),
        }
    }
}
