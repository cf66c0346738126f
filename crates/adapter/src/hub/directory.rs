//! The list of chats as every device sees it, and the news about it. What is *in* a chat is not known here.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use iris_core::{
    ids::ChatId,
    protocol::frame::{ChatSummary, ServerFrame},
};
use tokio::sync::broadcast;

use super::fanout::{spell, spell_plain};

/// News that a device may be behind; more than that and it gets the whole list again.
const NEWS: usize = 256;

/// The list of chats.
#[derive(Debug)]
pub struct Directory {
    chats: Mutex<HashMap<ChatId, ChatSummary>>,
    news: broadcast::Sender<Arc<str>>,
}

impl Default for Directory {
    fn default() -> Self {
        Self { chats: Mutex::default(), news: broadcast::channel(NEWS).0 }
    }
}

impl Directory {
    /// Adds a chat, and tells everyone.
    pub fn add(&self, summary: ChatSummary) {
        self.with(|chats| chats.insert(summary.id.clone(), summary.clone()));
        self.tell(&summary.id.clone(), &ServerFrame::ChatUpdated { chat: summary });
    }

    /// Changes what is said of a chat, and tells everyone. A chat that was removed stays removed.
    pub fn update(&self, summary: ChatSummary) {
        let there = self.with(|chats| match chats.get_mut(&summary.id) {
            Some(chat) => {
                *chat = summary.clone();
                true
            }
            None => false,
        });
        if there {
            self.tell(&summary.id.clone(), &ServerFrame::ChatUpdated { chat: summary });
        }
    }

    /// Takes a chat off the list, and tells everyone.
    pub fn remove(&self, chat: &ChatId) {
        if self.with(|chats| chats.remove(chat)).is_some() {
            self.tell(chat, &ServerFrame::ChatRemoved);
        }
    }

    /// Tells everyone something that is about no chat.
    pub fn announce(&self, frame: &ServerFrame) {
        self.pass_on(spell_plain(frame));
    }

    /// Every chat, the last changed first.
    pub fn list(&self) -> Vec<ChatSummary> {
        let mut list: Vec<_> = self.with(|chats| chats.values().cloned().collect());
        list.sort_by(|a, b| b.updated_ms.cmp(&a.updated_ms).then_with(|| a.id.cmp(&b.id)));
        list
    }

    /// What happens to the list from now on, as it stands on the wire.
    pub fn news(&self) -> broadcast::Receiver<Arc<str>> {
        self.news.subscribe()
    }

    fn tell(&self, chat: &ChatId, frame: &ServerFrame) {
        self.pass_on(spell(chat, None, frame));
    }

    fn pass_on(&self, news: Arc<str>) {
        // An error only means that no device is connected.
        drop(self.news.send(news));
    }

    fn with<T>(&self, work: impl FnOnce(&mut HashMap<ChatId, ChatSummary>) -> T) -> T {
        work(&mut self.chats.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
