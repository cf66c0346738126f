//! The backend `gateway`: the chats of a Hermes that the user has already, through the plugin that `install-plugin` puts
//! there. Owns the start of it; a chat is `chat.rs`, the line to the plugin `bridge/`, what calls mean the turn machine.

mod asked;
mod chat;
mod memory;
mod outbox;
mod spoken;

use std::{io, net::SocketAddr, path::PathBuf, sync::Arc, time::Duration};

use iris_core::{
    ids::ChatId,
    protocol::frame::{BackendInfo, Suggestion},
};
use tokio::sync::{mpsc, watch};

use super::bridge::{Bridge, Switchboard};
use super::plugin::{Installed, PluginError, Settings};
use crate::backend::{About, Backend, Link, Opening};
use chat::Chat;

/// Frames that may wait for the hub; the chat waits with them.
const EVENTS: usize = 256;
const REQUESTS: usize = 64;

/// Where the gateway's Hermes is and how patient to be with it.
#[derive(Clone, Debug)]
pub struct GatewayConfig {
    /// Hermes' home folder.
    pub home: PathBuf,
    /// The port for the plugin; 0 takes a free one.
    pub port: u16,
    /// How long a line may be down before anyone is told.
    pub grace: Duration,
    /// How long a turn is kept open for a gateway that is away.
    pub patience: Duration,
}

impl GatewayConfig {
    /// The usual patience with the Hermes in this folder.
    pub fn new(home: PathBuf, port: u16) -> Self {
        Self { home, port, grace: Duration::from_secs(2), patience: Duration::from_secs(300) }
    }
}

/// Why the backend cannot start, and what to do about it.
#[derive(Debug, thiserror::Error)]
pub enum GatewayError {
    /// The plugin.
    #[error(transparent)]
    Plugin(#[from] PluginError),
    /// The port is taken.
    #[error(
        "port {0} is taken, perhaps by another Iris.\nStop that one, or choose another port for Hermes' gateway to \
         connect to."
    )]
    PortTaken(u16),
    /// Another trouble with listening.
    #[error("cannot listen for Hermes' gateway on port {0}: {1}")]
    Listen(u16, io::Error),
}

/// The backend.
#[derive(Debug)]
pub struct Gateway {
    board: Arc<Switchboard>,
    bridge: Bridge,
    patience: Duration,
}

impl Gateway {
    /// Listens for the plugin, and tells it where.
    ///
    /// # Errors
    /// When the plugin is not installed or of another version, or nothing can listen.
    pub fn start(config: GatewayConfig) -> Result<Self, GatewayError> {
        let installed = Installed::find(&config.home)?;
        let token = installed.token()?;
        let board = Switchboard::new(about(), config.grace);
        let listening = Bridge::listen(config.port, token.clone(), board.clone());
        let bridge = listening.map_err(|error| match error.kind() {
            io::ErrorKind::AddrInUse => GatewayError::PortTaken(config.port),
            _ => GatewayError::Listen(config.port, error),
        })?;
        installed.write(&Settings { port: bridge.address().port(), token })?;
        Ok(Self { board, bridge, patience: config.patience })
    }

    /// Where the plugin connects to.
    pub fn address(&self) -> SocketAddr {
        self.bridge.address()
    }
}

impl Backend for Gateway {
    fn about(&self) -> watch::Receiver<About> {
        self.board.about()
    }

    fn suggestions(&self) -> Vec<Suggestion> {
        Vec::new()
    }

    fn open(&self, chat: &ChatId, opening: Opening) -> Link {
        let (requests, from_hub) = mpsc::channel(REQUESTS);
        let (to_hub, events) = mpsc::channel(EVENTS);
        let chat = Chat::new(chat.clone(), opening, self.board.clone(), to_hub, self.patience);
        tokio::spawn(chat.run(from_hub));
        Link { requests, events }
    }

    fn started(&self) {
        self.board.open();
    }
}

fn about() -> About {
    let info =
        BackendInfo { kind: "gateway".to_owned(), label: "Hermes".to_owned(), model: None, trouble: None };
    let capabilities = ["files", "queue", "steer", "interrupt"].map(str::to_owned).to_vec();
    About { info, capabilities, commands: Vec::new(), has_texts: None }
}
