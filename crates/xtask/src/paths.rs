//! Where things are: the checkout, the build products, the cache of tools.

use anyhow::{Context, Result};
use std::{
    env,
    path::{Path, PathBuf},
};

/// The folders every command works with.
pub(crate) struct Paths {
    /// The checkout: where the workspace's `Cargo.toml` is.
    pub(crate) root: PathBuf,
    /// Cargo's target folder.
    pub(crate) target: PathBuf,
    /// Tools and what else survives a `cargo clean`.
    pub(crate) cache: PathBuf,
}

impl Paths {
    /// Finds the folders from where this program was started and from its environment.
    pub(crate) fn find() -> Result<Self> {
        let root = root()?;
        let target = target(&root)?;
        let cache = cache_folder(env::var_os("IRIS_CACHE"), env::var_os("XDG_CACHE_HOME"), env::home_dir())
            .context("no home folder: set IRIS_CACHE to a folder for the tools")?;
        Ok(Self { root, target, cache })
    }

    /// The built app.
    pub(crate) fn dist(&self) -> PathBuf {
        self.root.join("dist")
    }
}

/// Cargo names the manifest of the package it runs; a hook that Trunk starts inherits it.
fn root() -> Result<PathBuf> {
    let start = env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(env::current_dir, |folder| Ok(PathBuf::from(folder)))?;
    start.ancestors().find(|folder| folder.join("Trunk.toml").is_file()).map(Path::to_path_buf).with_context(
        || format!("no Trunk.toml at or above {}: run this inside the checkout", start.display()),
    )
}

/// `<target>/<profile>/xtask` is this program, whatever set the target folder.
fn target(root: &Path) -> Result<PathBuf> {
    if let Some(folder) = env::var_os("CARGO_TARGET_DIR") {
        return Ok(root.join(folder));
    }
    let program = env::current_exe().context("this program has no path")?;
    let folder = program.ancestors().nth(2).context("this program is not in a target folder")?;
    Ok(folder.to_path_buf())
}

fn cache_folder(
    own: Option<std::ffi::OsString>,
    xdg: Option<std::ffi::OsString>,
    home: Option<PathBuf>,
) -> Option<PathBuf> {
    let set = |value: Option<std::ffi::OsString>| value.filter(|value| !value.is_empty()).map(PathBuf::from);
    set(own)
        .or_else(|| set(xdg).filter(|path| path.is_absolute()).map(|path| path.join("iris")))
        .or_else(|| home.map(|path| path.join(".cache").join("iris")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cache_moves_with_its_own_variable_then_with_the_desktops() {
        let check = |own: Option<&str>, xdg: Option<&str>, expected: &str| {
            let found = cache_folder(own.map(Into::into), xdg.map(Into::into), Some("/home/ada".into()));
            assert_eq!(found, Some(PathBuf::from(expected)), "{own:?} {xdg:?}");
        };
        check(Some("/mnt/tools"), Some("/xdg"), "/mnt/tools");
        check(None, Some("/xdg"), "/xdg/iris");
        check(None, None, "/home/ada/.cache/iris");
        check(Some(""), Some(""), "/home/ada/.cache/iris");
        check(None, Some("relative"), "/home/ada/.cache/iris");
    }

    #[test]
    fn without_a_home_there_is_no_cache() {
        assert_eq!(cache_folder(None, None, None), None);
    }
}
