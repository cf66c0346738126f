//! Reading: connections of their own, so that nobody who reads waits for whoever writes.

use std::{
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
};

use iris_core::ids::{ClientId, FileId};
use rusqlite::{Connection, OptionalExtension, params};
use tokio::{sync::Semaphore, task::spawn_blocking};

use super::{Answer, ChatKey, Kind, Mark, Page, Range, Trouble, schema, writer::trouble};

/// A few connections, opened when they are needed.
#[derive(Clone, Debug)]
pub(super) struct Readers {
    file: PathBuf,
    idle: Arc<Mutex<Vec<Connection>>>,
    places: Arc<Semaphore>,
}

impl Readers {
    /// At most so many at one time.
    pub(super) fn new(file: PathBuf, count: usize) -> Self {
        Self { file, idle: Arc::default(), places: Arc::new(Semaphore::new(count)) }
    }

    /// Asks on a thread where it may take its time; what is asked sees one moment of the database.
    pub(super) fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Answer<T> {
        let readers = self.clone();
        Box::pin(async move {
            let other = |error: &dyn std::fmt::Display| Trouble::Other(error.to_string());
            let place = readers.places.clone().acquire_owned().await.map_err(|error| other(&error))?;
            let answer = spawn_blocking(move || {
                let _place = place;
                readers.now(question).map_err(|error| trouble(&error))
            });
            answer.await.map_err(|error| other(&error))?
        })
    }

    fn now<T>(&self, question: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> rusqlite::Result<T> {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let ready = idle().pop();
        let connection = match ready {
            Some(connection) => connection,
            None => schema::open_to_read(&self.file)?,
        };
        let moment = connection.unchecked_transaction()?;
        let answer = question(&moment)?;
        moment.finish()?;
        idle().push(connection);
        Ok(answer)
    }
}

/// The message that this device sent under this id.
pub(super) fn said(
    db: &Connection,
    chat: ChatKey,
    device: &str,
    client_id: &ClientId,
) -> rusqlite::Result<Option<Mark>> {
    db.prepare_cached("SELECT message_id, seq FROM said WHERE chat = ? AND device = ? AND client_id = ?")?
        .query_row(params![chat.0, device, client_id.as_str()], |row| {
            Ok(Mark {
                device: device.to_owned(),
                client_id: client_id.clone(),
                message_id: row.get::<_, String>(0)?.into(),
                seq: row.get(1)?,
            })
        })
        .optional()
}

/// The files that no other chat has.
pub(super) fn files(db: &Connection, chat: ChatKey) -> rusqlite::Result<Vec<FileId>> {
    db.prepare_cached(
        "SELECT DISTINCT file FROM files WHERE chat = ?1 AND NOT EXISTS \
         (SELECT 1 FROM files AS other WHERE other.file = files.file AND other.chat <> ?1)",
    )?
    .query_map([chat.0], |row| row.get::<_, String>(0).map(FileId::from))?
    .collect()
}

/// The frames of a range.
pub(super) fn page(db: &Connection, chat: ChatKey, range: Range) -> rusqlite::Result<Page> {
    if let Some(after) = range.after
        && fits(db, chat, after, range)?
    {
        return Ok(Page { frames: frames(db, chat, after + 1, range.upto)?, before: None, whole: false });
    }
    let from = match range.limit {
        Some(limit) => begin(db, chat, range.upto, limit)?,
        None => None,
    };
    let before = match from {
        Some(from) => previous(db, chat, from)?.map(|_| from),
        None => None,
    };
    Ok(Page { frames: frames(db, chat, from.unwrap_or(0), range.upto)?, before, whole: true })
}

/// No more than the limit comes after this number.
fn fits(db: &Connection, chat: ChatKey, after: u64, range: Range) -> rusqlite::Result<bool> {
    let Some(limit) = range.limit else { return Ok(true) };
    let count: u64 = db
        .prepare_cached(
            "SELECT count(*) FROM (SELECT 1 FROM frames WHERE chat = ? AND seq > ? AND seq <= ? LIMIT ?)",
        )?
        .query_row(params![chat.0, after, range.upto, u64::from(limit) + 1], |row| row.get(0))?;
    Ok(count <= u64::from(limit))
}

fn frames(db: &Connection, chat: ChatKey, from: u64, upto: u64) -> rusqlite::Result<Vec<Arc<str>>> {
    db.prepare_cached("SELECT json FROM frames WHERE chat = ? AND seq >= ? AND seq <= ? ORDER BY seq")?
        .query_map(params![chat.0, from, upto], |row| {
            row.get_ref(0)?.as_str().map(Arc::from).map_err(Into::into)
        })?
        .collect()
}

/// Where the last `limit` frames begin, rounded up to whole turns, with the message that each turn answers. `None`: with the
/// chat.
fn begin(db: &Connection, chat: ChatKey, upto: u64, limit: u32) -> rusqlite::Result<Option<u64>> {
    let place: Option<u64> = db
        .prepare_cached(
            "SELECT seq FROM frames WHERE chat = ? AND seq <= ? ORDER BY seq DESC LIMIT 1 OFFSET ?",
        )?
        .query_row(params![chat.0, upto, limit.saturating_sub(1)], |row| row.get(0))
        .optional()?;
    let Some(place) = place else { return Ok(None) };
    let turn: Option<u64> = db
        .prepare_cached("SELECT max(seq) FROM frames WHERE chat = ? AND seq <= ? AND kind = 1")?
        .query_row(params![chat.0, place], |row| row.get(0))?;
    // Before the first turn nothing can be cut through.
    let mut from = turn.unwrap_or(place);
    while let Some((seq, true)) = previous(db, chat, from)? {
        from = seq;
    }
    Ok(Some(from))
}

/// The frame before this one, and whether it is a user's.
fn previous(db: &Connection, chat: ChatKey, seq: u64) -> rusqlite::Result<Option<(u64, bool)>> {
    db.prepare_cached("SELECT seq, kind FROM frames WHERE chat = ? AND seq < ? ORDER BY seq DESC LIMIT 1")?
        .query_row(params![chat.0, seq], |row| Ok((row.get(0)?, row.get::<_, i64>(1)? == Kind::User as i64)))
        .optional()
}
