//! System packages: only what the browser tests need, through `apt-get` and only as root. Otherwise it prints the line
//! to run. Never removes or upgrades anything.

use crate::{
    lock,
    paths::Paths,
    process::{self, Echo, Step},
    tools,
};
use anyhow::{Result, bail};
use std::{env, path::PathBuf, process::Command};

/// A browser and the program that drives it.
pub(crate) struct Browser {
    pub(crate) chromium: PathBuf,
    pub(crate) chromedriver: PathBuf,
}

/// Screenshots show empty boxes without an emoji font, and other letters on every machine without a common one.
const FONTS: [&str; 3] = ["fonts-noto-color-emoji", "fonts-noto-core", "fonts-liberation"];

/// Finds Chromium and its driver, and installs them with the fonts where `apt-get` can.
pub(crate) fn browser(paths: &Paths) -> Result<Browser> {
    if let Some(browser) = find_browser() {
        install(paths, missing_fonts())?;
        return Ok(browser);
    }
    let packages = ["chromium", "chromium-driver"].into_iter().chain(missing_fonts()).collect();
    if tools::find_on_path(&["apt-get"]).is_none() {
        bail!(
            "no Chromium with chromedriver on PATH: install them, or set CHROMIUM and CHROMEDRIVER to them"
        );
    }
    install(paths, packages)?;
    match find_browser() {
        Some(browser) => Ok(browser),
        None => bail!("Chromium was installed but is not on PATH: set CHROMIUM and CHROMEDRIVER"),
    }
}

fn find_browser() -> Option<Browser> {
    let named = |variable, names: &[&str]| {
        env::var_os(variable).map(PathBuf::from).or_else(|| tools::find_on_path(names))
    };
    Some(Browser {
        chromium: named("CHROMIUM", &["chromium", "chromium-browser", "google-chrome"])?,
        chromedriver: named("CHROMEDRIVER", &["chromedriver"])?,
    })
}

/// The fonts a Debian machine lacks. Elsewhere the system's own fonts have to do.
fn missing_fonts() -> Vec<&'static str> {
    if tools::find_on_path(&["dpkg-query"]).is_none() {
        return Vec::new();
    }
    FONTS.into_iter().filter(|package| !is_installed(package)).collect()
}

fn is_installed(package: &str) -> bool {
    let answer = Command::new("dpkg-query").args(["-W", "-f=${Status}", package]).output();
    answer.is_ok_and(|answer| String::from_utf8_lossy(&answer.stdout).ends_with("ok installed"))
}

/// Installs these packages, or says how. Nothing to install is success.
pub(crate) fn install(paths: &Paths, packages: Vec<&str>) -> Result<()> {
    if packages.is_empty() {
        return Ok(());
    }
    let line = format!("apt-get install -y --no-install-recommends {}", packages.join(" "));
    if !is_root() {
        bail!(
            "these system packages are missing; run this line, then the same command again:\n\n  sudo {line}\n"
        );
    }
    let _lock = lock::acquire(&paths.cache.join("install.lock"), "the system's packages")?;
    let remedy = format!("a way to the Debian mirror; by hand it is: {line}");
    let update = Step {
        name: "Reading the list of system packages",
        takes: "seconds",
        remedy: &remedy,
        echo: Echo::Progress,
    };
    process::run(&update, apt(&["update"]))?;
    let name = format!("Installing system packages: {}", packages.join(" "));
    let step = Step { name: &name, takes: "about 1 minute", remedy: &remedy, echo: Echo::Progress };
    let mut command = apt(&["install", "-y", "--no-install-recommends"]);
    command.args(&packages);
    process::run(&step, command)?;
    Ok(())
}

fn apt(words: &[&str]) -> Command {
    let mut command = Command::new("apt-get");
    // Another apt-get may be at work on a fresh machine.
    command.args(["-o", "DPkg::Lock::Timeout=300"]).args(words).env("DEBIAN_FRONTEND", "noninteractive");
    command
}

/// The numeric user, asked of `id`: the standard library cannot tell.
pub(crate) fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|answer| answer.stdout.trim_ascii() == b"0")
}
