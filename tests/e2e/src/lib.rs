//! The end-to-end harness: the real adapter, a real browser, and a page to speak to in a user's terms.
//!
//! Owns processes and waiting. It does not know what is right; the tests in `tests/` do.

pub mod adapter;
pub mod browser;
pub mod cdp;
pub mod chats;
pub mod health;
pub mod hostile;
pub mod memory;
pub mod page;
pub mod proxy;
pub mod runs;
pub mod scripted;
pub mod wait;

use std::path::PathBuf;

/// Where something that the tests need stands: `name` from the environment, or the usual place.
pub(crate) fn place(name: &str, usual: &str) -> anyhow::Result<PathBuf> {
    let path = std::env::var_os(name).map_or_else(|| workspace().join(usual), PathBuf::from);
    anyhow::ensure!(
        path.exists(),
        "{name}: nothing at {} (`cargo xtask test` builds what the end-to-end tests need)",
        path.display()
    );
    Ok(path)
}

/// The workspace's folder.
pub fn workspace() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The folder of the built app.
///
/// # Errors
/// When there is none.
pub fn app_dir() -> anyhow::Result<PathBuf> {
    place("IRIS_APP_DIR", "dist")
}
