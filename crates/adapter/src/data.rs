//! The data folder: where it is, that only its owner can look into it, and that one adapter at a time works in it.
//! What lies in it belongs to others: `devices.db` and `files/` to the modules of those names, `iris.db` to the journal.

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, Write},
    path::{Path, PathBuf},
    sync::Arc,
};

use etcetera::{BaseStrategy, choose_base_strategy};

const LOCK: &str = "lock";

/// What is wrong with the data folder, for the person who named it.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    /// Nobody said where, and there is no home folder.
    #[error("there is no home folder to keep data in.\nSay where with --data DIR.")]
    Nowhere,
    /// It cannot be made or written to.
    #[error(
        "cannot use the data folder {folder}: {1}.\nChoose another with --data DIR.", folder = .0.display()
    )]
    Unusable(PathBuf, io::Error),
    /// Others can look into it, and it holds something already, so that it may not be ours to close.
    #[error(
        "other users of this machine can look into the data folder {folder}, which will hold your conversations.\n\
         Make it yours alone (chmod 700 {folder}), or choose another with --data DIR.", folder = .0.display()
    )]
    Open(PathBuf),
    /// Another adapter works in it.
    #[error(
        "another Iris works in the data folder {folder}.\nStop that one, or choose another folder with --data DIR.",
        folder = .0.display()
    )]
    InUse(PathBuf),
}

/// The data folder of a running adapter. The last clone that goes lets another adapter in.
#[derive(Clone, Debug)]
pub struct Data {
    folder: PathBuf,
    lock: Arc<File>,
}

impl Data {
    /// Makes the folder if there is none, and keeps every other adapter out of it.
    pub fn open(folder: &Path) -> Result<Self, DataError> {
        let folder = prepare(folder)?;
        let trouble = |error| DataError::Unusable(folder.clone(), error);
        let lock = private().truncate(false).open(folder.join(LOCK)).map_err(trouble)?;
        match lock.try_lock() {
            Ok(()) => Ok(Self { folder, lock: Arc::new(lock) }),
            Err(TryLockError::WouldBlock) => Err(DataError::InUse(folder)),
            Err(TryLockError::Error(error)) => Err(trouble(error)),
        }
    }

    /// Where it is.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Leaves word of where this adapter is, for `iris-adapter pair`.
    pub fn announce(&self, address: &str) -> Result<(), DataError> {
        let mut file: &File = &self.lock;
        let told = self.lock.set_len(0).and_then(|()| file.write_all(address.as_bytes()));
        told.map_err(|error| DataError::Unusable(self.folder.clone(), error))
    }
}

/// Where the adapter is that works in this folder. `None`: none does.
pub fn announced(folder: &Path) -> Option<String> {
    let path = folder.join(LOCK);
    match File::open(&path).ok()?.try_lock_shared() {
        Err(TryLockError::WouldBlock) => fs::read_to_string(path).ok(),
        _ => None,
    }
}

/// The folder of somebody who named none.
pub fn default_folder() -> Result<PathBuf, DataError> {
    choose_base_strategy().map(|base| base.data_dir().join("iris")).map_err(|_| DataError::Nowhere)
}

/// Makes the folder if there is none, for its owner alone. The result is absolute.
pub fn prepare(folder: &Path) -> Result<PathBuf, DataError> {
    let trouble = |error| DataError::Unusable(folder.to_owned(), error);
    make_private(folder).map_err(trouble)?;
    let folder = folder.canonicalize().map_err(trouble)?;
    if is_private(&folder).map_err(trouble)? {
        return Ok(folder);
    }
    // An empty one was made for us a moment ago; one with something in it may be anybody's.
    if fs::read_dir(&folder).map_err(trouble)?.next().is_some() {
        return Err(DataError::Open(folder));
    }
    close(&folder).map_err(trouble)?;
    Ok(folder)
}

/// How a file that only its owner reads is opened for writing.
pub fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Makes a folder that only its owner can enter, unless it is there.
pub fn make_private(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

#[cfg(unix)]
fn is_private(folder: &Path) -> io::Result<bool> {
    use std::os::unix::fs::PermissionsExt;
    Ok(fs::metadata(folder)?.permissions().mode() & 0o077 == 0)
}

#[cfg(unix)]
fn close(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(folder, fs::Permissions::from_mode(0o700))
}

#[cfg(not(unix))]
fn is_private(_folder: &Path) -> io::Result<bool> {
    Ok(true)
}

#[cfg(not(unix))]
fn close(_folder: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn the_folder_and_its_files_are_the_owners_alone() {
        let home = tempfile::tempdir().unwrap();
        let data = Data::open(&home.path().join("a/b")).unwrap();
        assert_eq!(mode(data.folder()), 0o700);
        assert_eq!(mode(&data.folder().join(LOCK)), 0o600);
    }

    #[test]
    fn an_empty_folder_is_closed_and_a_full_one_is_refused() {
        let home = tempfile::tempdir().unwrap();
        fs::set_permissions(home.path(), fs::Permissions::from_mode(0o755)).unwrap();
        assert_eq!(mode(Data::open(home.path()).unwrap().folder()), 0o700);
        fs::set_permissions(home.path(), fs::Permissions::from_mode(0o755)).unwrap();
        let error = Data::open(home.path()).unwrap_err();
        assert!(matches!(error, DataError::Open(_)) && error.to_string().contains("chmod 700"), "{error}");
        assert_eq!(mode(home.path()), 0o755);
    }

    #[test]
    fn one_adapter_at_a_time_works_in_it() {
        let home = tempfile::tempdir().unwrap();
        let first = Data::open(home.path()).unwrap();
        assert!(matches!(Data::open(home.path()), Err(DataError::InUse(_))));
        first.announce("http://127.0.0.1:1/").unwrap();
        assert_eq!(announced(home.path()).as_deref(), Some("http://127.0.0.1:1/"));
        drop(first);
        assert_eq!(announced(home.path()), None);
        Data::open(home.path()).unwrap();
    }

    #[test]
    fn what_cannot_be_a_folder_is_named() {
        let home = tempfile::tempdir().unwrap();
        let file = home.path().join("file");
        fs::write(&file, "").unwrap();
        let error = Data::open(&file).unwrap_err().to_string();
        assert!(error.contains("file") && error.contains("--data"), "{error}");
    }
}
