//! The files that go with messages: uploads of a device, and copies of what the agent sends. It owns the folder `files/`
//! of the data folder: for each file its bytes under a random id, and beside them a small JSON with name, type and size.
//! A file is there once that JSON is; whatever a crash leaves half done is swept away at the next start.
//! Which message a file belongs to is the journal's to know.

mod draft;
pub(crate) mod kind;
pub(crate) mod routes;

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, SystemTime},
};

use iris_core::{ids::FileId, protocol::frame::FileInfo};
use serde::{Deserialize, Serialize};
use tokio::io::AsyncReadExt;

use crate::{data, names};
use draft::Draft;

const FOLDER: &str = "files";
/// Hexadecimal characters of an id: 128 bits.
const ID: usize = 32;
const MAX_NAME: usize = 200;
const NAMELESS: &str = "file";
const CHUNK: usize = 64 * 1024;

/// How much may be kept.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Bytes of one file.
    pub file: u64,
    /// Bytes of all of them.
    pub total: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { file: 32 << 20, total: 4 << 30 }
    }
}

/// Why a file is not kept, for the person whose file it is.
#[derive(Debug, thiserror::Error)]
pub enum KeepError {
    /// Not a plain file: a folder, a link, a device, or nothing at all.
    #[error("there is no plain file at {}", .0.display())]
    NotAFile(PathBuf),
    /// Too long.
    #[error("the file is too large: at most {} MB are taken", .0 >> 20)]
    TooLarge(u64),
    /// The folder is full.
    #[error("there is no room for more files: {} MB are kept already. Delete a chat with files first", .0 >> 20)]
    Full(u64),
    /// The sender stopped in the middle.
    #[error("the file arrived only in part")]
    Cut,
    /// The disk.
    #[error("the file cannot be kept: {0}")]
    Disk(#[from] io::Error),
}

/// The files. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Files {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    folder: PathBuf,
    limits: Limits,
    used: AtomicU64,
}

/// What stands beside a file's bytes.
#[derive(Serialize, Deserialize)]
struct About {
    name: String,
    media_type: String,
    size: u64,
}

impl Files {
    /// The files of a data folder; what an earlier life left half done goes.
    pub fn open(data: &Path, limits: Limits) -> io::Result<Self> {
        let folder = data.join(FOLDER);
        data::make_private(&folder)?;
        let files = Self { inner: Arc::new(Inner { folder, limits, used: AtomicU64::new(0) }) };
        let mut used = 0;
        for entry in fs::read_dir(&files.inner.folder)? {
            let entry = entry?;
            match entry
                .file_name()
                .to_str()
                .and_then(|name| files.info(&name.trim_end_matches(".json").into()))
            {
                Some(info) if entry.path().extension().is_none() => used += info.size,
                Some(_) => {}
                None => fs::remove_file(entry.path())?,
            }
        }
        files.inner.used.store(used, Ordering::Relaxed);
        Ok(files)
    }

    /// Keeps a copy of a file of this machine, of at most `limit` bytes. The file itself must not be a link: the agent
    /// may have been told to send one that leads to a secret.
    pub async fn keep(&self, path: &Path, limit: u64) -> Result<FileInfo, KeepError> {
        let source = path.to_owned();
        let opened =
            tokio::task::spawn_blocking(move || open_plain(&source)).await.map_err(io::Error::other)?;
        let mut from = tokio::fs::File::from_std(opened.map_err(|_| KeepError::NotAFile(path.to_owned()))?);
        let mut draft = self.draft(limit).await?;
        let mut chunk = vec![0; CHUNK];
        loop {
            let read = from.read(&mut chunk).await?;
            match chunk.get(..read) {
                Some([]) | None => break,
                Some(bytes) => draft.write(bytes).await?,
            }
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        draft.finish(&name).await
    }

    /// Where a file's bytes are. `None`: there is no such file.
    pub fn path(&self, id: &FileId) -> Option<PathBuf> {
        self.info(id).map(|info| self.place(&info.id))
    }

    /// What is known of a file. `None`: there is no such file.
    pub fn info(&self, id: &FileId) -> Option<FileInfo> {
        if !is_id(&id.0) || !self.place(id).is_file() {
            return None;
        }
        let about: About = serde_json::from_slice(&fs::read(self.about(id)).ok()?).ok()?;
        let About { name, media_type, size } = about;
        Some(FileInfo { id: id.clone(), name, media_type, size })
    }

    /// Removes a file, if there is one.
    pub fn remove(&self, id: &FileId) -> io::Result<()> {
        let Some(info) = self.info(id) else { return Ok(()) };
        fs::remove_file(self.about(id))?;
        fs::remove_file(self.place(id))?;
        self.give_back(info.size);
        Ok(())
    }

    /// Removes the files that have been here for `age` and that nobody `wants`: uploads that were never sent.
    pub fn sweep(&self, age: Duration, wants: impl Fn(&FileId) -> bool) -> io::Result<()> {
        for entry in fs::read_dir(&self.inner.folder)? {
            let entry = entry?;
            let Some(id) = entry.file_name().to_str().filter(|name| is_id(name)).map(FileId::from) else {
                continue;
            };
            let old =
                SystemTime::now().duration_since(entry.metadata()?.modified()?).unwrap_or_default() >= age;
            if old && !wants(&id) {
                self.remove(&id)?;
            }
        }
        Ok(())
    }

    /// A file that is about to arrive.
    pub(crate) async fn draft(&self, limit: u64) -> Result<Draft, KeepError> {
        Draft::begin(self.clone(), limit.min(self.inner.limits.file)).await
    }

    fn place(&self, id: &FileId) -> PathBuf {
        self.inner.folder.join(&id.0)
    }

    fn about(&self, id: &FileId) -> PathBuf {
        self.inner.folder.join(format!("{id}.json"))
    }

    fn take(&self, bytes: u64) -> Result<(), KeepError> {
        let total = self.inner.limits.total;
        let enough = |used: u64| used.checked_add(bytes).filter(|used| *used <= total);
        let taken = self.inner.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, enough);
        taken.map(drop).map_err(|_| KeepError::Full(total))
    }

    fn give_back(&self, bytes: u64) {
        self.inner.used.fetch_sub(bytes, Ordering::Relaxed);
    }
}

/// Ids are made by us: anything else names no file, and no path.
fn is_id(text: &str) -> bool {
    text.len() == ID && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// A name without a folder, whatever system it comes from.
fn plain_name(name: &str) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let plain = names::plain(last, MAX_NAME);
    if plain.trim_matches('.').is_empty() { NAMELESS.to_owned() } else { plain }
}

/// Opens a plain file and makes sure that it is the one that stood at this path: no link, and none put there meanwhile.
fn open_plain(path: &Path) -> io::Result<fs::File> {
    let named = fs::symlink_metadata(path)?;
    if !named.is_file() {
        return Err(io::Error::other("not a plain file"));
    }
    let file = fs::File::open(path)?;
    if is_same(&named, &file.metadata()?) { Ok(file) } else { Err(io::Error::other("not the same file")) }
}

#[cfg(unix)]
fn is_same(one: &fs::Metadata, other: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

#[cfg(not(unix))]
fn is_same(_one: &fs::Metadata, other: &fs::Metadata) -> bool {
    other.is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: Limits = Limits { file: 100, total: 250 };

    fn files() -> (tempfile::TempDir, Files) {
        let data = tempfile::tempdir().unwrap();
        let files = Files::open(data.path(), SMALL).unwrap();
        (data, files)
    }

    async fn add(files: &Files, bytes: &[u8]) -> Result<FileInfo, KeepError> {
        let mut draft = files.draft(u64::MAX).await?;
        for piece in bytes.chunks(7) {
            draft.write(piece).await?;
        }
        draft.finish("a.txt").await
    }

    fn names(files: &Files) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(&files.inner.folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[tokio::test]
    async fn a_file_comes_back_as_it_went_in_also_after_a_restart() {
        let (data, files) = files();
        let info = add(&files, b"Hello, world").await.unwrap();
        assert_eq!((info.name.as_str(), info.media_type.as_str(), info.size), ("a.txt", "text/plain", 12));
        drop(files);
        let files = Files::open(data.path(), SMALL).unwrap();
        assert_eq!(files.info(&info.id), Some(info.clone()));
        assert_eq!(fs::read(files.path(&info.id).unwrap()).unwrap(), b"Hello, world");
        files.remove(&info.id).unwrap();
        files.remove(&info.id).unwrap();
        assert!(files.path(&info.id).is_none() && names(&files).is_empty());
    }

    #[tokio::test]
    async fn a_file_has_its_limit_and_so_have_all_of_them() {
        let (data, files) = files();
        assert!(matches!(add(&files, &[b'x'; 101]).await, Err(KeepError::TooLarge(100))));
        let first = add(&files, &[b'x'; 100]).await.unwrap();
        add(&files, &[b'x'; 100]).await.unwrap();
        assert!(matches!(add(&files, &[b'x'; 51]).await, Err(KeepError::Full(250))));
        let files = Files::open(data.path(), SMALL).unwrap();
        assert!(matches!(add(&files, &[b'x'; 51]).await, Err(KeepError::Full(250))));
        files.remove(&first.id).unwrap();
        add(&files, &[b'x'; 51]).await.unwrap();
        assert_eq!(names(&files).len(), 4, "what was refused left nothing behind");
    }

    #[tokio::test]
    async fn what_a_crash_left_half_done_is_swept_away() {
        let (data, files) = files();
        let whole = add(&files, b"whole").await.unwrap();
        let folder = files.inner.folder.clone();
        let id = "0123456789abcdef0123456789abcdef";
        for name in [id, &format!("{id}.part"), "fedcba9876543210fedcba9876543210.json", "stray"] {
            fs::write(folder.join(name), "{}").unwrap();
        }
        let files = Files::open(data.path(), SMALL).unwrap();
        assert_eq!(names(&files), [whole.id.0.clone(), format!("{}.json", whole.id)]);
    }

    #[tokio::test]
    async fn uploads_that_nobody_sent_go_in_the_end() {
        let (_data, files) = files();
        let (sent, forgotten) = (add(&files, b"a").await.unwrap(), add(&files, b"b").await.unwrap());
        files.sweep(Duration::from_secs(60), |_| false).unwrap();
        assert_eq!(names(&files).len(), 4);
        files.sweep(Duration::ZERO, |id| *id == sent.id).unwrap();
        assert!(files.info(&sent.id).is_some() && files.info(&forgotten.id).is_none());
    }

    #[test]
    fn an_id_is_one_of_ours_or_names_nothing() {
        let (data, files) = files();
        fs::write(data.path().join("secret"), "x").unwrap();
        for id in
            ["", ".", "..", "../secret", "/etc/passwd", "0123456789ABCDEF0123456789ABCDEF", &"0".repeat(33)]
        {
            assert!(
                !is_id(id) && files.info(&id.into()).is_none() && files.path(&id.into()).is_none(),
                "{id}"
            );
        }
        assert!(is_id("0123456789abcdef0123456789abcdef"));
    }

    #[test]
    fn a_name_has_no_folder_and_hides_nothing() {
        for (name, expected) in [
            ("plan.png", "plan.png"),
            ("../../etc/passwd", "passwd"),
            ("C:\\Users\\me\\plan.png", "plan.png"),
            ("gnp.\u{202e}exe", "gnp.exe"),
            ("a\r\nSet-Cookie: x", "aSet-Cookie: x"),
            ("", "file"),
            ("..", "file"),
            ("folder/", "file"),
        ] {
            assert_eq!(plain_name(name), expected, "{name:?}");
        }
        assert_eq!(plain_name(&"ä".repeat(500)).chars().count(), 200);
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn only_a_plain_file_is_copied_and_never_what_a_link_leads_to() {
        let (data, files) = files();
        let secret = data.path().join("secret");
        fs::write(&secret, "secret").unwrap();
        let link = data.path().join("chart.png");
        std::os::unix::fs::symlink(&secret, &link).unwrap();
        let pipe = data.path().join("pipe");
        std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
        for path in [
            link.as_path(),
            &pipe,
            data.path(),
            &data.path().join("nothing"),
            Path::new("/dev/zero"),
            Path::new(""),
        ] {
            assert!(matches!(files.keep(path, 100).await, Err(KeepError::NotAFile(_))), "{}", path.display());
        }
        assert!(matches!(files.keep(&secret, 5).await, Err(KeepError::TooLarge(5))));
        let kept = files.keep(&secret, 6).await.unwrap();
        assert_eq!(kept.name, "secret");
        fs::remove_file(&secret).unwrap();
        assert_eq!(fs::read(files.path(&kept.id).unwrap()).unwrap(), b"secret");
    }
}
