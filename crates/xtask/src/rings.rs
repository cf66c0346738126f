//! `cargo xtask test`: every ring of checks, all of them even after a failure, and the sum as the last line.

use crate::{
    app, apt,
    cli::TestOptions,
    hermes, modules,
    paths::Paths,
    process::{self, Echo, Finished, Step},
    serve, size,
    summary::{self, Count},
    tools,
    wasm_target::{self, TARGET, Toolchain},
};
use anyhow::Result;
use std::{
    process::{Command, ExitCode},
    time::Instant,
};

/// One ring of checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ring {
    /// The sources are formatted.
    Fmt,
    /// Lints of the native crates.
    Clippy,
    /// Lints of the app, for the browser.
    ClippyWasm,
    /// Licences, sources and duplicates of the dependencies.
    Deny,
    /// Tests of the native crates.
    Native,
    /// Examples in the documentation.
    Doc,
    /// Tests of the modules that are loaded later, in Node.
    Modules,
    /// Tests of the app that need a DOM, in a headless browser.
    Dom,
    /// The built app, the real adapter, a real browser.
    E2e,
    /// The same with the real Hermes Agent behind it, and a provider whose answers the tests choose.
    Hermes,
    /// What the first load transfers, and what may follow.
    Size,
}

impl Ring {
    /// In the order they run: the quick ones first.
    pub(crate) const ALL: [Self; 11] = [
        Self::Fmt,
        Self::Clippy,
        Self::ClippyWasm,
        Self::Deny,
        Self::Native,
        Self::Doc,
        Self::Modules,
        Self::Dom,
        Self::E2e,
        Self::Hermes,
        Self::Size,
    ];

    /// The name on the command line.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Fmt => "fmt",
            Self::Clippy => "clippy",
            Self::ClippyWasm => "clippy-wasm",
            Self::Deny => "deny",
            Self::Native => "native",
            Self::Doc => "doc",
            Self::Modules => "modules",
            Self::Dom => "dom",
            Self::E2e => "e2e",
            Self::Hermes => "hermes",
            Self::Size => "size",
        }
    }

    /// The ring of this name.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|ring| ring.name() == name)
    }

    fn run(self, paths: &Paths, long: bool) -> Result<Outcome> {
        match self {
            Self::Fmt => {
                check("Checking the format", cargo(paths, &["fmt", "--all", "--check"]), "cargo fmt --all")
            }
            Self::Clippy => clippy(paths),
            Self::ClippyWasm => clippy_wasm(paths),
            Self::Deny => deny(paths),
            Self::Native => native(paths, long),
            Self::Doc => doc(paths),
            Self::Modules => modules::test(paths).map(|finished| Outcome::of(&finished)),
            Self::Dom => dom(paths),
            Self::E2e => e2e(paths),
            Self::Hermes => with_hermes(paths),
            Self::Size => {
                app::build(paths)?;
                size::report(&paths.dist()).map(|()| Outcome::one())
            }
        }
    }
}

/// What came out of a ring.
struct Outcome {
    count: Count,
    /// The runner's own words.
    summary: Vec<String>,
}

impl Outcome {
    /// A check that is not made of tests counts as one.
    fn one() -> Self {
        Self { count: Count { passed: 1, failed: 0 }, summary: Vec::new() }
    }

    /// What a test runner reported.
    fn of(finished: &Finished) -> Self {
        Self {
            count: summary::count(&finished.text).settle(finished.ok),
            summary: summary::digest(&finished.text),
        }
    }

    fn failure() -> Self {
        Self { count: Count { passed: 0, failed: 1 }, summary: Vec::new() }
    }
}

/// Runs the rings and prints the sum.
pub(crate) fn run(paths: &Paths, options: &TestOptions) -> Result<ExitCode> {
    let mut total = Count::default();
    let mut report = Vec::new();
    for ring in Ring::ALL.into_iter().filter(|ring| options.only.is_none_or(|only| only == *ring)) {
        println!("\n── {} ──", ring.name());
        let started = Instant::now();
        let outcome = ring.run(paths, options.long).unwrap_or_else(|error| {
            println!("error: {error:#}");
            Outcome::failure()
        });
        total += outcome.count;
        report.push(line(ring, &outcome, started.elapsed().as_secs()));
        report.extend(outcome.summary.iter().map(|line| format!("{:15}{line}", "")));
    }
    println!("\n── summary ──\n{}\n", report.join("\n"));
    println!("{} passed, {} failed", total.passed, total.failed);
    Ok(if total.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn line(ring: Ring, outcome: &Outcome, seconds: u64) -> String {
    let mark = if outcome.count.failed == 0 { "✓" } else { "✗" };
    let Count { passed, failed } = outcome.count;
    format!("{mark} {:12} {passed} passed, {failed} failed, {seconds} s", ring.name())
}

fn cargo(paths: &Paths, words: &[&str]) -> Command {
    let mut command = Command::new("cargo");
    command.args(words).current_dir(&paths.root);
    command
}

/// Runs a check that passes or fails as a whole.
fn check(name: &str, command: Command, remedy: &str) -> Result<Outcome> {
    let step = Step { name, takes: "", remedy, echo: Echo::Progress };
    process::run(&step, command).map(|_| Outcome::one())
}

/// Runs a test runner and counts what it reports.
fn tests(name: &str, command: Command) -> Result<Outcome> {
    let step = Step { name, takes: "", remedy: "the lines above", echo: Echo::Lines };
    process::observe(&step, command).map(|finished| Outcome::of(&finished))
}

fn clippy(paths: &Paths) -> Result<Outcome> {
    let mut command = cargo(
        paths,
        &[
            "clippy",
            "--workspace",
            "--exclude",
            "iris",
            "--exclude",
            "iris-desk",
            "--exclude",
            "bench-iris",
            "--all-targets",
        ],
    );
    command.args(["--", "-D", "warnings"]);
    check("Linting the native crates", command, "the lines above; they are clippy's")
}

fn clippy_wasm(paths: &Paths) -> Result<Outcome> {
    let toolchain = wasm_target::ensure(paths)?;
    let mut command = cargo(
        paths,
        &[
            "clippy",
            "--package",
            "iris",
            "--package",
            "iris-desk",
            "--package",
            "bench-iris",
            "--features",
            "iris/split",
            "--all-targets",
        ],
    );
    // Debian's compiler comes without clippy. The default one has it, and checks the app as if it were native.
    if toolchain == Toolchain::Default {
        command.args(["--target", TARGET]);
    }
    command.args(["--", "-D", "warnings"]);
    check("Linting the app", command, "the lines above; they are clippy's")
}

/// Without the advisories: they are a repository of their own, which changes under an unchanged commit.
fn deny(paths: &Paths) -> Result<Outcome> {
    tools::ensure(paths, &[&tools::CARGO_DENY])?;
    let mut command = Command::new(tools::program(paths, &tools::CARGO_DENY));
    command.args(["check", "bans", "licenses", "sources"]).current_dir(&paths.root);
    check("Checking the dependencies", command, "the lines above; deny.toml has the rules and their reasons")
}

/// nextest where it is installed: one process a test, and a clearer report.
fn native(paths: &Paths, long: bool) -> Result<Outcome> {
    let packages = ["iris-core", "iris-adapter", "xtask", "load", "bench", "fuzz"];
    let mut command = runner(paths);
    command.args(packages.iter().flat_map(|package| ["-p", package]));
    let mut outcome = tests("Testing the native crates", command)?;
    if long {
        let more = long_tests(paths)?;
        outcome.count += more.count;
        outcome.summary.extend(more.summary);
    }
    Ok(outcome)
}

/// The property tests in full, optimised: they are the ignored tests of the core.
fn long_tests(paths: &Paths) -> Result<Outcome> {
    let mut command = cargo(paths, &["test", "--release", "-p", "iris-core", "--test", "markdown", "--"]);
    command.args(["--ignored", "--nocapture", "--test-threads=1"]);
    tests("Testing every prefix of everything, about half an hour", command)
}

fn runner(paths: &Paths) -> Command {
    if tools::find_on_path(&["cargo-nextest"]).is_some() {
        cargo(
            paths,
            &["nextest", "run", "--no-fail-fast", "--status-level", "fail", "--final-status-level", "flaky"],
        )
    } else {
        cargo(paths, &["test", "--no-fail-fast"])
    }
}

fn doc(paths: &Paths) -> Result<Outcome> {
    let step = Step {
        name: "Testing the documentation's examples",
        takes: "",
        remedy: "the lines above",
        echo: Echo::Lines,
    };
    let finished =
        process::observe(&step, cargo(paths, &["test", "--doc", "-p", "iris-core", "-p", "iris-adapter"]))?;
    let mut count = summary::count(&finished.text);
    // A library need not have examples: compiling them is the check then.
    if finished.ok && count.passed == 0 {
        count.passed = 1;
    }
    Ok(Outcome { count: count.settle(finished.ok), summary: summary::digest(&finished.text) })
}

fn dom(paths: &Paths) -> Result<Outcome> {
    let toolchain = wasm_target::ensure(paths)?;
    let needed = [&tools::WASM_PACK, &tools::WASM_BINDGEN];
    tools::ensure(paths, &needed)?;
    let browser = apt::browser(paths)?;
    let path = tools::path_with(paths, &needed)?;
    let prepared = |mut command: Command| {
        command.current_dir(&paths.root).env("PATH", &path).env("CHROMEDRIVER", &browser.chromedriver);
        // The browser's stack is there anyway; the runner's own says nothing about a test.
        command.env_remove("RUST_BACKTRACE");
        toolchain.apply(&mut command);
        command
    };
    let mut command = Command::new(tools::program(paths, &tools::WASM_PACK));
    command.args(["test", "--headless", "--chrome", "--mode", "no-install", "."]);
    let outcome = tests("Testing the app's DOM in Chromium", prepared(command))?;
    if outcome.count.failed == 0 || outcome.summary.is_empty() {
        return Ok(outcome);
    }
    // wasm-pack stops at the first file with a failure and cannot be told otherwise. What it calls can.
    let mut command = Command::new("cargo");
    command
        .args(["test", "--target", TARGET, "--tests", "--no-fail-fast"])
        .env("WASM_BINDGEN_TEST_ONLY_WEB", "1");
    tests("Testing all files, after a failure in one", prepared(command))
}

fn e2e(paths: &Paths) -> Result<Outcome> {
    let mut command = serve::with_product(paths, runner(paths))?;
    command.args(["-p", "e2e"]);
    tests("Testing end to end in Chromium", command)
}

fn with_hermes(paths: &Paths) -> Result<Outcome> {
    let program = hermes::ensure(paths)?;
    let mut command = serve::with_product(paths, runner(paths))?;
    command.env("IRIS_HERMES", program).args(["-p", "hermes-lab", "-p", "chaos"]);
    tests("Testing with the real Hermes Agent", command)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_ring_is_found_by_its_name() {
        for ring in Ring::ALL {
            assert_eq!(Ring::from_name(ring.name()), Some(ring));
        }
        assert_eq!(Ring::from_name("moon"), None);
    }

    #[test]
    fn a_ring_with_a_failure_is_marked() {
        let outcome = |passed, failed| Outcome { count: Count { passed, failed }, summary: Vec::new() };
        assert_eq!(line(Ring::Dom, &outcome(3, 0), 7), "✓ dom          3 passed, 0 failed, 7 s");
        assert_eq!(line(Ring::Dom, &outcome(3, 1), 7), "✗ dom          3 passed, 1 failed, 7 s");
    }
}
