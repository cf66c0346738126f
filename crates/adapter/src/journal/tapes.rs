//! The tapes of the last turns: a table of its own, bounded for each chat and for all of them.

use rusqlite::{Connection, Transaction, params};

use super::ChatKey;
use crate::hub::tape::Tape;

/// Turns of one chat.
const TURNS: u32 = 100;
/// Bytes of all chats.
const BYTES: u64 = 256 << 20;

/// Keeps a tape, and lets go of the oldest that are too many.
pub(super) fn keep(db: &Transaction<'_>, chat: ChatKey, tape: &Tape) -> rusqlite::Result<()> {
    keep_within(db, chat, tape, TURNS, BYTES)
}

fn keep_within(
    db: &Transaction<'_>,
    chat: ChatKey,
    tape: &Tape,
    turns: u32,
    bytes: u64,
) -> rusqlite::Result<()> {
    db.prepare_cached(
        "INSERT OR REPLACE INTO tapes (chat, turn, began_ms, bytes, lines) VALUES (?, ?, ?, ?, ?)",
    )?
    .execute(params![
        chat.0,
        tape.turn,
        tape.began_ms,
        u64::try_from(tape.lines.len()).unwrap_or(u64::MAX),
        tape.lines
    ])?;
    db.prepare_cached(
        "DELETE FROM tapes WHERE chat = ?1 AND id <= \
         (SELECT id FROM tapes WHERE chat = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)",
    )?
    .execute(params![chat.0, turns])?;
    db.prepare_cached(
        "DELETE FROM tapes WHERE id <= (SELECT max(id) FROM \
         (SELECT id, sum(bytes) OVER (ORDER BY id DESC) AS total FROM tapes) WHERE total > ?)",
    )?
    .execute([bytes])?;
    Ok(())
}

/// The tapes of a chat, the oldest first.
pub(super) fn find(db: &Connection, chat: ChatKey) -> rusqlite::Result<Vec<Tape>> {
    db.prepare_cached("SELECT turn, began_ms, lines FROM tapes WHERE chat = ? ORDER BY id")?
        .query_map([chat.0], |row| Ok(Tape { turn: row.get(0)?, began_ms: row.get(1)?, lines: row.get(2)? }))?
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::schema;

    fn tape(number: u64) -> Tape {
        Tape { turn: format!("t{number}"), began_ms: number, lines: "x".repeat(10) }
    }

    #[test]
    fn the_newest_stay_of_each_chat_and_of_all() {
        let folder = tempfile::tempdir().unwrap();
        let mut db = schema::open(&folder.path().join("iris.db")).unwrap();
        let transaction = db.transaction().unwrap();
        for (chat, number) in [(1, 1), (1, 2), (2, 3), (1, 4), (2, 5)] {
            keep_within(&transaction, ChatKey(chat), &tape(number), 2, 35).unwrap();
        }
        transaction.commit().unwrap();
        assert_eq!(find(&db, ChatKey(1)).unwrap(), [tape(4)], "1 was too many of its chat, 2 of all");
        assert_eq!(find(&db, ChatKey(2)).unwrap(), [tape(3), tape(5)]);
    }

    #[test]
    fn a_turn_has_one_tape() {
        let folder = tempfile::tempdir().unwrap();
        let mut db = schema::open(&folder.path().join("iris.db")).unwrap();
        let transaction = db.transaction().unwrap();
        keep(&transaction, ChatKey(1), &tape(1)).unwrap();
        keep(&transaction, ChatKey(1), &tape(1)).unwrap();
        transaction.commit().unwrap();
        assert_eq!(find(&db, ChatKey(1)).unwrap(), [tape(1)]);
    }
}
