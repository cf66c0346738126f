//! `cargo xtask chaos`: builds the adapter and the runner, installs the real Hermes where it is wanted, and lets them go.

use crate::{
    adapter,
    cli::ChaosOptions,
    hermes,
    paths::Paths,
    process::{self, Echo, Step},
};
use anyhow::Result;
use std::process::Command;

/// Runs it. The figures are the last thing that is printed.
pub(crate) fn run(paths: &Paths, options: &ChaosOptions) -> Result<()> {
    let mut command = Command::new("cargo");
    command.args(["run", "--quiet", "--package", "chaos", "--"]).args(&options.runner);
    command.current_dir(&paths.root).env("IRIS_ADAPTER", adapter::build(paths, false)?);
    if options.hermes {
        command.env("IRIS_HERMES", hermes::ensure(paths)?);
    }
    let step = Step {
        name: "Killing and cutting at random moments",
        takes: "about 2 minutes with the demo, 10 more with Hermes",
        remedy: "the lines above: each failed run says how to try it again",
        echo: Echo::Lines,
    };
    process::run(&step, command).map(drop)
}
