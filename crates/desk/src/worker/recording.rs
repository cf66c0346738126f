//! One file and how it is played.

use iris_core::ids::ChatId;
use iris_core::protocol::frame::ChatSummary;
use iris_core::run::{Indexer, Player};
use web_sys::File;

use crate::wire::State;

/// One file and how it is played.
pub(super) struct Recording {
    pub(super) chat: ChatId,
    pub(super) file: File,
    pub(super) title: String,
    pub(super) indexer: Indexer,
    pub(super) player: Player,
    /// It is a run, and stands in the list.
    pub(super) accepted: bool,
    /// Bytes are being read for the player.
    pub(super) reading: bool,
    /// It was played before.
    pub(super) played: bool,
    /// What the app was told of whether it runs.
    pub(super) told_running: bool,
    /// Why the file cannot be read any more.
    pub(super) trouble: Option<String>,
}

impl Recording {
    pub(super) fn new(chat: ChatId, file: File) -> Self {
        let name = file.name();
        let title = name.strip_suffix(".jsonl").unwrap_or(&name).to_owned();
        Self {
            player: Player::new(chat.clone()),
            chat,
            file,
            title,
            indexer: Indexer::new(),
            accepted: false,
            reading: false,
            played: false,
            told_running: false,
            trouble: None,
        }
    }

    /// As it stands in the list of chats.
    pub(super) fn summary(&self) -> ChatSummary {
        let updated_ms = self.indexer.index().began_ms.unwrap_or(self.file.last_modified() as u64);
        ChatSummary {
            id: self.chat.clone(),
            title: self.title.clone(),
            updated_ms,
            running: self.player.is_playing(),
        }
    }

    /// How it stands at this time.
    pub(super) fn state(&self, now_ms: u64) -> State {
        let index = self.indexer.index();
        State {
            title: self.title.clone(),
            position_ms: self.player.position(index, now_ms),
            end_ms: index.end_ms,
            recorded_ms: index.recorded_ms,
            playing: self.player.is_playing(),
            speed: self.player.speed(),
            complete: index.complete,
            read: (index.bytes, self.file.size() as u64),
            trouble: self.trouble.clone(),
        }
    }
}
