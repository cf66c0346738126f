//! The one thread that writes. Everything that waits goes into one transaction: a hundred chats that stream cost no more
//! commits than one. What must survive a power cut is synced to the disk, and with it everything before it.

use std::{
    sync::mpsc::{Receiver, RecvTimeoutError},
    time::Duration,
};

use rusqlite::{Connection, ErrorCode, OptionalExtension, Transaction, params};

use super::{Change, ChatKey, Done, Head, Mark, NewChat, Row, Trouble, What, Write, streams, tapes};
use iris_core::protocol::frame::SendMode;

/// Writes in one transaction.
const AT_ONCE: usize = 1_000;
/// How soon what failed is tried again.
const AGAIN_AFTER: Duration = Duration::from_secs(1);

/// Works until nobody can give it anything any more.
pub(super) fn run(mut connection: Connection, writes: &Receiver<Write>) {
    let mut waiting: Vec<Write> = Vec::new();
    let mut open = true;
    let mut safe = None;
    while open || !waiting.is_empty() {
        match next(writes, !waiting.is_empty()) {
            Ok(write) => waiting.push(write),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => open = false,
        }
        waiting.extend(writes.try_iter().take(AT_ONCE));
        match commit(&mut connection, &mut safe, &waiting) {
            Ok(()) => waiting.drain(..).for_each(succeed),
            Err(error) => {
                tracing::error!(%error, "the journal cannot be written");
                let trouble = trouble(&error);
                waiting = waiting.drain(..).filter_map(|write| fail(write, &trouble)).collect();
                if !open {
                    return;
                }
            }
        }
    }
}

fn next(writes: &Receiver<Write>, in_trouble: bool) -> Result<Write, RecvTimeoutError> {
    if in_trouble {
        writes.recv_timeout(AGAIN_AFTER)
    } else {
        writes.recv().map_err(|_| RecvTimeoutError::Disconnected)
    }
}

/// What an error means for people.
pub(super) fn trouble(error: &rusqlite::Error) -> Trouble {
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => Trouble::Full,
        _ => Trouble::Other(error.to_string()),
    }
}

fn succeed(write: Write) {
    // An error only means that whoever waited is gone.
    match write.done {
        Done::Nobody => {}
        Done::Reached(reached, seq) => reached.raise(seq),
        Done::Noted(noted) => drop(noted.send(())),
        Done::Answer(answer) => drop(answer.send(Ok(()))),
    }
}

/// What is to be tried again.
fn fail(write: Write, trouble: &Trouble) -> Option<Write> {
    let Write { what, done } = write;
    match done {
        Done::Answer(answer) => {
            drop(answer.send(Err(trouble.clone())));
            None
        }
        done => Some(Write { what, done }),
    }
}

fn commit(connection: &mut Connection, safe: &mut Option<bool>, writes: &[Write]) -> rusqlite::Result<()> {
    if writes.is_empty() {
        return Ok(());
    }
    let must = writes.iter().any(|write| matches!(write.done, Done::Noted(_) | Done::Answer(_)));
    if *safe != Some(must) {
        connection.pragma_update(None, "synchronous", if must { "full" } else { "normal" })?;
        *safe = Some(must);
    }
    let transaction = connection.transaction()?;
    for write in writes {
        match &write.what {
            What::Create(chat) => create(&transaction, chat)?,
            What::Delete(chat) => delete(&transaction, *chat)?,
            What::Change(chat, changes) => change(&transaction, *chat, changes)?,
            What::Nothing => {}
        }
    }
    transaction.commit()
}

fn create(db: &Transaction<'_>, chat: &NewChat) -> rusqlite::Result<()> {
    let (device, client_id) = chat.wish.as_ref().map(|(device, id)| (device, id.as_str())).unzip();
    db.prepare_cached(
        "INSERT OR IGNORE INTO chats (key, id, title, updated_ms, device, client_id) VALUES (?, ?, ?, ?, ?, ?)",
    )?
    .execute(params![chat.key.0, chat.id.as_str(), chat.title, chat.updated_ms, device, client_id])?;
    known(db, chat.key, chat.base, chat.base)
}

fn delete(db: &Transaction<'_>, chat: ChatKey) -> rusqlite::Result<()> {
    for sql in [
        "DELETE FROM words WHERE rowid IN (SELECT id FROM frames WHERE chat = ?)",
        "DELETE FROM frames WHERE chat = ?",
        "DELETE FROM spans WHERE chat = ?",
        "DELETE FROM streams WHERE chat = ?",
        "DELETE FROM tapes WHERE chat = ?",
        "DELETE FROM said WHERE chat = ?",
        "DELETE FROM files WHERE chat = ?",
        "DELETE FROM chats WHERE key = ?",
    ] {
        db.execute(sql, [chat.0])?;
    }
    Ok(())
}

fn change(db: &Transaction<'_>, chat: ChatKey, changes: &[Change]) -> rusqlite::Result<()> {
    let there: Option<i64> = db
        .prepare_cached("SELECT key FROM chats WHERE key = ?")?
        .query_row([chat.0], |row| row.get(0))
        .optional()?;
    if there.is_none() {
        return Ok(());
    }
    for change in changes {
        match change {
            Change::Put(row) => put(db, chat, row)?,
            Change::Drop(seq) => drop_frame(db, chat, *seq)?,
            Change::Known(span) => known(db, chat, span.base, span.last)?,
            Change::Unknown(after) => unknown(db, chat, *after)?,
            Change::Said(mark, mode) => said(db, chat, mark, *mode)?,
            Change::Taken(message_id) => {
                db.prepare_cached(
                    "UPDATE said SET taken = 1 WHERE chat = ? AND message_id = ? AND taken = 0",
                )?
                .execute(params![chat.0, message_id.as_str()])?;
            }
            Change::Memory(memory) => {
                db.prepare_cached("UPDATE chats SET memory = ? WHERE key = ?")?
                    .execute(params![memory, chat.0])?;
            }
            Change::Head(head) => set_head(db, chat, head)?,
            Change::Streamed(record) => streams::keep(db, chat, record)?,
            Change::Taped(tape) => tapes::keep(db, chat, tape)?,
        }
    }
    Ok(())
}

fn put(db: &Transaction<'_>, chat: ChatKey, row: &Row) -> rusqlite::Result<()> {
    let id: i64 = db
        .prepare_cached(
            "INSERT INTO frames (chat, seq, kind, json) VALUES (?, ?, ?, ?) \
             ON CONFLICT (chat, seq) DO UPDATE SET kind = excluded.kind, json = excluded.json RETURNING id",
        )?
        .query_row(params![chat.0, row.seq, row.kind as i64, &*row.json], |row| row.get(0))?;
    if let Some(words) = &row.words {
        db.prepare_cached("DELETE FROM words WHERE rowid = ?")?.execute([id])?;
        db.prepare_cached("INSERT INTO words (rowid, text) VALUES (?, ?)")?.execute(params![id, words])?;
    }
    for file in &row.files {
        db.prepare_cached("INSERT OR IGNORE INTO files (chat, seq, file) VALUES (?, ?, ?)")?
            .execute(params![chat.0, row.seq, file.as_str()])?;
    }
    Ok(())
}

fn drop_frame(db: &Transaction<'_>, chat: ChatKey, seq: u64) -> rusqlite::Result<()> {
    let id: Option<i64> = db
        .prepare_cached("DELETE FROM frames WHERE chat = ? AND seq = ? RETURNING id")?
        .query_row(params![chat.0, seq], |row| row.get(0))
        .optional()?;
    if id.is_some() {
        db.prepare_cached("DELETE FROM words WHERE rowid = ?")?.execute([id])?;
        db.prepare_cached("DELETE FROM files WHERE chat = ? AND seq = ?")?.execute(params![chat.0, seq])?;
    }
    Ok(())
}

fn known(db: &Transaction<'_>, chat: ChatKey, base: u64, last: u64) -> rusqlite::Result<()> {
    db.prepare_cached(
        "INSERT INTO spans (chat, base, last) VALUES (?, ?, ?) \
         ON CONFLICT (chat, base) DO UPDATE SET last = excluded.last",
    )?
    .execute(params![chat.0, base, last])
    .map(drop)
}

fn unknown(db: &Transaction<'_>, chat: ChatKey, after: u64) -> rusqlite::Result<()> {
    db.prepare_cached("DELETE FROM spans WHERE chat = ? AND base > ?")?.execute(params![chat.0, after])?;
    db.prepare_cached("UPDATE spans SET last = ?2 WHERE chat = ?1 AND last > ?2")?
        .execute(params![chat.0, after])
        .map(drop)
}

fn said(db: &Transaction<'_>, chat: ChatKey, mark: &Mark, mode: Option<SendMode>) -> rusqlite::Result<()> {
    db.prepare_cached(
        "INSERT OR IGNORE INTO said (chat, device, client_id, message_id, seq, mode) VALUES (?, ?, ?, ?, ?, ?)",
    )?
    .execute(params![
        chat.0,
        mark.device,
        mark.client_id.as_str(),
        mark.message_id.as_str(),
        mark.seq,
        mode.map(word)
    ])
    .map(drop)
}

fn word(mode: SendMode) -> &'static str {
    match mode {
        SendMode::Queue => "queue",
        SendMode::Steer => "steer",
        SendMode::Interrupt => "interrupt",
    }
}

fn set_head(db: &Transaction<'_>, chat: ChatKey, head: &Head) -> rusqlite::Result<()> {
    db.prepare_cached(
        "UPDATE chats SET title = ?, updated_ms = ?, turn = ?, turn_seq = ?, live = ? WHERE key = ?",
    )?
    .execute(params![
        head.title,
        head.updated_ms,
        head.turn.as_ref().map(|turn| turn.as_str()),
        head.turn_seq,
        head.live,
        chat.0
    ])
    .map(drop)
}
