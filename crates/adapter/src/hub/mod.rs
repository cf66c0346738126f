//! The chats and the devices between which they are shared. The hub owns which chats there are; each chat is an actor
//! of its own (`chat.rs`), so that a busy one never holds up another.

mod bye;
pub mod chat;
pub mod directory;
pub mod fanout;
pub mod journal;
pub mod limits;
pub mod socket;

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use iris_core::{
    ids::{ChatId, ClientId},
    protocol::frame::{BackendInfo, ChatSummary, Suggestion},
};
use tokio::sync::{broadcast, mpsc};

use crate::backend::{Backend, Opening};
use chat::{Chat, Command};
use directory::Directory;

/// Chats at one time.
const MAX_CHATS: usize = 200;
/// Requests that may wait for one chat.
const WAITING: usize = 64;
/// The chat that is always there when the adapter starts.
const FIRST_CHAT: &str = "chat-1";

/// The chats of this adapter. Cheap to clone.
#[derive(Clone)]
pub struct Hub {
    inner: Arc<Inner>,
}

struct Inner {
    backend: Arc<dyn Backend>,
    directory: Arc<Directory>,
    chats: Mutex<Chats>,
    /// When the adapter started, in microseconds: chats of one start have other ids than those of another, and their
    /// frames other numbers, since no chat has a frame each microsecond.
    started_us: u64,
    next_peer: AtomicU64,
}

#[derive(Default)]
struct Chats {
    open: HashMap<ChatId, mpsc::Sender<Command>>,
    /// Who asked for which chat: asking again gives the same one.
    created: HashMap<(String, ClientId), ChatId>,
    count: u64,
}

impl Hub {
    /// A hub with one empty chat.
    pub fn new(backend: Arc<dyn Backend>) -> Self {
        let hub = Self {
            inner: Arc::new(Inner {
                backend,
                directory: Arc::default(),
                chats: Mutex::default(),
                started_us: u64::try_from(since_1970().as_micros()).unwrap_or(0),
                next_peer: AtomicU64::new(1),
            }),
        };
        hub.with(|chats| hub.open(chats, FIRST_CHAT.into(), String::new()));
        hub
    }

    /// Makes a chat, once for each wish. `None`: there are too many.
    pub fn create(&self, device: &str, client_id: &ClientId, title: Option<String>) -> Option<ChatId> {
        let wish = (device.to_owned(), client_id.clone());
        self.with(|chats| {
            if let Some(id) = chats.created.get(&wish).filter(|id| chats.open.contains_key(*id)) {
                return Some(id.clone());
            }
            if chats.open.len() >= MAX_CHATS {
                return None;
            }
            let id = ChatId(format!("chat-{:x}-{}", self.inner.started_us, chats.count + 1));
            chats.created.retain(|_, id| chats.open.contains_key(id));
            chats.created.insert(wish, id.clone());
            self.open(chats, id.clone(), title.unwrap_or_default());
            Some(id)
        })
    }

    /// Removes a chat everywhere. `false`: there is none.
    pub fn delete(&self, chat: &ChatId) -> bool {
        // Its actor ends when the last sender is gone, and with it the backend's work.
        let there = self.with(|chats| chats.open.remove(chat)).is_some();
        if there {
            self.inner.directory.remove(chat);
        }
        there
    }

    /// The line to a chat.
    pub fn chat(&self, chat: &ChatId) -> Option<mpsc::Sender<Command>> {
        self.with(|chats| chats.open.get(chat).cloned())
    }

    /// The chat that is meant by a peer that names none: the only one there is.
    pub fn only_chat(&self) -> Option<ChatId> {
        self.with(|chats| {
            let mut ids = chats.open.keys();
            ids.next().filter(|_| ids.next().is_none()).cloned()
        })
    }

    /// Every chat, the last changed first.
    pub fn list(&self) -> Vec<ChatSummary> {
        self.inner.directory.list()
    }

    /// News about the list of chats, as they stand on the wire.
    pub fn news(&self) -> broadcast::Receiver<Arc<str>> {
        self.inner.directory.news()
    }

    /// What stands behind the chats.
    pub fn backend(&self) -> BackendInfo {
        self.inner.backend.about().borrow().info.clone()
    }

    /// What an empty chat may offer.
    pub fn suggestions(&self) -> Vec<Suggestion> {
        self.inner.backend.suggestions()
    }

    /// A number for a new socket.
    pub fn next_peer(&self) -> u64 {
        self.inner.next_peer.fetch_add(1, Ordering::Relaxed)
    }

    fn open(&self, chats: &mut Chats, id: ChatId, title: String) {
        chats.count += 1;
        let (commands, receiver) = mpsc::channel(WAITING);
        chats.open.insert(id.clone(), commands);
        let link = self.inner.backend.open(&id, Opening::default());
        let chat = Chat::new(id, title, self.inner.started_us, link, self.inner.directory.clone());
        tokio::spawn(chat.run(receiver));
    }

    fn with<T>(&self, work: impl FnOnce(&mut Chats) -> T) -> T {
        work(&mut self.inner.chats.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Milliseconds since 1970.
fn now_ms() -> u64 {
    u64::try_from(since_1970().as_millis()).unwrap_or(0)
}

fn since_1970() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}
