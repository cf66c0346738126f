//! `iris-adapter summary`: what recorded runs came to, for people and for CI. Owns reading the files or the pipe, the
//! limits and the exit status; the figures are `iris_core::run::summary`'s, how they look is `report.rs`'s.
//!
//! It needs no runtime and no adapter. In a pipeline it is transparent: every byte goes through unchanged and at once.

mod input;
mod report;

use std::{
    io::{self, IsTerminal, Write},
    process::ExitCode,
};

use iris_core::run::Summary;
use serde::Serialize;

use input::Source;
use report::Style;

/// A limit was passed.
const LIMIT: u8 = 3;
/// A file could not be read, or is no run.
const UNREADABLE: u8 = 2;

/// The options of `summary`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Recorded runs: what `hermes chat -q … --format stream-json` wrote, or recordings that Iris exported; `-` reads the
    /// standard input and passes it on
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<Source>,

    /// Write JSON, one object a line for each file
    #[arg(long)]
    pub json: bool,

    /// Exit with 3 when all runs together took more than so many tokens
    #[arg(long, value_name = "N")]
    pub max_tokens: Option<u64>,

    /// Exit with 3 when a tool failed
    #[arg(long)]
    pub fail_on_tool_error: bool,
}

/// What is written for a file with `--json`.
#[derive(Serialize)]
struct Line<'a> {
    file: &'a str,
    #[serde(flatten)]
    summary: &'a Summary,
}

/// Runs the command; says on standard error what it could not do, and which limit was passed.
pub fn run(args: &Args) -> ExitCode {
    let piped = args.files.contains(&Source::Pipe);
    let mut summaries = Vec::new();
    let mut readable = true;
    for source in &args.files {
        match source.read() {
            Ok(summary) => {
                // What cannot be shown any more (a closed pipe) changes nothing of what it came to.
                let _ = show(args, piped, source, &summary);
                summaries.push(summary);
            }
            Err(error) => {
                say(&format!("{source}: {error}"));
                readable = false;
            }
        }
    }
    let passed = limits(args, &summaries);
    passed.iter().for_each(|why| say(why));
    ExitCode::from(status(&summaries, readable, !passed.is_empty()))
}

fn say(text: &str) {
    // Standard error may be closed; there is nobody else to tell.
    let _ = writeln!(io::stderr(), "iris-adapter: {text}");
}

/// In a pipeline standard output is the recording's.
fn show(args: &Args, piped: bool, source: &Source, summary: &Summary) -> io::Result<()> {
    let name = source.to_string();
    let (mut out, style): (Box<dyn Write>, Style) = if piped {
        (Box::new(io::stderr()), Style::of(io::stderr().is_terminal()))
    } else {
        (Box::new(io::stdout()), Style::of(io::stdout().is_terminal()))
    };
    if args.json {
        let line = serde_json::to_string(&Line { file: &name, summary })?;
        return writeln!(out, "{line}");
    }
    let heading = (args.files.len() > 1).then_some(name.as_str());
    write!(out, "{}", report::text(summary, heading, style))
}

/// Why the runs do not pass.
fn limits(args: &Args, summaries: &[Summary]) -> Vec<String> {
    let mut why = Vec::new();
    let tokens = summaries.iter().filter_map(|summary| summary.total.tokens.as_ref());
    let used = tokens.fold(0, |sum: u64, tokens| sum.saturating_add(tokens.total));
    if let Some(max) = args.max_tokens.filter(|max| used > *max) {
        let (used, max) = (iris_core::format::count(used), iris_core::format::count(max));
        why.push(format!("{used} tokens were used, --max-tokens allows {max}"));
    }
    if args.fail_on_tool_error {
        let tools = summaries.iter().flat_map(|summary| &summary.total.tools);
        why.extend(tools.filter(|tool| tool.failed > 0).map(|tool| {
            let name = iris_core::format::one_line(&tool.name, 60);
            format!(
                "{name} failed {} of {} times, and --fail-on-tool-error was said",
                tool.failed, tool.count
            )
        }));
    }
    why
}

/// A limit that was passed, then a file that could not be read, then what the worst of the runs exited with.
fn status(summaries: &[Summary], readable: bool, limit: bool) -> u8 {
    let worst = summaries.iter().filter_map(|summary| summary.exit_code).max().unwrap_or(0);
    match (limit, readable) {
        (true, _) => LIMIT,
        (false, false) => UNREADABLE,
        // An exit status that no process can have is a failure all the same.
        (false, true) => u8::try_from(worst).unwrap_or(1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exit_status_is_that_of_the_worst_run_unless_a_limit_was_passed() {
        let ended = |code| Summary { exit_code: code, ..Summary::default() };
        let check = |codes: &[i32], readable, limit, expected| {
            let summaries: Vec<_> = codes.iter().map(|code| ended(Some(*code))).collect();
            assert_eq!(status(&summaries, readable, limit), expected, "{codes:?}");
        };
        check(&[0], true, false, 0);
        check(&[0, 1, 0], true, false, 1);
        check(&[130, 75], true, false, 130);
        check(&[1], false, false, 2);
        check(&[130], false, true, 3);
        check(&[-9], true, false, 1);
        check(&[4_000], true, false, 1);
        assert_eq!(status(&[ended(None)], true, false), 0);
    }
}
