//! `cargo xtask bench`: builds the measurements as the product is built, and runs them.

use crate::{
    apt, bench_page,
    cli::{BenchOptions, Measured},
    paths::Paths,
    process::{self, Echo, Step},
    serve,
};
use anyhow::Result;
use std::process::Command;

/// Where the report about Markdown lies.
const REPORT: &str = "docs/benchmarks.md";

/// Measures. The tables are the last thing that is printed.
pub(crate) fn run(paths: &Paths, options: &BenchOptions) -> Result<()> {
    if options.measures(Measured::Adapter) {
        adapter(paths)?;
    }
    if options.measures(Measured::Replay) {
        replay(paths)?;
    }
    if options.measures(Measured::Markdown) {
        markdown(paths, &options.markdown)?;
    }
    Ok(())
}

fn adapter(paths: &Paths) -> Result<()> {
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

/// The end-to-end tests of large runs print what they see.
fn replay(paths: &Paths) -> Result<()> {
    let mut command = Command::new("cargo");
    command.current_dir(&paths.root).args(["test", "--package", "e2e", "--test", "replay_large"]);
    let mut command = serve::with_product(paths, command)?;
    command.args(["--", "--nocapture", "--test-threads=1"]);
    let step = Step {
        name: "Measuring recorded runs of 100 MB in Chromium",
        takes: "about a minute",
        remedy: "the lines above",
        echo: Echo::Lines,
    };
    process::run(&step, command).map(drop)
}

fn markdown(paths: &Paths, options: &[String]) -> Result<()> {
    let browser = apt::browser(paths)?;
    let site = bench_page::build(paths)?;
    let mut command = Command::new("cargo");
    command.args(["run", "--package", "bench", "--", "--site"]).arg(site);
    command.arg("--report").arg(paths.root.join(REPORT)).args(options).current_dir(&paths.root);
    command.env("CHROMIUM", browser.chromium).env("CHROMEDRIVER", browser.chromedriver);
    let step = Step {
        name: "Measuring Markdown in Chromium",
        takes: "about 25 minutes on an idle machine; --quick takes one",
        remedy: "the lines above",
        echo: Echo::Lines,
    };
    process::run(&step, command).map(drop)
}
