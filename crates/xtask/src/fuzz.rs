//! `cargo xtask fuzz`: libFuzzer around the targets of `tests/fuzz`, with the stable compiler and no tool to install.
//!
//! What it finds on the way stays in the target folder and is used again; `--keep` takes over into the checkout what
//! reaches code that the kept inputs do not reach.

use crate::{
    cli::FuzzOptions,
    paths::Paths,
    process::{self, Echo, Step},
};
use anyhow::{Context, Result, bail};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// The targets, each with the longest input that is tried.
pub(crate) const TARGETS: [(&str, u32); 4] =
    [("document", 1_500), ("quadratic", 120), ("safe-url", 300), ("frames", 2_000)];

/// Coverage for libFuzzer, from the compiler's own passes: what `cargo fuzz` asks for, less the sanitizers, which
/// need a nightly compiler and would find nothing in code without `unsafe`.
const COVERAGE: [&str; 6] = [
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "-Ccodegen-units=1",
];

/// Runs one target or, one after the other, all of them.
pub(crate) fn run(paths: &Paths, options: &FuzzOptions) -> Result<()> {
    let program = build(paths)?;
    for (target, longest) in TARGETS {
        if options.target.as_deref().is_none_or(|only| only == target) {
            fuzz(paths, &program, target, longest, options)?;
        }
    }
    Ok(())
}

/// The flags must not reach build scripts and macros, and do not when a target is named.
fn build(paths: &Paths) -> Result<PathBuf> {
    let host = host()?;
    let folder = paths.target.join("fuzz");
    let mut command = Command::new("cargo");
    command
        .args(["build", "--release", "--package", "fuzz", "--features", "libfuzzer", "--bin", "fuzzer"])
        .args(["--target", &host, "--target-dir"])
        .arg(&folder)
        .current_dir(&paths.root)
        .env("CARGO_ENCODED_RUSTFLAGS", COVERAGE.join("\u{1f}"))
        // Overflow and debug assertions are findings too.
        .envs([("CARGO_PROFILE_RELEASE_DEBUG_ASSERTIONS", "true"), ("CARGO_PROFILE_RELEASE_DEBUG", "1")]);
    let step = Step {
        name: "Building the fuzzer",
        takes: "about 2 minutes the first time",
        remedy: "it needs a C++ compiler: on Debian, apt-get install g++",
        echo: Echo::Progress,
    };
    process::run(&step, command)?;
    Ok(folder.join(host).join("release").join("fuzzer"))
}

/// The platform of this compiler, by its own name.
fn host() -> Result<String> {
    let output = Command::new("rustc").arg("-vV").output().context("cannot start rustc")?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).context("rustc does not say for which platform it is")
}

fn fuzz(paths: &Paths, program: &Path, target: &str, longest: u32, options: &FuzzOptions) -> Result<()> {
    let kept = paths.root.join("tests/fuzz/corpus").join(target);
    let found = paths.target.join("fuzz/found").join(target);
    let findings = paths.target.join("fuzz/findings");
    for folder in [&kept, &found, &findings] {
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    let start = || {
        let mut command = Command::new(program);
        command.env("IRIS_FUZZ_TARGET", target).current_dir(&paths.root);
        command.arg(format!("-max_len={longest}")).arg("-timeout=30");
        command.arg(format!("-artifact_prefix={}/{target}-", findings.display()));
        command
    };
    let mut command = start();
    command.arg(format!("-max_total_time={}", options.minutes * 60)).arg("-print_final_stats=1");
    let words = paths.root.join("tests/fuzz/words").join(format!("{target}.dict"));
    if words.is_file() {
        command.arg(format!("-dict={}", words.display()));
    }
    command.args([&found, &kept]);
    let step = Step {
        name: &format!("Fuzzing {target} for {} minutes", options.minutes),
        takes: "",
        remedy: "the input is in the file named above: copy it to tests/fuzz/corpus, where it is a test of the native ring",
        echo: Echo::Lines,
    };
    process::run(&step, command)?;
    if options.keep {
        let mut command = start();
        command.args(["-merge=1", "-set_cover_merge=1"]).args([&kept, &found]);
        let step = Step {
            name: &format!("Keeping what is new to {target}"),
            takes: "",
            remedy: "the lines above",
            echo: Echo::Progress,
        };
        process::run(&step, command)?;
    }
    Ok(())
}

/// Whether there is a target of this name.
pub(crate) fn check(name: &str) -> Result<()> {
    if TARGETS.iter().any(|(target, _)| *target == name) {
        return Ok(());
    }
    let names: Vec<&str> = TARGETS.iter().map(|(target, _)| *target).collect();
    bail!("unknown target \"{name}\"; there are {}", names.join(", "))
}
