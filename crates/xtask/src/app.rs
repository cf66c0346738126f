//! Builds the app with Trunk into `dist/`, unless what is there was built from the same sources.

use crate::{
    fingerprint, lock, modules,
    paths::Paths,
    process::{self, Echo, Step},
    tools,
    wasm_target::{self, Toolchain},
};
use anyhow::{Context, Result};
use std::{env, fs, path::PathBuf, process::Command};

/// Where the fingerprint of a finished build is kept. Trunk empties the folder first, so a broken build has none.
fn stamp(paths: &Paths) -> PathBuf {
    paths.dist().join(".fingerprint")
}

/// Builds the app if anything it depends on has changed.
pub(crate) fn build(paths: &Paths) -> Result<()> {
    let fingerprint = fingerprint::of_app(&paths.root, &context()?)?;
    if is_current(paths, &fingerprint) {
        println!("✓ The app in dist/ is up to date");
        return Ok(());
    }
    let toolchain = wasm_target::ensure(paths)?;
    tools::ensure(paths, &tools::FOR_BUILD)?;
    modules::ensure(paths)?;
    // wasm-bindgen's output folder has no checkout in its name: two builds in one target folder would mix.
    let _lock = lock::acquire(&paths.target.join("trunk.lock"), "this target folder")?;
    fetch(paths)?;
    trunk(paths, toolchain)?;
    fs::write(stamp(paths), fingerprint).context("cannot write into dist")
}

fn is_current(paths: &Paths, fingerprint: &str) -> bool {
    paths.dist().join("index.html").is_file()
        && fs::read_to_string(stamp(paths)).is_ok_and(|old| old == fingerprint)
}

/// What changes the result without being a source: the compiler and the versions of the tools.
fn context() -> Result<String> {
    let answer =
        Command::new("rustc").arg("-vV").output().context("cannot start rustc: install Rust with rustup")?;
    let versions: Vec<_> = tools::FOR_BUILD.iter().map(|tool| tool.version).collect();
    let flags = env::var("RUSTFLAGS").unwrap_or_default();
    Ok(format!("{}\n{}\n{flags}", String::from_utf8_lossy(&answer.stdout), versions.join(" ")))
}

/// Trunk builds without the network, so that a missing tool is an error; the crates have to be there before.
fn fetch(paths: &Paths) -> Result<()> {
    let step = Step {
        name: "Fetching the app's crates",
        takes: "",
        remedy: "a way to the crates registry",
        echo: Echo::Progress,
    };
    let mut command = Command::new("cargo");
    command.arg("fetch").current_dir(&paths.root);
    process::run(&step, command).map(drop)
}

fn trunk(paths: &Paths, toolchain: Toolchain) -> Result<()> {
    let step = Step {
        name: "Building the app",
        takes: "about 3 minutes the first time",
        remedy: "the lines above; they are rustc's and Trunk's",
        echo: Echo::Progress,
    };
    let mut command = trunk_command(paths, toolchain)?;
    command.args(["build", "--release"]);
    process::run(&step, command).map(drop)
}

/// Trunk with everything it calls on its `PATH`.
fn trunk_command(paths: &Paths, toolchain: Toolchain) -> Result<Command> {
    let mut command = Command::new(tools::program(paths, &tools::TRUNK));
    command.current_dir(&paths.root).env("PATH", tools::path_with(paths, &tools::FOR_BUILD)?);
    command.env("TRUNK_SKIP_VERSION_CHECK", "true");
    // Trunk reads it as a boolean and refuses the usual "1".
    command.env_remove("NO_COLOR");
    // rustc's own lines say what is wrong; where in Trunk it was noticed does not help.
    command.env_remove("RUST_BACKTRACE");
    command.env("IRIS_XTASK", env::current_exe().context("this program has no path")?);
    toolchain.apply(&mut command);
    Ok(command)
}

/// Development: Trunk serves a quickly built app and builds it again at every change. The adapter runs elsewhere.
/// Becomes Trunk, and returns only when that fails.
pub(crate) fn develop(paths: &Paths, options: &[String]) -> Result<()> {
    let toolchain = wasm_target::ensure(paths)?;
    tools::ensure(paths, &tools::FOR_BUILD)?;
    modules::ensure(paths)?;
    fetch(paths)?;
    let mut command = trunk_command(paths, toolchain)?;
    // Not into dist/: an adapter may be serving that.
    command.args(["serve", "--dist", "target/trunk/dist"]).args(options);
    process::replace_with(command).context("cannot start Trunk")
}
