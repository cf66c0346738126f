//! The command line: words in, a `Command` out. Knows nothing of what a command does.

use crate::{fuzz, hook::Stage, rings::Ring};
use anyhow::{Context, Result, bail};

/// What `cargo xtask help` prints.
pub(crate) const HELP: &str = "\
cargo xtask COMMAND

  run [--port N] [--release] [OPTION…]
                       Install what is missing, build the app and the adapter, and serve the app with the demo.
                       Other options go to the adapter, for instance --speed 4.
  test [--only RING]   Everything that must hold: fmt, clippy, clippy-wasm, deny, native, doc, modules, dom, e2e,
                       hermes, size.
                       The last line is \"N passed, N failed\".
  install              Build the app, and install iris-adapter with the app inside (cargo install).
  build                Build the app into dist/.
  dev [OPTION…]        Serve the app on port 8080 and build it again at every change (trunk serve), with the adapter of
                       `cargo xtask run` behind it.
  size                 What the first load transfers and what may follow, file by file; fails above a limit.
  bench [--only adapter|markdown|replay] [--quick] [OPTION…]
                       Measure the adapter under load (bytes on the wire, 500 sockets, a long chat), recorded runs of
                       100 MB in Chromium, then Markdown there beside other renderers, and write docs/benchmarks.md. --quick measures a little of
                       the Markdown only; so do --trace NAME, --peer NAME, --repetitions N, --rate N.
  chaos [OPTION…]      Kill the adapter, cut sockets and kill Hermes at random moments, and look whether anything was
                       lost or doubled: 230 runs (--seed N, --kind adapter|socket|gateway, --runs N, --no-hermes).
  fuzz [--minutes N] [--keep] [TARGET]
                       Look for inputs that break what must hold for any input: document, quadratic, safe-url,
                       frames; 10 minutes each. --keep adds what is new to the kept inputs.
  mutants [NAME]       Take each correction of the Markdown rule away, in a copy, and see a test fail.
  screenshots [DIR]    Take the screenshots of the README (default: screenshots/).
  setup                Only install what the other commands need.
  help                 This text.

Tools go to $IRIS_CACHE, by default $XDG_CACHE_HOME/iris or ~/.cache/iris; delete that folder to be rid of them.
CHROMIUM and CHROMEDRIVER name another browser and its driver.
";

/// One command with its options.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Command {
    Help,
    Run(RunOptions),
    Test(TestOptions),
    Install,
    Build,
    Dev(Vec<String>),
    Size,
    Bench(BenchOptions),
    Chaos(ChaosOptions),
    Fuzz(FuzzOptions),
    Mutants { name: Option<String> },
    Screenshots { folder: String },
    Setup,
    Hook(Stage),
}

/// The options of `run`.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct RunOptions {
    /// The port to listen on; without it the default one, or the next that is free.
    pub(crate) port: Option<u16>,
    /// Build the adapter optimised: slower to build, and not needed for one reader.
    pub(crate) release: bool,
    /// Everything else, for the adapter.
    pub(crate) adapter: Vec<String>,
}

/// The options of `bench`.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct BenchOptions {
    /// One of them alone.
    pub(crate) only: Option<Measured>,
    /// For the measurement of Markdown.
    pub(crate) markdown: Vec<String>,
}

/// What can be measured alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Measured {
    Adapter,
    Markdown,
    Replay,
}

impl BenchOptions {
    /// Whether this is to be measured. Who has a wish about Markdown does not wait for the adapter.
    pub(crate) fn measures(&self, what: Measured) -> bool {
        match self.only {
            Some(only) => only == what,
            None => what == Measured::Markdown || self.markdown.is_empty(),
        }
    }
}

/// The options of `chaos`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ChaosOptions {
    /// With the real Hermes too.
    pub(crate) hermes: bool,
    /// Everything else, for the runner.
    pub(crate) runner: Vec<String>,
}

/// The options of `test`.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct TestOptions {
    /// One ring instead of all.
    pub(crate) only: Option<Ring>,
    /// With the tests that take too long for every change.
    pub(crate) long: bool,
}

/// The options of `fuzz`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct FuzzOptions {
    /// How long each target runs.
    pub(crate) minutes: u32,
    /// Take over new inputs into the checkout.
    pub(crate) keep: bool,
    /// One target instead of all.
    pub(crate) target: Option<String>,
}

/// Reads the words after `cargo xtask`.
pub(crate) fn parse(words: impl Iterator<Item = String>) -> Result<Command> {
    let mut words = words;
    let Some(name) = words.next() else { return Ok(Command::Help) };
    let rest: Vec<String> = words.collect();
    let command = match name.as_str() {
        "run" => return Ok(Command::Run(run_options(rest)?)),
        "test" => return Ok(Command::Test(test_options(rest)?)),
        "dev" => return Ok(Command::Dev(rest)),
        "bench" => return Ok(Command::Bench(bench_options(rest)?)),
        "chaos" => return Ok(Command::Chaos(chaos_options(rest))),
        "fuzz" => return Ok(Command::Fuzz(fuzz_options(rest)?)),
        "mutants" if rest.len() <= 1 => return Ok(Command::Mutants { name: rest.into_iter().next() }),
        "screenshots" if rest.len() <= 1 => {
            let folder = rest.into_iter().next().unwrap_or_else(|| "screenshots".into());
            return Ok(Command::Screenshots { folder });
        }
        "hook" => {
            let stage = rest.first().and_then(|name| Stage::from_name(name));
            return Ok(Command::Hook(stage.context("hook needs pre-build or post-build")?));
        }
        "install" => Command::Install,
        "build" => Command::Build,
        "size" => Command::Size,
        "setup" => Command::Setup,
        "help" | "--help" | "-h" => Command::Help,
        _ => bail!("unknown command \"{name}\"\n\n{HELP}"),
    };
    match rest.first() {
        Some(word) => bail!("{name} takes no option \"{word}\""),
        None => Ok(command),
    }
}

fn run_options(words: Vec<String>) -> Result<RunOptions> {
    let mut options = RunOptions::default();
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        if word == "--port" {
            options.port = Some(port(&words.next().context("--port needs a number")?)?);
        } else if let Some(value) = word.strip_prefix("--port=") {
            options.port = Some(port(value)?);
        } else if word == "--release" {
            options.release = true;
        } else {
            options.adapter.push(word);
        }
    }
    Ok(options)
}

fn bench_options(words: Vec<String>) -> Result<BenchOptions> {
    let mut options = BenchOptions::default();
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        let name = match word.strip_prefix("--only=") {
            Some(name) => name.to_owned(),
            None if word == "--only" => words.next().context("--only needs adapter or markdown")?,
            None => {
                options.markdown.push(word);
                continue;
            }
        };
        options.only = Some(match name.as_str() {
            "adapter" => Measured::Adapter,
            "markdown" => Measured::Markdown,
            "replay" => Measured::Replay,
            _ => bail!("--only needs adapter, markdown or replay, not \"{name}\""),
        });
    }
    Ok(options)
}

fn chaos_options(words: Vec<String>) -> ChaosOptions {
    let (own, runner): (Vec<_>, Vec<_>) = words.into_iter().partition(|word| word == "--no-hermes");
    ChaosOptions { hermes: own.is_empty(), runner }
}

fn port(word: &str) -> Result<u16> {
    word.parse().with_context(|| format!("--port needs a number up to 65535, not \"{word}\""))
}

fn test_options(words: Vec<String>) -> Result<TestOptions> {
    let mut options = TestOptions::default();
    let mut words = words.iter().flat_map(|word| word.split('='));
    while let Some(word) = words.next() {
        match word {
            "--long" => options.long = true,
            "--only" => options.only = Some(ring(words.next().unwrap_or_default())?),
            _ => bail!("test takes only --only RING and --long"),
        }
    }
    Ok(options)
}

fn ring(name: &str) -> Result<Ring> {
    let names = || Ring::ALL.iter().map(|ring| ring.name()).collect::<Vec<_>>().join(", ");
    Ring::from_name(name).with_context(|| format!("unknown ring \"{name}\"; there are {}", names()))
}

fn fuzz_options(words: Vec<String>) -> Result<FuzzOptions> {
    let mut options = FuzzOptions { minutes: 10, keep: false, target: None };
    let mut words = words.iter().flat_map(|word| word.split('='));
    while let Some(word) = words.next() {
        match word {
            "--keep" => options.keep = true,
            "--minutes" => {
                let number = words.next().and_then(|word| word.parse().ok());
                options.minutes = number.context("--minutes needs a number")?;
            }
            name => {
                fuzz::check(name)?;
                options.target = Some(name.to_owned());
            }
        }
    }
    Ok(options)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expected: Command) {
        assert_eq!(parse(line.split_whitespace().map(String::from)).unwrap(), expected, "{line}");
    }

    fn check_refused(line: &str, reason: &str) {
        let error = parse(line.split_whitespace().map(String::from)).unwrap_err().to_string();
        assert!(error.contains(reason), "{line}: {error}");
    }

    #[test]
    fn no_word_asks_for_help() {
        check("", Command::Help);
        check("--help", Command::Help);
    }

    #[test]
    fn run_keeps_its_own_options_and_passes_the_others_on() {
        check("run", Command::Run(RunOptions::default()));
        check(
            "run --speed 4 --port 9000 --release --allow-host box",
            Command::Run(RunOptions {
                port: Some(9000),
                release: true,
                adapter: ["--speed", "4", "--allow-host", "box"].map(String::from).to_vec(),
            }),
        );
        check("run --port=1", Command::Run(RunOptions { port: Some(1), ..RunOptions::default() }));
    }

    #[test]
    fn one_ring_can_be_chosen() {
        let only = |only, long| Command::Test(TestOptions { only, long });
        check("test", only(None, false));
        check("test --only dom", only(Some(Ring::Dom), false));
        check("test --only=clippy-wasm", only(Some(Ring::ClippyWasm), false));
        check("test --long --only native", only(Some(Ring::Native), true));
    }

    #[test]
    fn fuzzing_has_a_time_and_perhaps_a_target() {
        let fuzz = |minutes, keep, target: Option<&str>| {
            Command::Fuzz(FuzzOptions { minutes, keep, target: target.map(String::from) })
        };
        check("fuzz", fuzz(10, false, None));
        check("fuzz --minutes 2 frames --keep", fuzz(2, true, Some("frames")));
        check("mutants", Command::Mutants { name: None });
        check("mutants table", Command::Mutants { name: Some("table".into()) });
    }

    #[test]
    fn dev_passes_everything_to_trunk() {
        check("dev --port 9000", Command::Dev(["--port", "9000"].map(String::from).to_vec()));
    }

    #[test]
    fn bench_measures_all_or_one_or_what_is_asked_about() {
        use Measured::{Adapter, Markdown, Replay};
        let check_bench = |line: &str, of: [bool; 3], options: &[&str]| {
            let Command::Bench(bench) = parse(line.split_whitespace().map(String::from)).unwrap() else {
                panic!("{line}")
            };
            assert_eq!([Adapter, Markdown, Replay].map(|what| bench.measures(what)), of, "{line}");
            assert_eq!(bench.markdown, options, "{line}");
        };
        check_bench("bench", [true, true, true], &[]);
        check_bench("bench --only adapter", [true, false, false], &[]);
        check_bench("bench --only replay", [false, false, true], &[]);
        check_bench("bench --only=markdown --quick", [false, true, false], &["--quick"]);
        check_bench("bench --quick --peer marked", [false, true, false], &["--quick", "--peer", "marked"]);
        check_refused("bench --only moon", "not \"moon\"");
    }

    #[test]
    fn chaos_passes_everything_but_its_own_option_to_the_runner() {
        let runner = ["--seed", "7", "--kind", "socket"].map(String::from).to_vec();
        check(
            "chaos --seed 7 --no-hermes --kind socket",
            Command::Chaos(ChaosOptions { hermes: false, runner }),
        );
        check("chaos", Command::Chaos(ChaosOptions { hermes: true, runner: Vec::new() }));
    }

    #[test]
    fn screenshots_have_a_default_folder() {
        check("screenshots", Command::Screenshots { folder: "screenshots".into() });
        check("screenshots out", Command::Screenshots { folder: "out".into() });
    }

    #[test]
    fn what_cannot_be_read_is_refused_with_a_reason() {
        check_refused("fly", "unknown command \"fly\"");
        check_refused("run --port", "--port needs a number");
        check_refused("run --port 99999", "not \"99999\"");
        check_refused("test --only moon", "unknown ring \"moon\"; there are fmt,");
        check_refused("test --only", "unknown ring \"\"");
        check_refused("test dom", "test takes only --only RING");
        check_refused("fuzz moon", "unknown target \"moon\"; there are document,");
        check_refused("fuzz --minutes soon", "--minutes needs a number");
        check_refused("build fast", "build takes no option \"fast\"");
        check_refused("hook later", "pre-build or post-build");
    }
}
