//! The journal in an SQLite file: one thread writes, a few connections read, searches have one of their own.

use std::{
    path::Path,
    sync::mpsc::{self, Sender},
    thread,
};

use iris_core::{
    ids::{ClientId, FileId},
    protocol::frame::SearchHit,
    stall::record::StreamRecord,
};

use super::{
    Answer, ChatKey, Journal, Mark, OpenError, Page, Range, Restored, StreamsWanted, Write, reader,
    reader::Readers, restore, schema, search, streams, tapes, writer,
};
use crate::hub::tape::Tape;

/// Connections that read at one time.
const READERS: usize = 4;

/// A journal in a file.
#[derive(Debug)]
pub struct Sqlite {
    writes: Sender<Write>,
    readers: Readers,
    searcher: Readers,
}

impl Sqlite {
    /// Opens the file, or makes it, and reads what a new life of the adapter must know. `now_us`: microseconds since 1970.
    pub fn open(file: &Path, now_us: u64) -> Result<(Self, Restored), OpenError> {
        let mut connection = schema::open(file)?;
        let restored =
            restore::begin(&mut connection, now_us).map_err(|error| OpenError::of(file, &error))?;
        let (writes, to_write) = mpsc::channel();
        let name = "journal".to_owned();
        thread::Builder::new()
            .name(name)
            .spawn(move || writer::run(connection, &to_write))
            .map_err(|error| OpenError::Other { file: file.to_owned(), why: error.to_string() })?;
        let readers = |count| Readers::new(file.to_owned(), count);
        Ok((Self { writes, readers: readers(READERS), searcher: readers(1) }, restored))
    }
}

/// How streamed replies went, read beside an adapter that may be at work.
pub fn streams_of(file: &Path, wanted: StreamsWanted) -> Result<Vec<StreamRecord>, OpenError> {
    let trouble = |error: rusqlite::Error| OpenError::of(file, &error);
    let connection = schema::open_to_read(file).map_err(trouble)?;
    // An Iris of before has kept none.
    if !connection.table_exists(None, "streams").map_err(trouble)? {
        return Ok(Vec::new());
    }
    streams::find(&connection, wanted).map_err(trouble)
}

impl Journal for Sqlite {
    fn write(&self, write: Write) {
        if self.writes.send(write).is_err() {
            tracing::error!("the thread that writes the journal is gone");
        }
    }

    fn page(&self, chat: ChatKey, range: Range) -> Answer<Page> {
        self.readers.ask(move |db| reader::page(db, chat, range))
    }

    fn said(&self, chat: ChatKey, device: String, client_id: ClientId) -> Answer<Option<Mark>> {
        self.readers.ask(move |db| reader::said(db, chat, &device, &client_id))
    }

    fn files(&self, chat: ChatKey) -> Answer<Vec<FileId>> {
        self.readers.ask(move |db| reader::files(db, chat))
    }

    fn search(&self, query: String) -> Answer<Vec<SearchHit>> {
        self.searcher.ask(move |db| search::search(db, &query))
    }

    fn streams(&self, wanted: StreamsWanted) -> Answer<Vec<StreamRecord>> {
        self.readers.ask(move |db| streams::find(db, wanted))
    }

    fn tapes(&self, chat: ChatKey) -> Answer<Vec<Tape>> {
        self.readers.ask(move |db| tapes::find(db, chat))
    }
}
