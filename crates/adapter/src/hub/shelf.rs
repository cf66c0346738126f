//! The hub's view of the files: where those are that came with messages, and how those of the agent are kept. How files are
//! stored, and who may fetch them, is not known here.

use std::{future::Future, path::PathBuf, pin::Pin};

use iris_core::{ids::FileId, protocol::frame::FileInfo};
use tokio::task::spawn_blocking;

use crate::files::Files;

/// An answer of the shelf, later.
pub type Found<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// Where files are kept.
pub trait Shelf: Send + Sync {
    /// Keeps a copy of a file of this machine; or says why not, for people.
    fn keep(&self, path: PathBuf) -> Found<Result<FileInfo, String>>;
    /// A file that was uploaded, or kept.
    fn find(&self, id: FileId) -> Found<Option<Shelved>>;
    /// These files belong to nothing any more.
    fn remove(&self, ids: Vec<FileId>) -> Found<()>;
}

/// A file on the shelf.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shelved {
    /// As devices see it.
    pub info: FileInfo,
    /// Where it is.
    pub path: PathBuf,
}

impl Shelf for Files {
    fn keep(&self, path: PathBuf) -> Found<Result<FileInfo, String>> {
        let files = self.clone();
        Box::pin(async move { files.keep(&path, u64::MAX).await.map_err(|error| error.to_string()) })
    }

    fn find(&self, id: FileId) -> Found<Option<Shelved>> {
        let files = self.clone();
        let find = move || Some(Shelved { info: files.info(&id)?, path: files.path(&id)? });
        Box::pin(async move { spawn_blocking(find).await.ok().flatten() })
    }

    fn remove(&self, ids: Vec<FileId>) -> Found<()> {
        let files = self.clone();
        let remove = move || {
            for id in ids {
                if let Err(error) = files.remove(&id) {
                    tracing::warn!(%id, %error, "a file cannot be removed");
                }
            }
        };
        // An error only means that the adapter stops.
        Box::pin(async move { drop(spawn_blocking(remove).await) })
    }
}
