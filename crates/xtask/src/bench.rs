//! `cargo xtask bench`: builds the measurements as the product is built, and runs them.

use crate::{
    paths::Paths,
    process::{self, Echo, Step},
};
use anyhow::Result;
use std::process::Command;

/// Measures. The table is the last thing that is printed.
pub(crate) fn run(paths: &Paths) -> Result<()> {
    let mut command = Command::new("cargo");
    command.args(["run", "--release", "--package", "load"]).current_dir(&paths.root);
    let step = Step {
        name: "Measuring the adapter under load",
        takes: "about 5 minutes, most of it building",
        remedy: "the lines above",
        echo: Echo::Lines,
    };
    process::run(&step, command).map(drop)
}
