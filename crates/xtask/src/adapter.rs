//! Builds the native adapter.

use crate::{
    paths::Paths,
    process::{self, Echo, Step},
};
use anyhow::Result;
use std::{path::PathBuf, process::Command};

/// Builds the adapter and returns the program. The development profile is shared with the tests and fast enough.
pub(crate) fn build(paths: &Paths, release: bool) -> Result<PathBuf> {
    let step = Step {
        name: "Building the adapter",
        takes: "about 1 minute the first time",
        remedy: "the lines above; they are rustc's",
        echo: Echo::Progress,
    };
    let mut command = Command::new("cargo");
    command.args(["build", "--package", "iris-adapter", "--bin", "iris-adapter"]).current_dir(&paths.root);
    if release {
        command.arg("--release");
    }
    process::run(&step, command)?;
    let profile = if release { "release" } else { "debug" };
    Ok(paths.target.join(profile).join(format!("iris-adapter{}", std::env::consts::EXE_SUFFIX)))
}
