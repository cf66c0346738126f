//! The chats and the devices between which they are shared. The hub owns which chats there are; each chat is an actor
//! of its own (`chat/`), so that a busy one never holds up another.

mod bye;
pub mod chat;
pub mod directory;
pub mod fanout;
mod keeper;
pub mod limits;
pub mod pace;
pub mod queue;
pub mod shelf;
pub mod socket;
pub mod speech;
pub mod tape;
pub mod transcript;

use std::{
    collections::HashMap,
    fmt,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use iris_core::{
    ids::{ChatId, ClientId},
    protocol::frame::{ChatSummary, SearchHit, ServerFrame, Suggestion},
    stall::record::StreamRecord,
};
use tokio::{
    sync::{broadcast, mpsc, watch},
    task::JoinHandle,
    time::timeout,
};

use crate::{
    backend::{About, Backend, Opening},
    journal::{ChatKey, Journal, Kept, NewChat, Range, Restored, Span, StreamsWanted, Trouble, What},
};
use chat::{Chat, Command, Surroundings};
use directory::Directory;
use keeper::{settled, written};
use shelf::Shelf;
use tape::Tape;

/// Chats at one time.
const MAX_CHATS: usize = 500;
/// Requests that may wait for one chat.
const WAITING: usize = 64;
/// A chat has this long to give what it has to the journal when the adapter stops.
const CLOSE_WITHIN: Duration = Duration::from_secs(2);
/// What the hub itself can do, besides what the backend can.
const CAPABILITIES: [&str; 4] = ["append", "continue", "history", "search"];

/// The chats of this adapter. Cheap to clone.
#[derive(Clone)]
pub struct Hub {
    inner: Arc<Inner>,
}

impl fmt::Debug for Hub {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hub").finish_non_exhaustive()
    }
}

struct Inner {
    backend: Arc<dyn Backend>,
    around: Surroundings,
    chats: Mutex<Chats>,
    /// Chats are made and removed one after the other.
    changing: tokio::sync::Mutex<()>,
    /// Every number of this life is above this one, and every key and id of a new chat is made of it.
    base: u64,
    next_peer: AtomicU64,
}

#[derive(Default)]
struct Chats {
    open: HashMap<ChatId, Open>,
    /// Who asked for which chat: asking again gives the same one.
    created: HashMap<(String, ClientId), ChatId>,
    count: u32,
}

/// A chat that works.
struct Open {
    key: ChatKey,
    commands: mpsc::Sender<Command>,
    task: JoinHandle<()>,
}

/// All of a chat.
#[derive(Debug)]
pub struct Transcribed {
    /// Its title; may be empty.
    pub title: String,
    /// Its frames as they stand on the wire, in their order.
    pub frames: Vec<Arc<str>>,
    /// Its last turns with their times, the oldest first.
    pub tapes: Vec<Tape>,
}

/// Why there is no new chat.
#[derive(Debug)]
pub enum NotCreated {
    /// There are enough.
    TooMany,
    /// It cannot be kept.
    Trouble(Trouble),
}

impl Hub {
    /// A hub with the chats of the journal, or with one empty chat.
    pub async fn open(
        backend: Arc<dyn Backend>,
        journal: Arc<dyn Journal>,
        restored: Restored,
        shelf: Arc<dyn Shelf>,
        text_gap: Duration,
    ) -> Result<Self, Trouble> {
        let about = backend.about();
        let around = Surroundings { directory: Arc::default(), journal, shelf, about, text_gap };
        tokio::spawn(announce(around.about.clone(), around.directory.clone()));
        let hub = Self {
            inner: Arc::new(Inner {
                backend,
                around,
                chats: Mutex::default(),
                changing: tokio::sync::Mutex::default(),
                base: restored.base,
                next_peer: AtomicU64::new(1),
            }),
        };
        let none = restored.chats.is_empty();
        hub.with(|chats| restored.chats.into_iter().for_each(|kept| hub.start(chats, kept)));
        if none {
            hub.add(None, String::new()).await?;
        }
        Ok(hub)
    }

    /// Makes a chat, once for each wish.
    pub async fn create(
        &self,
        device: &str,
        client_id: &ClientId,
        title: Option<String>,
    ) -> Result<ChatId, NotCreated> {
        let _alone = self.inner.changing.lock().await;
        let wish = (device.to_owned(), client_id.clone());
        let (known, count) = self.with(|chats| {
            let known = chats.created.get(&wish).filter(|id| chats.open.contains_key(*id)).cloned();
            (known, chats.open.len())
        });
        match known {
            Some(id) => Ok(id),
            None if count >= MAX_CHATS => Err(NotCreated::TooMany),
            None => self.add(Some(wish), title.unwrap_or_default()).await.map_err(NotCreated::Trouble),
        }
    }

    /// Removes a chat everywhere. `false`: there is none.
    pub async fn delete(&self, chat: &ChatId) -> Result<bool, Trouble> {
        let _alone = self.inner.changing.lock().await;
        let Some(key) = self.with(|chats| chats.open.get(chat).map(|open| open.key)) else {
            return Ok(false);
        };
        let around = &self.inner.around;
        let files = around.journal.files(key).await?;
        written(&around.journal, What::Delete(key)).await?;
        // Its actor ends when the last sender is gone, and with it the backend's work.
        self.with(|chats| chats.open.remove(chat));
        around.directory.remove(chat);
        self.inner.backend.forget(chat);
        around.shelf.remove(files).await;
        Ok(true)
    }

    /// The line to a chat.
    pub fn chat(&self, chat: &ChatId) -> Option<mpsc::Sender<Command>> {
        self.with(|chats| chats.open.get(chat).map(|open| open.commands.clone()))
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
        self.inner.around.directory.list()
    }

    /// News about the list of chats and the backend, as they stand on the wire.
    pub fn news(&self) -> broadcast::Receiver<Arc<str>> {
        self.inner.around.directory.news()
    }

    /// What stands behind the chats, and what it and the hub can do.
    pub fn about(&self) -> About {
        offered(&self.inner.around.about.borrow())
    }

    /// What an empty chat may offer.
    pub fn suggestions(&self) -> Vec<Suggestion> {
        self.inner.backend.suggestions()
    }

    /// Where these words stand.
    pub async fn search(&self, query: String) -> Result<Vec<SearchHit>, Trouble> {
        self.inner.around.journal.search(query).await
    }

    /// How streamed replies went, the newest first.
    pub async fn streams(&self, wanted: StreamsWanted) -> Result<Vec<StreamRecord>, Trouble> {
        self.inner.around.journal.streams(wanted).await
    }

    /// All of a chat as it is on disk. `None`: there is no such chat.
    pub async fn transcribe(&self, chat: &ChatId) -> Result<Option<Transcribed>, Trouble> {
        let Some(key) = self.with(|chats| chats.open.get(chat).map(|open| open.key)) else {
            return Ok(None);
        };
        let journal = &self.inner.around.journal;
        let upto = u64::try_from(i64::MAX).unwrap_or(0);
        let page = journal.page(key, Range { after: None, upto, limit: None }).await?;
        let tapes = journal.tapes(key).await?;
        let title = self.list().into_iter().find(|summary| summary.id == *chat).map(|summary| summary.title);
        Ok(Some(Transcribed { title: title.unwrap_or_default(), frames: page.frames, tapes }))
    }

    /// A number for a new socket.
    pub fn next_peer(&self) -> u64 {
        self.inner.next_peer.fetch_add(1, Ordering::Relaxed)
    }

    /// Ends the work of every chat; when this returns, everything that happened is on disk.
    pub async fn close(&self) {
        let open: Vec<_> = self.with(|chats| chats.open.drain().map(|(_, open)| open).collect());
        // Dropping their lines tells them.
        let tasks: Vec<_> = open.into_iter().map(|open| open.task).collect();
        for task in tasks {
            if timeout(CLOSE_WITHIN, task).await.is_err() {
                tracing::warn!("a chat does not end");
            }
        }
        if let Err(trouble) = settled(&self.inner.around.journal).await {
            tracing::error!(%trouble, "not everything is on disk");
        }
    }

    async fn add(&self, wish: Option<(String, ClientId)>, title: String) -> Result<ChatId, Trouble> {
        let count = self.with(|chats| {
            chats.count += 1;
            chats.count
        });
        let base = self.inner.base;
        let id = ChatId(format!("chat-{base:x}-{count}"));
        let key = ChatKey(i64::try_from(base).unwrap_or(0) + i64::from(count));
        let updated_ms = now_ms();
        let new = NewChat { key, id: id.clone(), title: title.clone(), updated_ms, wish: wish.clone(), base };
        written(&self.inner.around.journal, What::Create(new)).await?;
        let kept = Kept {
            key,
            id: id.clone(),
            title,
            updated_ms,
            wish,
            memory: None,
            turn: None,
            spans: vec![Span { base, last: base }],
            tail: Vec::new(),
            unsaid: Vec::new(),
        };
        self.with(|chats| self.start(chats, kept));
        Ok(id)
    }

    fn start(&self, chats: &mut Chats, kept: Kept) {
        let (id, key, base) = (kept.id.clone(), kept.key, self.inner.base);
        if let Some(wish) = kept.wish.clone() {
            chats.created.retain(|_, id| chats.open.contains_key(id));
            chats.created.insert(wish, id.clone());
        }
        let opening = Opening {
            prefix: format!("{base:x}-"),
            memory: kept.memory.clone(),
            open_turn: kept.turn.clone(),
        };
        let link = self.inner.backend.open(&id, opening);
        let (commands, receiver) = mpsc::channel(WAITING);
        let chat = Chat::new(kept, base, link, self.inner.around.clone());
        let task = tokio::spawn(chat.run(receiver));
        chats.open.insert(id, Open { key, commands, task });
    }

    fn with<T>(&self, work: impl FnOnce(&mut Chats) -> T) -> T {
        work(&mut self.inner.chats.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Passes on what the backend says of itself.
async fn announce(mut about: watch::Receiver<About>, directory: Arc<Directory>) {
    while about.changed().await.is_ok() {
        let About { info, capabilities, commands, .. } = offered(&about.borrow_and_update());
        directory.announce(&ServerFrame::BackendUpdated { backend: info, capabilities, commands });
    }
}

/// What the backend says of itself, with what the hub can do.
fn offered(about: &About) -> About {
    let mut about = about.clone();
    let own = CAPABILITIES.iter().map(|word| (*word).to_owned());
    about.capabilities.retain(|word| !CAPABILITIES.contains(&word.as_str()));
    about.capabilities.splice(0..0, own);
    about
}

/// Milliseconds since 1970.
pub(crate) fn now_ms() -> u64 {
    u64::try_from(since_1970().as_millis()).unwrap_or(0)
}

/// Microseconds since 1970.
pub fn now_us() -> u64 {
    u64::try_from(since_1970().as_micros()).unwrap_or(0)
}

fn since_1970() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

#[cfg(test)]
mod tests;
