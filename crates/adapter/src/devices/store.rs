//! `devices.db`: the paired devices and the open pairing codes, in SQLite, so that `iris-adapter pair` and `devices`
//! can work on it while the server runs.

use std::{path::Path, time::Duration};

use rusqlite::{Connection, OptionalExtension, Row, TransactionBehavior, params};

use super::{Device, DevicesError, Known, secret::Hash};
use crate::data;

const FILE: &str = "devices.db";
/// How exactly it is remembered when a device was here.
const SEEN_EVERY_MS: i64 = 60_000;
/// The version of the tables below.
const VERSION: i64 = 1;
const TABLES: &str = "
    CREATE TABLE devices (
        id TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        token BLOB NOT NULL,
        paired_ms INTEGER NOT NULL,
        seen_ms INTEGER,
        revoked_ms INTEGER
    ) STRICT;
    CREATE UNIQUE INDEX names ON devices (name) WHERE revoked_ms IS NULL;
    CREATE TABLE codes (hash BLOB PRIMARY KEY, name TEXT, expires_ms INTEGER NOT NULL) STRICT;
    PRAGMA user_version = 1;
";
const DEVICE: &str = "SELECT id, name, paired_ms, seen_ms, revoked_ms FROM devices";

pub(super) struct Store {
    db: Connection,
}

impl Store {
    pub(super) fn open(folder: &Path) -> Result<Self, DevicesError> {
        let path = folder.join(FILE);
        // SQLite makes files that everybody may read, and its own beside them like the first.
        data::private().truncate(false).open(&path)?;
        let mut db = Connection::open(&path)?;
        db.busy_timeout(Duration::from_secs(5))?;
        db.pragma_update(None, "journal_mode", "WAL")?;
        let made = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
        match made.pragma_query_value(None, "user_version", |row| row.get::<_, i64>(0))? {
            0 => made.execute_batch(TABLES)?,
            VERSION => {}
            newer => return Err(DevicesError::Newer(newer)),
        }
        made.commit()?;
        Ok(Self { db })
    }

    /// Changes whenever another connection has changed something.
    pub(super) fn version(&self) -> Result<i64, DevicesError> {
        Ok(self.db.pragma_query_value(None, "data_version", |row| row.get(0))?)
    }

    /// The devices that may come in.
    pub(super) fn known(&self) -> Result<Vec<Known>, DevicesError> {
        let mut query = self.db.prepare("SELECT id, token FROM devices WHERE revoked_ms IS NULL")?;
        let rows =
            query.query_map([], |row| Ok(Known { id: row.get(0)?, token: Hash::from_bytes(row.get(1)?) }))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Every device, the last paired first.
    pub(super) fn list(&self) -> Result<Vec<Device>, DevicesError> {
        let mut query = self.db.prepare(&format!("{DEVICE} ORDER BY paired_ms DESC, name"))?;
        let rows = query.query_map([], device)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    pub(super) fn add_code(
        &self,
        hash: &Hash,
        name: Option<&str>,
        expires_ms: i64,
    ) -> Result<(), DevicesError> {
        self.db.execute(
            "INSERT INTO codes (hash, name, expires_ms) VALUES (?1, ?2, ?3)",
            params![hash.bytes(), name, expires_ms],
        )?;
        Ok(())
    }

    /// Uses a code up and adds the device that said it. `None`: the code is not good, or not any more.
    pub(super) fn pair(&mut self, code: &Hash, new: &New<'_>) -> Result<Option<Device>, DevicesError> {
        let pairing = self.db.transaction_with_behavior(TransactionBehavior::Immediate)?;
        pairing.execute("DELETE FROM codes WHERE expires_ms <= ?1", [new.now_ms])?;
        let open: Vec<([u8; 32], Option<String>)> = pairing
            .prepare("SELECT hash, name FROM codes")?
            .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
            .collect::<Result<_, _>>()?;
        // Every one is looked at: how long it takes says nothing of which was close.
        let matching = open.into_iter().fold(None, |found, (hash, name)| {
            if Hash::from_bytes(hash).is(code) { Some((hash, name)) } else { found }
        });
        let paired = match matching {
            Some((hash, name)) => {
                pairing.execute("DELETE FROM codes WHERE hash = ?1", [hash])?;
                // What the person at the terminal called the device counts more than what it calls itself.
                let name = name.as_deref().unwrap_or(new.name);
                Some(insert(&pairing, &New { name, ..*new })?)
            }
            None => None,
        };
        pairing.commit()?;
        Ok(paired)
    }

    pub(super) fn add(&mut self, new: &New<'_>) -> Result<Device, DevicesError> {
        let adding = self.db.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let device = insert(&adding, new)?;
        adding.commit()?;
        Ok(device)
    }

    /// The device of this id or name; of those of one name, the one that may still come in.
    pub(super) fn find(&self, which: &str) -> Result<Option<Device>, DevicesError> {
        let query = format!(
            "{DEVICE} WHERE id = ?1 OR name = ?1 ORDER BY id = ?1 DESC, revoked_ms IS NOT NULL LIMIT 1"
        );
        Ok(self.db.query_row(&query, [which], device).optional()?)
    }

    pub(super) fn revoke(&self, id: &str, now_ms: i64) -> Result<(), DevicesError> {
        self.db.execute(
            "UPDATE devices SET revoked_ms = ?2 WHERE id = ?1 AND revoked_ms IS NULL",
            params![id, now_ms],
        )?;
        Ok(())
    }

    pub(super) fn seen(&self, id: &str, now_ms: i64) -> Result<(), DevicesError> {
        self.db.execute(
            "UPDATE devices SET seen_ms = ?2 WHERE id = ?1 AND (seen_ms IS NULL OR seen_ms <= ?2 - ?3)",
            params![id, now_ms, SEEN_EVERY_MS],
        )?;
        Ok(())
    }
}

/// A device that is about to be added.
#[derive(Clone, Copy)]
pub(super) struct New<'a> {
    pub(super) id: &'a str,
    pub(super) name: &'a str,
    pub(super) token: &'a Hash,
    pub(super) now_ms: i64,
}

fn insert(db: &Connection, new: &New<'_>) -> Result<Device, DevicesError> {
    let taken = |name: &str| {
        let query = "SELECT 1 FROM devices WHERE name = ?1 AND revoked_ms IS NULL";
        db.query_row(query, [name], |_| Ok(())).optional()
    };
    let mut name = new.name.to_owned();
    let mut count = 1;
    while taken(&name)?.is_some() {
        count += 1;
        name = format!("{} {count}", new.name);
    }
    db.execute(
        "INSERT INTO devices (id, name, token, paired_ms) VALUES (?1, ?2, ?3, ?4)",
        params![new.id, name, new.token.bytes(), new.now_ms],
    )?;
    Ok(Device { id: new.id.to_owned(), name, paired_ms: new.now_ms, seen_ms: None, revoked_ms: None })
}

fn device(row: &Row<'_>) -> rusqlite::Result<Device> {
    Ok(Device {
        id: row.get(0)?,
        name: row.get(1)?,
        paired_ms: row.get(2)?,
        seen_ms: row.get(3)?,
        revoked_ms: row.get(4)?,
    })
}
