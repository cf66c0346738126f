//! A file on its way in: written beside the others under a name that counts for nothing until it is whole.

use std::path::PathBuf;

use iris_core::{ids::FileId, protocol::frame::FileInfo};
use tokio::{fs, io::AsyncWriteExt};

use super::{About, Files, KeepError, kind, plain_name};
use crate::{data, devices::secret::random_hex};

/// An unfinished file. Dropping it takes it back.
pub(crate) struct Draft {
    files: Files,
    id: FileId,
    file: fs::File,
    head: Vec<u8>,
    size: u64,
    limit: u64,
    finished: bool,
}

impl Draft {
    pub(super) async fn begin(files: Files, limit: u64) -> Result<Self, KeepError> {
        let id = FileId(random_hex::<16>().map_err(std::io::Error::other)?);
        let mut options = data::private();
        options.create_new(true);
        let file = fs::OpenOptions::from(options).open(part(&files, &id)).await?;
        Ok(Self { files, id, file, head: Vec::new(), size: 0, limit, finished: false })
    }

    /// Adds bytes at the end.
    pub(crate) async fn write(&mut self, bytes: &[u8]) -> Result<(), KeepError> {
        let more = bytes.len() as u64;
        if self.limit - self.size < more {
            return Err(KeepError::TooLarge(self.limit));
        }
        self.files.take(more)?;
        self.size += more;
        let wanted = kind::HEAD.saturating_sub(self.head.len());
        self.head.extend(bytes.iter().take(wanted));
        Ok(self.file.write_all(bytes).await?)
    }

    /// Makes it one of the files.
    pub(crate) async fn finish(mut self, name: &str) -> Result<FileInfo, KeepError> {
        self.file.flush().await?;
        self.file.sync_all().await?;
        let about = About {
            name: plain_name(name),
            media_type: kind::of(&self.head, self.size > self.head.len() as u64).to_owned(),
            size: self.size,
        };
        let json = serde_json::to_vec(&about).map_err(std::io::Error::other)?;
        fs::rename(part(&self.files, &self.id), self.files.place(&self.id)).await?;
        self.describe(&json).await?;
        self.finished = true;
        let About { name, media_type, size } = about;
        Ok(FileInfo { id: self.id.clone(), name, media_type, size })
    }

    /// The JSON goes in whole, and last.
    async fn describe(&self, json: &[u8]) -> Result<(), KeepError> {
        let unfinished = part(&self.files, &self.id);
        let mut options = data::private();
        options.create_new(true);
        let mut file = fs::OpenOptions::from(options).open(&unfinished).await?;
        file.write_all(json).await?;
        file.sync_all().await?;
        Ok(fs::rename(&unfinished, self.files.about(&self.id)).await?)
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if !self.finished {
            self.files.give_back(self.size);
            for leftover in [part(&self.files, &self.id), self.files.place(&self.id)] {
                // What cannot be removed now goes at the next start.
                let _ = std::fs::remove_file(leftover);
            }
        }
    }
}

fn part(files: &Files, id: &FileId) -> PathBuf {
    files.inner.folder.join(format!("{id}.part"))
}
