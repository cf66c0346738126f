//! `cargo xtask run` and `screenshots`: the app and the adapter together. The adapter takes over this process, so that
//! its address is the last line, and a signal reaches it.

use crate::{
    adapter, app, apt,
    cli::RunOptions,
    paths::Paths,
    process::{self, Echo, Step},
};
use anyhow::{Context, Result, bail};
use std::{net::TcpListener, path::Path, process::Command};

/// Where the app is unless somebody says otherwise or something else listens there.
const PORT: u16 = 8787;

/// Builds what has changed and serves it. Returns only when the adapter has ended, or not at all.
pub(crate) fn run(paths: &Paths, options: &RunOptions) -> Result<()> {
    app::build(paths)?;
    let program = adapter::build(paths, options.release)?;
    let port = match options.port {
        Some(port) => port,
        None => default_port()?,
    };
    let mut command = Command::new(&program);
    command
        .args(["serve", "--app"])
        .arg(paths.dist())
        .args(["--port", &port.to_string()])
        .args(&options.adapter);
    if !options.adapter.iter().any(|word| word == "--data" || word.starts_with("--data=")) {
        // Not where an installed Iris keeps its conversations; and two ports are two adapters.
        command.arg("--data").arg(paths.target.join("iris-data").join(port.to_string()));
    }
    process::replace_with(command).with_context(|| format!("cannot start {}", program.display()))
}

/// The default port, or the next that is free.
fn default_port() -> Result<u16> {
    let port =
        first_free(PORT..PORT.saturating_add(100), |port| TcpListener::bind(("127.0.0.1", port)).is_ok());
    let Some(port) = port else { bail!("no port from {PORT} on is free: choose one with --port") };
    if port != PORT {
        println!("  port {PORT} is taken, so it is {port}; --port N chooses another");
    }
    Ok(port)
}

fn first_free(mut ports: impl Iterator<Item = u16>, is_free: impl Fn(u16) -> bool) -> Option<u16> {
    ports.find(|port| is_free(*port))
}

/// Builds everything and lets the end-to-end crate take the pictures.
pub(crate) fn screenshots(paths: &Paths, folder: &str) -> Result<()> {
    let mut command = with_product(paths, Command::new("cargo"))?;
    command.args(["run", "--package", "e2e", "--bin", "screenshots", "--"]).arg(Path::new(folder));
    let step = Step {
        name: "Taking the screenshots",
        takes: "about 1 minute",
        remedy: "the lines above",
        echo: Echo::Lines,
    };
    process::run(&step, command).map(drop)
}

/// Builds the app and the adapter and tells `command` where they are, and where the browser is.
pub(crate) fn with_product(paths: &Paths, mut command: Command) -> Result<Command> {
    app::build(paths)?;
    let program = adapter::build(paths, false)?;
    let browser = apt::browser(paths)?;
    command.current_dir(&paths.root);
    command.env("IRIS_APP_DIR", paths.dist()).env("IRIS_ADAPTER", program);
    command.env("CHROMIUM", browser.chromium).env("CHROMEDRIVER", browser.chromedriver);
    Ok(command)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_taken_port_is_skipped() {
        assert_eq!(first_free(10..20, |port| port > 12), Some(13));
        assert_eq!(first_free(10..12, |_| false), None);
    }
}
