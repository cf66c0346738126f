//! A folder of the checkout with `package.json` and `package-lock.json`: its packages, exactly as locked, in the cache.
//! One folder there for each state of the lock, complete or not at all, so that a checkout never holds `node_modules` and
//! an old commit finds its own packages again. Runs no package's install script.

use crate::{
    fingerprint, lock,
    paths::Paths,
    process::{self, Echo, Step},
    tools,
};
use anyhow::{Context, Result};
use std::{
    env,
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// What says which packages there are, and how npm is to read that; the last is not in every folder.
const MANIFESTS: [&str; 3] = ["package.json", "package-lock.json", ".npmrc"];
/// How much of the fingerprint names the folder.
const DIGITS: usize = 16;
const REMEDY: &str = "Node 20 or newer with npm, and a way to its registry; then the same command again";

/// The installed packages of one folder.
pub(crate) struct Packages {
    folder: PathBuf,
}

/// Installs the packages that `name`, a folder of the checkout, has locked. A second call does nothing.
pub(crate) fn ensure(paths: &Paths, name: &str) -> Result<Packages> {
    let source = paths.root.join(name);
    let state: String = fingerprint::of(&source, &MANIFESTS, "")?.chars().take(DIGITS).collect();
    let folder = paths.cache.join("npm").join(format!("{}-{state}", name.replace('/', "-")));
    if !folder.is_dir() {
        let _lock = lock::acquire(&paths.cache.join("install.lock"), "the folder of tools")?;
        // Whoever held the lock may have installed the same.
        if !folder.is_dir() {
            install(paths, name, &source, &folder)?;
        }
    }
    Ok(Packages { folder })
}

/// The folder gets its name when everything is in it.
fn install(paths: &Paths, name: &str, source: &Path, folder: &Path) -> Result<()> {
    let partial = folder.with_extension("partial");
    let _ = fs::remove_dir_all(&partial);
    fs::create_dir_all(&partial).with_context(|| format!("cannot make {}", partial.display()))?;
    for from in MANIFESTS.map(|manifest| source.join(manifest)).into_iter().filter(|path| path.is_file()) {
        fs::copy(&from, partial.join(from.file_name().unwrap_or_default()))
            .with_context(|| format!("cannot copy {}", from.display()))?;
    }
    let title = format!("Installing the packages of {name}/ into {}", paths.cache.display());
    let step = Step { name: &title, takes: "seconds, once", remedy: REMEDY, echo: Echo::Progress };
    let mut command = npm()?;
    command.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"]).current_dir(&partial);
    process::run(&step, command)?;
    fs::rename(&partial, folder).with_context(|| format!("cannot make {}", folder.display()))
}

fn npm() -> Result<Command> {
    // On Windows npm is a script, which has to be named in full.
    let program = tools::find_on_path(&["npm", "npm.cmd"]).context(format!("no npm on PATH: {REMEDY}"))?;
    Ok(Command::new(program))
}

impl Packages {
    /// esbuild of these packages, which finds the others. Without its install script it is a script for Node itself.
    pub(crate) fn esbuild(&self) -> Command {
        let mut command = self.node();
        command.arg(self.modules().join("esbuild/bin/esbuild"));
        command
    }

    /// Node, with the packages where CommonJS and esbuild look for them.
    pub(crate) fn node(&self) -> Command {
        let mut command = Command::new("node");
        command.env("NODE_PATH", self.search_path());
        command
    }

    /// The folders of the packages that go into a bundle: all but those for development.
    pub(crate) fn shipped(&self) -> Result<Vec<PathBuf>> {
        let mut command = npm()?;
        command.args(["ls", "--omit=dev", "--all", "--parseable"]).current_dir(&self.folder);
        let answer = command.output().context("cannot start npm")?;
        let text = String::from_utf8_lossy(&answer.stdout).into_owned();
        // The first line is the folder itself.
        Ok(text.lines().skip(1).map(PathBuf::from).collect())
    }

    fn modules(&self) -> PathBuf {
        self.folder.join("node_modules")
    }

    fn search_path(&self) -> OsString {
        let old = env::var_os("NODE_PATH").unwrap_or_default();
        let folders = std::iter::once(self.modules()).chain(env::split_paths(&old));
        env::join_paths(folders).unwrap_or_else(|_| self.modules().into_os_string())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    /// Licences that ask for a notice at most, which `modules.rs` gives.
    const ALLOWED: [&str; 5] = ["MIT", "ISC", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0"];
    const LOCK: &str = include_str!("../../../modules/package-lock.json");

    /// The values of a key in a lock file, which npm writes with one key a line.
    fn values<'a>(lock: &'a str, key: &str) -> Vec<&'a str> {
        let start = format!("\"{key}\": \"");
        lock.lines().filter_map(|line| line.trim().strip_prefix(&start)?.split('"').next()).collect()
    }

    fn packages(lock: &str) -> BTreeSet<&str> {
        lock.lines()
            .filter_map(|line| line.trim().strip_prefix("\"node_modules/")?.split('"').next())
            .collect()
    }

    #[test]
    fn every_package_has_a_licence_that_we_allow_and_a_checksum() {
        let licences = values(LOCK, "license");
        assert_eq!(licences.len(), packages(LOCK).len());
        for licence in licences {
            assert!(ALLOWED.contains(&licence), "{licence}");
        }
        assert_eq!(values(LOCK, "integrity").len(), packages(LOCK).len());
    }

    #[test]
    fn the_lock_names_no_registry() {
        assert!(
            !LOCK.contains("\"resolved\""),
            "write it with `npm install --omit-lockfile-registry-resolved`"
        );
    }

    #[test]
    fn the_readme_lists_every_package() {
        let readme = include_str!("../../../modules/README.md");
        for package in packages(LOCK).into_iter().filter(|name| !name.starts_with("@esbuild/")) {
            assert!(readme.contains(&format!("`{package}`")), "modules/README.md does not list {package}");
        }
    }
}
