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
use tokio::sync::{mpsc, watch};

use super::{About, Backend, Event, Link, Opening, lost};
use player::Player;

/// Frames that may wait for the chat; the player waits with them.
const FRAMES: usize = 256;
const REQUESTS: usize = 64;

/// The demo backend.
#[derive(Clone, Debug)]
pub struct Demo {
    speed: f64,
    about: watch::Sender<About>,
}

impl Demo {
    /// A demo that plays `speed` times as fast as it was recorded.
    pub fn new(speed: f64) -> Self {
        let info = BackendInfo {
            kind: "demo".to_owned(),
            label: "Recordings of Hermes".to_owned(),
            model: None,
            trouble: None,
        };
        let capabilities = vec!["files".to_owned(), "queue".to_owned()];
        let about = About { info, capabilities, commands: Vec::new(), has_texts: None };
        Self { speed, about: watch::Sender::new(about) }
    }
}

impl Backend for Demo {
    fn about(&self) -> watch::Receiver<About> {
        self.about.subscribe()
    }

    fn suggestions(&self) -> Vec<Suggestion> {
        suggestions::all()
    }

    fn open(&self, _chat: &ChatId, opening: Opening) -> Link {
        let (requests, from_chat) = mpsc::channel(REQUESTS);
        let (to_chat, events) = mpsc::channel(FRAMES);
        let player = Player::new(self.speed, opening.prefix);
        tokio::spawn(async move {
            // A recording that was playing died with the adapter that played it.
            if let Some(turn) = opening.open_turn
                && to_chat
                    .send(Event::Frame(lost(turn, "Iris was stopped while this turn ran.")))
                    .await
                    .is_err()
            {
                return;
            }
            player.run(from_chat, to_chat).await;
        });
        Link { requests, events }
    }
}
