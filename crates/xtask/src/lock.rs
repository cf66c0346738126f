//! One writer at a time: a lock file that the system releases when the process ends, however it ends.

use anyhow::{Context, Result};
use std::{
    fs::{File, TryLockError, create_dir_all},
    path::Path,
};

/// Held until dropped.
pub(crate) struct Lock {
    _file: File,
}

/// Takes the lock at `path`, waiting for another `cargo xtask` that holds it. `what` says what is guarded.
pub(crate) fn acquire(path: &Path, what: &str) -> Result<Lock> {
    if let Some(folder) = path.parent() {
        create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    let file = File::create(path).with_context(|| format!("cannot write {}", path.display()))?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            println!("  waiting for another cargo xtask that uses {what}");
            file.lock().with_context(|| format!("cannot lock {}", path.display()))?;
        }
        Err(TryLockError::Error(error)) => {
            return Err(error).with_context(|| format!("cannot lock {}", path.display()));
        }
    }
    Ok(Lock { _file: file })
}
