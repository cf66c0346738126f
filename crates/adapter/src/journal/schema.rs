//! The tables, how an older database becomes one of today, and what to say of one that cannot be used.

use std::path::{Path, PathBuf};

use rusqlite::{Connection, ErrorCode, OpenFlags};

use crate::data;

/// One step from each version to the next; the version is `user_version`. A step that was released is never changed.
const STEPS: &[&str] = &[
    "
CREATE TABLE chats (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    title TEXT NOT NULL,
    updated_ms INTEGER NOT NULL,
    device TEXT,
    client_id TEXT,
    memory TEXT,
    turn TEXT,
    turn_seq INTEGER,
    live INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE frames (
    id INTEGER PRIMARY KEY,
    chat INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    json TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX frames_by_seq ON frames (chat, seq);
CREATE INDEX turns_by_seq ON frames (chat, seq) WHERE kind = 1;
CREATE TABLE spans (
    chat INTEGER NOT NULL,
    base INTEGER NOT NULL,
    last INTEGER NOT NULL,
    PRIMARY KEY (chat, base)
) STRICT, WITHOUT ROWID;
CREATE TABLE said (
    chat INTEGER NOT NULL,
    device TEXT NOT NULL,
    client_id TEXT NOT NULL,
    message_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    mode TEXT,
    taken INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (chat, device, client_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX said_not_taken ON said (chat, seq) WHERE taken = 0;
CREATE TABLE files (
    chat INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    file TEXT NOT NULL,
    PRIMARY KEY (chat, seq, file)
) STRICT, WITHOUT ROWID;
CREATE INDEX files_by_file ON files (file);
CREATE VIRTUAL TABLE words USING fts5 (text, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3');
",
    "
CREATE TABLE streams (
    id INTEGER PRIMARY KEY,
    chat INTEGER NOT NULL,
    turn TEXT NOT NULL,
    iteration INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    started_ms INTEGER NOT NULL,
    cut INTEGER NOT NULL,
    json TEXT NOT NULL,
    UNIQUE (chat, turn, iteration, attempt)
) STRICT;
CREATE INDEX streams_by_time ON streams (started_ms);
",
    "
CREATE TABLE tapes (
    id INTEGER PRIMARY KEY,
    chat INTEGER NOT NULL,
    turn TEXT NOT NULL,
    began_ms INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    lines TEXT NOT NULL,
    UNIQUE (chat, turn)
) STRICT;
",
];

/// Why the journal cannot be used, for the person who starts the adapter.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// A later Iris made it.
    #[error(
        "{file} was written by a newer Iris (its version is {found}, this one knows {known}).\nStart that one, or choose \
         another folder with --data DIR.", file = .file.display()
    )]
    Newer {
        /// The file.
        file: PathBuf,
        /// Its version.
        found: usize,
        /// Ours.
        known: usize,
    },
    /// No database, or a broken one.
    #[error(
        "{file} is damaged, or is no journal of Iris: {why}.\nMove it away, with the files beside it that begin with its \
         name, and Iris begins a new one; `sqlite3 {file} .recover` may save what is in it.", file = .file.display()
    )]
    Damaged {
        /// The file.
        file: PathBuf,
        /// What SQLite says.
        why: String,
    },
    /// It cannot be written.
    #[error(
        "{file} cannot be written.\nMake it and its folder writable for the user that runs Iris, or choose another folder \
         with --data DIR.", file = .file.display()
    )]
    ReadOnly {
        /// The file.
        file: PathBuf,
    },
    /// Anything else.
    #[error("cannot open {file}: {why}.\nChoose another folder with --data DIR.", file = .file.display())]
    Other {
        /// The file.
        file: PathBuf,
        /// What SQLite says.
        why: String,
    },
}

impl OpenError {
    /// What this error of SQLite means for a journal in `file`.
    pub(super) fn of(file: &Path, error: &rusqlite::Error) -> Self {
        let (file, why) = (file.to_owned(), error.to_string());
        match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => Self::Damaged { file, why },
            Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => Self::ReadOnly { file },
            // A table or column that is not there.
            Some(ErrorCode::Unknown) => Self::Damaged { file, why },
            _ => Self::Other { file, why },
        }
    }
}

/// Opens the database for writing and brings it up to date.
pub(super) fn open(file: &Path) -> Result<Connection, OpenError> {
    let trouble = |error: rusqlite::Error| OpenError::of(file, &error);
    // SQLite makes files that everybody may read, and its own beside them like the first. What is wrong with it, it says.
    let _ = data::private().truncate(false).open(file);
    let mut connection = Connection::open(file).map_err(trouble)?;
    if connection.is_readonly("main").map_err(trouble)? {
        return Err(OpenError::ReadOnly { file: file.to_owned() });
    }
    prepare(&connection).map_err(trouble)?;
    let found = version(&connection).map_err(trouble)?;
    if found > STEPS.len() {
        return Err(OpenError::Newer { file: file.to_owned(), found, known: STEPS.len() });
    }
    upgrade(&mut connection, found).map_err(trouble)?;
    Ok(connection)
}

/// Opens it for reading only; it is there and up to date.
pub(super) fn open_to_read(file: &Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open_with_flags(
        file,
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX,
    )?;
    connection.busy_timeout(BUSY)?;
    Ok(connection)
}

/// Nobody but us writes; what is waited for is a checkpoint.
const BUSY: std::time::Duration = std::time::Duration::from_secs(5);

fn prepare(connection: &Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(BUSY)?;
    connection.set_prepared_statement_cache_capacity(64);
    connection.pragma_update(None, "journal_mode", "wal")?;
    // What is deleted is to be gone; and the log must not stay as large as it once was.
    connection.pragma_update(None, "secure_delete", "fast")?;
    connection.pragma_update(None, "journal_size_limit", 16 << 20)
}

fn version(connection: &Connection) -> rusqlite::Result<usize> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0))
}

fn upgrade(connection: &mut Connection, found: usize) -> rusqlite::Result<()> {
    for (at, step) in STEPS.iter().enumerate().skip(found) {
        let transaction = connection.transaction()?;
        transaction.execute_batch(step)?;
        transaction.pragma_update(None, "user_version", at + 1)?;
        transaction.commit()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn check(make: impl Fn(&Path), said: &[&str]) {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("iris.db");
        make(&file);
        let text = open(&file).unwrap_err().to_string();
        for word in said.iter().copied().chain([file.to_str().unwrap()]) {
            assert!(text.contains(word), "{text}");
        }
    }

    #[test]
    fn a_new_database_is_of_the_newest_version_and_opens_again() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("iris.db");
        for _ in 0..2 {
            assert_eq!(version(&open(&file).unwrap()).unwrap(), STEPS.len());
        }
    }

    #[test]
    fn a_database_of_any_earlier_version_becomes_one_of_today_and_keeps_what_is_in_it() {
        for version_before in 1..STEPS.len() {
            let folder = tempfile::tempdir().unwrap();
            let file = folder.path().join("iris.db");
            let mut connection = Connection::open(&file).unwrap();
            for step in &STEPS[..version_before] {
                connection.execute_batch(step).unwrap();
            }
            connection.pragma_update(None, "user_version", version_before).unwrap();
            let chat = "INSERT INTO chats (key, id, title, updated_ms) VALUES (1, 'c1', 'The repo', 5)";
            connection.execute(chat, []).unwrap();
            drop(connection);
            connection = open(&file).unwrap();
            assert_eq!(version(&connection).unwrap(), STEPS.len());
            let title: String =
                connection.query_row("SELECT title FROM chats", [], |row| row.get(0)).unwrap();
            assert_eq!(title, "The repo");
            for table in ["streams", "tapes"] {
                let count: u32 = connection
                    .query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0))
                    .unwrap();
                assert_eq!(count, 0, "{table}");
            }
        }
    }

    #[test]
    #[cfg(unix)]
    fn only_its_owner_reads_it_and_what_lies_beside_it() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let _open = open(&folder.path().join("iris.db")).unwrap();
        let files: Vec<_> = fs::read_dir(folder.path()).unwrap().map(Result::unwrap).collect();
        assert!(files.len() > 1, "a log beside the database: {files:?}");
        for file in files {
            assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600, "{file:?}");
        }
    }

    #[test]
    fn a_database_of_a_newer_iris_is_left_alone() {
        check(
            |file| {
                let connection = open(file).unwrap();
                connection.pragma_update(None, "user_version", 99).unwrap();
            },
            &["newer Iris", "99", "--data"],
        );
    }

    #[test]
    fn a_file_that_is_no_database_is_named_with_what_to_do() {
        check(|file| fs::write(file, "x".repeat(5_000)).unwrap(), &["damaged", "Move it away"]);
        check(
            |file| {
                drop(open(file).unwrap());
                let mut bytes = fs::read(file).unwrap();
                bytes.iter_mut().skip(100).for_each(|byte| *byte = 0x5a);
                fs::write(file, bytes).unwrap();
            },
            &["damaged"],
        );
    }

    #[test]
    fn a_folder_that_is_not_there_is_named() {
        let error = open(Path::new("/nowhere/at/all/iris.db")).unwrap_err().to_string();
        assert!(error.contains("/nowhere/at/all/iris.db") && error.contains("--data"), "{error}");
    }
}
