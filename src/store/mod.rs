//! The state of the page. Owns the signals; components read them and send `Intent`s, and never touch the socket.

mod apply;
pub mod row;
mod session;

use std::sync::Arc;

use iris_core::connection::State;
use iris_core::ids::{AskId, ClientId};
use iris_core::protocol::frame::{BackendInfo, Suggestion};
use iris_core::settings::Settings;
use leptos::prelude::ArcRwSignal;

pub use apply::Rows;
pub(crate) use apply::set_if;
pub use row::{AnswerRow, AskRow, Body, Row, ToolRow, UserRow};
pub use session::Session;

/// What a component asks for.
#[derive(Clone, Debug, PartialEq)]
pub enum Intent {
    /// Send this text as the user's message.
    Send(String),
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
    /// How the connection stands.
    pub connection: ArcRwSignal<State>,
    /// What stands behind the adapter, once it said so.
    pub backend: ArcRwSignal<Option<BackendInfo>>,
    /// What an empty chat offers.
    pub suggestions: ArcRwSignal<Vec<Suggestion>>,
    /// This device's settings; whoever changes it writes it through `storage`.
    pub settings: ArcRwSignal<Settings>,
    /// The text in the composer; kept over a reload.
    pub draft: ArcRwSignal<String>,
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
            connection: ArcRwSignal::new(State::Connecting { attempt: 1, since_ms: None }),
            backend: ArcRwSignal::new(None),
            suggestions: ArcRwSignal::default(),
            settings: ArcRwSignal::new(settings),
            draft: ArcRwSignal::default(),
            intents: Arc::new(intents),
        }
    }
}
