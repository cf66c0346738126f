//! Where a run is read from: a file, or a pipe that must not notice us.

use std::{
    convert::Infallible,
    fmt,
    fs::File,
    io::{self, ErrorKind, Read, Write},
    path::PathBuf,
    str::FromStr,
};

use iris_core::run::{Indexer, Refusal, Summary};

/// How much is read at a time, bytes: what fits into a pipe.
const PIECE: usize = 64 * 1024;

/// What an argument names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// Standard input.
    Pipe,
    /// A file.
    File(PathBuf),
}

/// Why there is no summary.
#[derive(Debug, thiserror::Error)]
pub(super) enum Unread {
    #[error("{0}")]
    Io(#[from] io::Error),
    #[error(transparent)]
    Refused(#[from] Refused),
}

/// The file is no run.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct Refused(Refusal);

impl FromStr for Source {
    type Err = Infallible;

    fn from_str(name: &str) -> Result<Self, Infallible> {
        Ok(if name == "-" { Self::Pipe } else { Self::File(name.into()) })
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pipe => f.write_str("standard input"),
            Self::File(path) => f.write_str(&iris_core::format::visible(&path.to_string_lossy())),
        }
    }
}

impl Source {
    /// Reads it to its end.
    pub(super) fn read(&self) -> Result<Summary, Unread> {
        match self {
            Self::File(path) => read(File::open(path)?, |_| {}),
            Self::Pipe => {
                outlive_an_interrupt();
                let mut out = Some(io::stdout());
                read(io::stdin(), |piece| pass(&mut out, piece))
            }
        }
    }
}

fn read(mut from: impl Read, mut pass: impl FnMut(&[u8])) -> Result<Summary, Unread> {
    let (mut indexer, mut buffer) = (Indexer::new(), vec![0; PIECE]);
    loop {
        let length = match from.read(&mut buffer) {
            Ok(0) => break,
            Ok(length) => length,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(error.into()),
        };
        let piece = buffer.get(..length).unwrap_or_default();
        pass(piece);
        indexer.push(piece);
    }
    indexer.finish();
    match &indexer.index().refusal {
        Some(refusal) => Err(Refused(refusal.clone()).into()),
        None => Ok(indexer.summary()),
    }
}

/// Passes a piece on at once. When nobody reads it any more the run is still read to its end: Hermes must not notice, and
/// the figures are wanted all the same.
fn pass(out: &mut Option<io::Stdout>, piece: &[u8]) {
    let gone = out.as_mut().is_some_and(|out| out.write_all(piece).and_then(|()| out.flush()).is_err());
    if gone {
        *out = None;
    }
}

/// Ctrl-C reaches every program of a pipeline. Hermes then writes how the run ended, and that is to be read and passed on,
/// so the first one only ends what comes before us; a second one ends us too.
fn outlive_an_interrupt() {
    let listen = || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(async {
            tokio::signal::ctrl_c().await?;
            tokio::signal::ctrl_c().await
        })
    };
    std::thread::spawn(move || {
        if listen().is_ok() {
            std::process::exit(130);
        }
    });
}
