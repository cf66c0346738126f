//! What a new life of the adapter must know of the earlier ones, read once at the start: the chats, what is open in them,
//! and which numbers are known. What is finished stays on disk.

use std::collections::HashSet;

use iris_core::{
    ids::{ChatId, ClientId, FileId, MessageId, TurnId},
    protocol::{codec::decode_server, frame::SendMode, frame::ServerFrame},
};
use rusqlite::{Connection, Row, Transaction, params};

use super::{ChatKey, Span};

/// Numbers that a life may have given out since it last wrote how far it was.
const GIVEN_OUT: u64 = 1 << 20;
/// How far numbers go on when the clock does not: it went back, or the last life ended a moment ago.
const LEAP: u64 = 1 << 32;
/// Lives of which the numbers are known. Whoever was away for longer starts over.
const LIVES: u32 = 64;
/// Frames of an open question that stands outside of every turn.
const WITHOUT_TURN: u32 = 100;

/// The chats as they were left.
#[derive(Debug)]
pub struct Restored {
    /// Every number of this life is above this one, every number of an earlier life is below.
    pub base: u64,
    /// The chats.
    pub chats: Vec<Kept>,
    /// The files that some message names.
    pub files: HashSet<FileId>,
}

/// A chat as it was left.
#[derive(Debug)]
pub struct Kept {
    /// Its key.
    pub key: ChatKey,
    /// Its id.
    pub id: ChatId,
    /// Its title.
    pub title: String,
    /// Its last change.
    pub updated_ms: u64,
    /// Who wished for it.
    pub wish: Option<(String, ClientId)>,
    /// The backend's note to itself.
    pub memory: Option<String>,
    /// The turn that was left open.
    pub turn: Option<TurnId>,
    /// The known numbers, this life's included, in their order.
    pub spans: Vec<Span>,
    /// If something is open: the frames from the beginning of the last turn.
    pub tail: Vec<(u64, ServerFrame)>,
    /// The messages that the agent does not have yet, in their order.
    pub unsaid: Vec<Unsaid>,
}

/// A message that was acknowledged and not taken.
#[derive(Debug)]
pub struct Unsaid {
    /// Our id of it.
    pub message_id: MessageId,
    /// The `user.message`.
    pub frame: ServerFrame,
    /// What was wanted.
    pub mode: Option<SendMode>,
}

/// Begins a new life.
pub(super) fn begin(connection: &mut Connection, now_us: u64) -> rusqlite::Result<Restored> {
    let transaction = connection.transaction()?;
    let used: Option<u64> = transaction.query_row("SELECT max(last) FROM spans", [], |row| row.get(0))?;
    let base = match used {
        Some(used) if now_us <= used + GIVEN_OUT => used + LEAP,
        _ => now_us,
    };
    transaction.execute("INSERT INTO spans (chat, base, last) SELECT key, ?1, ?1 FROM chats", [base])?;
    transaction.execute(
        "DELETE FROM spans WHERE (SELECT count(*) FROM spans AS later \
         WHERE later.chat = spans.chat AND later.base > spans.base) >= ?",
        [LIVES],
    )?;
    let mut chats = transaction
        .prepare(
            "SELECT key, id, title, updated_ms, device, client_id, memory, turn, live, turn_seq FROM chats",
        )?
        .query_map([], |row| Ok((kept(row)?, row.get(8)?, row.get(9)?)))?
        .collect::<rusqlite::Result<Vec<(Kept, bool, Option<u64>)>>>()?;
    for (chat, live, turn_seq) in &mut chats {
        chat.spans = spans(&transaction, chat.key)?;
        chat.unsaid = unsaid(&transaction, chat.key)?;
        if *live {
            chat.tail = tail(&transaction, chat.key, *turn_seq)?;
        }
    }
    let files = transaction
        .prepare("SELECT DISTINCT file FROM files")?
        .query_map([], |row| row.get::<_, String>(0).map(FileId::from))?
        .collect::<rusqlite::Result<_>>()?;
    transaction.commit()?;
    Ok(Restored { base, chats: chats.into_iter().map(|(chat, ..)| chat).collect(), files })
}

fn kept(row: &Row<'_>) -> rusqlite::Result<Kept> {
    let wish: (Option<String>, Option<String>) = (row.get(4)?, row.get(5)?);
    Ok(Kept {
        key: ChatKey(row.get(0)?),
        id: row.get::<_, String>(1)?.into(),
        title: row.get(2)?,
        updated_ms: row.get(3)?,
        wish: wish.0.zip(wish.1.map(ClientId::from)),
        memory: row.get(6)?,
        turn: row.get::<_, Option<String>>(7)?.map(TurnId::from),
        spans: Vec::new(),
        tail: Vec::new(),
        unsaid: Vec::new(),
    })
}

fn spans(db: &Transaction<'_>, chat: ChatKey) -> rusqlite::Result<Vec<Span>> {
    db.prepare_cached("SELECT base, last FROM spans WHERE chat = ? ORDER BY base")?
        .query_map([chat.0], |row| Ok(Span { base: row.get(0)?, last: row.get(1)? }))?
        .collect()
}

fn tail(db: &Transaction<'_>, chat: ChatKey, turn: Option<u64>) -> rusqlite::Result<Vec<(u64, ServerFrame)>> {
    let rows = match turn {
        Some(turn) => db
            .prepare_cached("SELECT seq, json FROM frames WHERE chat = ? AND seq >= ? ORDER BY seq")?
            .query_map(params![chat.0, turn], numbered)?
            .collect::<rusqlite::Result<Vec<_>>>()?,
        None => db
            .prepare_cached(
                "SELECT * FROM (SELECT seq, json FROM frames WHERE chat = ? ORDER BY seq DESC LIMIT ?) ORDER BY seq",
            )?
            .query_map(params![chat.0, WITHOUT_TURN], numbered)?
            .collect::<rusqlite::Result<Vec<_>>>()?,
    };
    Ok(rows.into_iter().filter_map(|(seq, json)| Some((seq, read(&json)?))).collect())
}

fn numbered(row: &Row<'_>) -> rusqlite::Result<(u64, String)> {
    Ok((row.get(0)?, row.get(1)?))
}

fn unsaid(db: &Transaction<'_>, chat: ChatKey) -> rusqlite::Result<Vec<Unsaid>> {
    let rows = db
        .prepare_cached(
            "SELECT said.message_id, said.mode, frames.json FROM said JOIN frames USING (chat, seq) \
             WHERE said.chat = ? AND said.taken = 0 ORDER BY said.seq",
        )?
        .query_map([chat.0], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?
        .collect::<rusqlite::Result<Vec<(String, Option<String>, String)>>>()?;
    let unsaid = |(id, mode, json): (String, Option<String>, String)| {
        Some(Unsaid {
            message_id: id.into(),
            frame: read(&json)?,
            mode: mode.and_then(|word| mode_of(&word)),
        })
    };
    Ok(rows.into_iter().filter_map(unsaid).collect())
}

fn mode_of(word: &str) -> Option<SendMode> {
    match word {
        "queue" => Some(SendMode::Queue),
        "steer" => Some(SendMode::Steer),
        "interrupt" => Some(SendMode::Interrupt),
        _ => None,
    }
}

fn read(json: &str) -> Option<ServerFrame> {
    decode_server(json)
        .inspect_err(|error| tracing::warn!(%error, "a frame of the journal cannot be read"))
        .map(|envelope| envelope.frame)
        .ok()
}
