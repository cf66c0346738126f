//! `cargo xtask install`: one program with the app inside, where cargo keeps its programs.

use crate::{
    app,
    paths::Paths,
    process::{self, Echo, Step},
};
use anyhow::Result;
use std::process::Command;

/// Builds the app if it has changed, and installs the adapter with it.
pub(crate) fn run(paths: &Paths) -> Result<()> {
    app::build(paths)?;
    let step = Step {
        name: "Installing iris-adapter",
        takes: "about 2 minutes the first time",
        remedy: "the lines above; they are rustc's",
        echo: Echo::Progress,
    };
    let mut command = Command::new("cargo");
    command.args(["install", "--locked", "--path", "crates/adapter"]).current_dir(&paths.root);
    // Named, so that a build without the app is an error of the adapter's and not a silent choice.
    command.env("IRIS_DIST", paths.dist());
    process::run(&step, command)?;
    println!("✓ Installed. Start it with `iris-adapter serve`.");
    Ok(())
}
