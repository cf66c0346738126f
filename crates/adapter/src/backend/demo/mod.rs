//! The demo: recordings of the real Hermes, played at their own pace through the machines that serve the real one, and
//! an echo for everything else. It needs no Hermes; it invents no frames of its own but the ones that say what it does.

mod answers;
mod echo;
mod play;
mod player;
mod recordings;
mod suggestions;

use iris_core::{
    ids::ChatId,
    protocol::frame::{BackendInfo, Suggestion},
};
use tokio::sync::mpsc;

use super::{Backend, Link};
use player::Player;

/// Frames that may wait for the chat; the player waits with them.
const FRAMES: usize = 256;
const REQUESTS: usize = 64;

/// The demo backend.
#[derive(Clone, Copy, Debug)]
pub struct Demo {
    speed: f64,
}

impl Demo {
    /// A demo that plays `speed` times as fast as it was recorded.
    pub fn new(speed: f64) -> Self {
        Self { speed }
    }
}

impl Backend for Demo {
    fn info(&self) -> BackendInfo {
        BackendInfo { kind: "demo".to_owned(), label: "Recordings of Hermes".to_owned(), model: None }
    }

    fn suggestions(&self) -> Vec<Suggestion> {
        suggestions::all()
    }

    fn open(&self, _chat: &ChatId) -> Link {
        let (requests, from_chat) = mpsc::channel(REQUESTS);
        let (to_chat, frames) = mpsc::channel(FRAMES);
        tokio::spawn(Player::new(self.speed).run(from_chat, to_chat));
        Link { requests, frames }
    }
}
