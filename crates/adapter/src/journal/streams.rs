//! How streamed replies went: a table of its own, of which only the newest lines stay.

use iris_core::stall::record::{End, StreamRecord};
use rusqlite::{Connection, Transaction, params};

use super::{ChatKey, STREAMS, StreamsWanted};

/// Writes a line down; the same try of the same request replaces what was said of it before.
pub(super) fn keep(db: &Transaction<'_>, chat: ChatKey, record: &StreamRecord) -> rusqlite::Result<()> {
    let json = serde_json::to_string(record)
        .map_err(|error| rusqlite::Error::ToSqlConversionFailure(Box::new(error)))?;
    db.prepare_cached(
        "INSERT OR REPLACE INTO streams (chat, turn, iteration, attempt, started_ms, cut, json) \
         VALUES (?, ?, ?, ?, ?, ?, ?)",
    )?
    .execute(params![
        chat.0,
        record.turn,
        record.iteration,
        record.attempt,
        record.started_ms,
        record.end == End::Cut,
        json
    ])?;
    db.prepare_cached(
        "DELETE FROM streams WHERE id <= (SELECT id FROM streams ORDER BY id DESC LIMIT 1 OFFSET ?)",
    )?
    .execute([STREAMS])?;
    Ok(())
}

/// The lines that are wanted, the newest first, with the titles that their chats have now; one that cannot be read is left
/// out.
pub(super) fn find(db: &Connection, wanted: StreamsWanted) -> rusqlite::Result<Vec<StreamRecord>> {
    let lines: Vec<(String, Option<String>)> = db
        .prepare_cached(
            "SELECT streams.json, chats.title FROM streams LEFT JOIN chats ON chats.key = streams.chat \
             WHERE started_ms >= ? AND cut >= ? ORDER BY started_ms DESC, streams.id DESC",
        )?
        .query_map(params![wanted.since_ms, wanted.cut], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<rusqlite::Result<_>>()?;
    let read = |(json, title): (String, Option<String>)| {
        let record: StreamRecord = serde_json::from_str(&json).ok()?;
        Some(StreamRecord { chat_title: title.filter(|title| !title.is_empty()), ..record })
    };
    let given = lines.len();
    let records: Vec<_> = lines.into_iter().filter_map(read).collect();
    let unread = given.saturating_sub(records.len());
    if unread > 0 {
        tracing::warn!(unread, "lines of the stream record cannot be read and are left out");
    }
    Ok(records)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::schema;

    fn record(number: u32) -> StreamRecord {
        StreamRecord {
            started_ms: 1_000 + u64::from(number),
            turn: format!("t{number}"),
            iteration: 1,
            attempt: 1,
            end: if number.is_multiple_of(2) { End::Cut } else { End::Finished },
            ..StreamRecord::default()
        }
    }

    fn with(check: impl FnOnce(&mut Connection)) {
        let folder = tempfile::tempdir().unwrap();
        check(&mut schema::open(&folder.path().join("iris.db")).unwrap());
    }

    fn keep_all(db: &mut Connection, records: impl Iterator<Item = StreamRecord>) {
        let transaction = db.transaction().unwrap();
        records.for_each(|record| keep(&transaction, ChatKey(1), &record).unwrap());
        transaction.commit().unwrap();
    }

    #[test]
    fn only_the_newest_lines_stay() {
        with(|db| {
            keep_all(db, (0..STREAMS + 3).map(record));
            let found = find(db, StreamsWanted::default()).unwrap();
            assert_eq!(found.len(), usize::try_from(STREAMS).unwrap());
            assert_eq!(found.first(), Some(&record(STREAMS + 2)));
            assert_eq!(found.last(), Some(&record(3)));
        });
    }

    #[test]
    fn a_turn_that_is_told_again_has_each_line_once() {
        with(|db| {
            keep_all(db, [record(1), record(2), record(1)].into_iter());
            assert_eq!(find(db, StreamsWanted::default()).unwrap(), [record(2), record(1)]);
        });
    }

    #[test]
    fn a_line_has_the_title_that_its_chat_has_now() {
        with(|db| {
            keep_all(db, [record(1)].into_iter());
            let title = |db: &Connection| find(db, StreamsWanted::default()).unwrap().remove(0).chat_title;
            assert_eq!(title(db), None, "a chat that is not there");
            db.execute("INSERT INTO chats (key, id, title, updated_ms) VALUES (1, 'c', '', 0)", []).unwrap();
            assert_eq!(title(db), None, "a chat without a title");
            db.execute("UPDATE chats SET title = 'The repo'", []).unwrap();
            assert_eq!(title(db).as_deref(), Some("The repo"));
        });
    }

    #[test]
    fn a_line_that_cannot_be_read_takes_no_other_along() {
        with(|db| {
            keep_all(db, [record(1), record(2)].into_iter());
            db.execute("UPDATE streams SET json = '{}' WHERE turn = 't1'", []).unwrap();
            assert_eq!(find(db, StreamsWanted::default()).unwrap(), [record(2)]);
        });
    }

    #[test]
    fn what_is_wanted_is_found() {
        with(|db| {
            keep_all(db, (0..6).map(record));
            let cut = find(db, StreamsWanted { since_ms: 0, cut: true }).unwrap();
            assert_eq!(cut, [record(4), record(2), record(0)]);
            let late = find(db, StreamsWanted { since_ms: 1_004, cut: false }).unwrap();
            assert_eq!(late, [record(5), record(4)]);
        });
    }
}
