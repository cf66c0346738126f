//! What stays of the chats when the adapter does not: a small trait, and SQLite behind it. Owns what is on disk and how it
//! gets there; what is written, and when, the chats decide (`hub/`).
//!
//! Two promises hold the rest up. Writes are carried out in the order in which they were given, each one whole or not at
//! all; so what is on disk is always the state that a chat had at one of its numbers. And which number that was is on disk
//! as well ([`Span`]): a device that saw more than what was kept is recognised, and starts over.

mod reader;
mod restore;
mod schema;
mod search;
mod sqlite;
mod streams;
mod tapes;
mod writer;

use std::{
    future::Future,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use iris_core::{
    ids::{ChatId, ClientId, FileId, MessageId, TurnId},
    protocol::frame::{SearchHit, SendMode},
    stall::record::StreamRecord,
};
use tokio::sync::{Notify, oneshot};

use crate::hub::tape::Tape;

pub use restore::{Kept, Restored, Unsaid};
pub use schema::OpenError;
pub(crate) use search::plain as searchable;
pub use sqlite::{Sqlite, streams_of};

/// An answer of the journal, later.
pub type Answer<T> = Pin<Box<dyn Future<Output = Result<T, Trouble>> + Send>>;

/// Where chats are kept.
pub trait Journal: Send + Sync {
    /// Writes, after everything that was given before.
    fn write(&self, write: Write);
    /// Frames that are on disk.
    fn page(&self, chat: ChatKey, range: Range) -> Answer<Page>;
    /// The message that this device sent under this id.
    fn said(&self, chat: ChatKey, device: String, client_id: ClientId) -> Answer<Option<Mark>>;
    /// The files that only this chat has.
    fn files(&self, chat: ChatKey) -> Answer<Vec<FileId>>;
    /// Where these words stand.
    fn search(&self, query: String) -> Answer<Vec<SearchHit>>;
    /// How streamed replies went, the newest first.
    fn streams(&self, wanted: StreamsWanted) -> Answer<Vec<StreamRecord>>;
    /// The tapes of a chat's last turns, the oldest first.
    fn tapes(&self, chat: ChatKey) -> Answer<Vec<Tape>>;
}

/// Why something could not be written or read, for people.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Trouble {
    /// No place.
    #[error("the disk is full")]
    Full,
    /// Anything else, as SQLite says it.
    #[error("{0}")]
    Other(String),
}

/// A chat in the journal. No two chats ever have the same, not even one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ChatKey(pub i64);

/// Something to write.
#[derive(Debug)]
pub struct Write {
    /// What.
    pub what: What,
    /// Who waits for it.
    pub done: Done,
}

/// What can be written.
#[derive(Debug)]
pub enum What {
    /// A chat begins.
    Create(NewChat),
    /// A chat goes, with everything of it.
    Delete(ChatKey),
    /// Something of a chat changes. Of a chat that is gone nothing does.
    Change(ChatKey, Vec<Change>),
    /// Nothing: it is about what was given before.
    Nothing,
}

/// Who waits for a write, which also says how safe it must be. What nobody waits for, or waits for patiently, is tried
/// again until it succeeds.
#[derive(Debug)]
pub enum Done {
    /// Nobody.
    Nobody,
    /// The chat wants to know up to which of its numbers the disk has everything.
    Reached(Arc<Reached>, u64),
    /// Somebody who needs it to survive a power cut, and has patience.
    Noted(oneshot::Sender<()>),
    /// Somebody who needs it to survive a power cut, or to know that it failed; then nothing of it is written.
    Answer(oneshot::Sender<Result<(), Trouble>>),
}

/// A new chat.
#[derive(Clone, Debug)]
pub struct NewChat {
    /// Its key.
    pub key: ChatKey,
    /// Its id.
    pub id: ChatId,
    /// Its title; may be empty.
    pub title: String,
    /// When, milliseconds since 1970.
    pub updated_ms: u64,
    /// The device that wished for it, and under which id.
    pub wish: Option<(String, ClientId)>,
    /// Its numbers come after this one.
    pub base: u64,
}

/// One step of a change.
#[derive(Clone, Debug)]
pub enum Change {
    /// A frame is this.
    Put(Row),
    /// A frame is not needed any more.
    Drop(u64),
    /// These numbers are known.
    Known(Span),
    /// No number after this one is known.
    Unknown(u64),
    /// A user's message was acknowledged.
    Said(Mark, Option<SendMode>),
    /// The agent has it.
    Taken(MessageId),
    /// The backend's note to itself.
    Memory(String),
    /// What is said of the chat as a whole.
    Head(Head),
    /// How a streamed reply went; of the newest [`STREAMS`] in all chats.
    Streamed(Box<StreamRecord>),
    /// When what of a turn was told; of the last turns of each chat.
    Taped(Tape),
}

/// Stream records that are kept, the newest.
pub const STREAMS: u32 = 5_000;

/// Which stream records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StreamsWanted {
    /// Those that began at this time or later, milliseconds since 1970.
    pub since_ms: u64,
    /// Only those that were cut.
    pub cut: bool,
}

/// A frame on disk.
#[derive(Clone, Debug)]
pub struct Row {
    /// Its number.
    pub seq: u64,
    /// What pages are made by.
    pub kind: Kind,
    /// The whole frame as it stands on the wire.
    pub json: Arc<str>,
    /// What it is found by.
    pub words: Option<String>,
    /// The files that it names.
    pub files: Vec<FileId>,
}

/// The frames that a page may begin with, and the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Any other.
    Other = 0,
    /// `turn.start`.
    Turn = 1,
    /// `user.message`.
    User = 2,
}

/// Numbers under which a device may know the transcript: `base` is the one before the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// It had everything that was before this span.
    pub base: u64,
    /// The last one.
    pub last: u64,
}

/// An acknowledged message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The device that sent it.
    pub device: String,
    /// Its id of it.
    pub client_id: ClientId,
    /// Ours.
    pub message_id: MessageId,
    /// Its number.
    pub seq: u64,
}

/// What is said of a chat as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// Its title.
    pub title: String,
    /// Its last change.
    pub updated_ms: u64,
    /// The turn that runs.
    pub turn: Option<TurnId>,
    /// Where its last turn began.
    pub turn_seq: Option<u64>,
    /// Something in it is open: who goes on with it needs its last turn.
    pub live: bool,
}

/// Which frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Range {
    /// Those after this number; of more than `limit` only the end, as if there were no such number.
    pub after: Option<u64>,
    /// Up to this one.
    pub upto: u64,
    /// So many of the end, rounded up to whole turns.
    pub limit: Option<u32>,
}

/// Frames from disk.
#[derive(Clone, Debug, Default)]
pub struct Page {
    /// The frames as they stand on the wire, in their order.
    pub frames: Vec<Arc<str>>,
    /// There is more before this number.
    pub before: Option<u64>,
    /// They are not what comes after the number that was asked for.
    pub whole: bool,
}

/// Up to which of a chat's numbers the disk has everything.
#[derive(Debug, Default)]
pub struct Reached {
    seq: AtomicU64,
    news: Notify,
}

impl Reached {
    /// From disk up to here already.
    pub fn new(seq: u64) -> Self {
        Self { seq: AtomicU64::new(seq), news: Notify::new() }
    }

    /// The number.
    pub fn seq(&self) -> u64 {
        self.seq.load(Ordering::Acquire)
    }

    /// It is at least this now.
    pub fn raise(&self, seq: u64) {
        self.seq.fetch_max(seq, Ordering::AcqRel);
        self.news.notify_one();
    }

    /// Waits for news; may return without any.
    pub async fn changed(&self) {
        self.news.notified().await;
    }
}
