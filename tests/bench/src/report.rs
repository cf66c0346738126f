//! The report: what was measured on what, the tables, and what there is to say about them.

use std::{fmt::Write as _, fs, process::Command, thread, time::Duration};

use anyhow::Context;
use serde_json::Value;

use crate::{
    figures::{Figures, Watched, count, median, quartiles},
    peers::{self, Peer},
    plan::{Outcome, Outcomes, Plan},
    table::{Table, change, number},
    targets::{self, Standing},
    traces::Trace,
};

/// How to read the tables.
const READING: &str = include_str!("../reading.md");
/// What is missed and why: written by people, about the figures above it.
const NOTES: &str = include_str!("../notes.md");

/// Grows by one part for each speed of the processor.
#[derive(Debug)]
pub struct Report {
    environment: String,
    renderers: Table,
    texts: Table,
    parts: Vec<(u32, String, Vec<Standing>)>,
    took: Duration,
}

impl Report {
    /// A report about this plan, in this browser.
    ///
    /// # Errors
    /// When a version is missing in package.json.
    pub fn new(browser: String, plan: &Plan) -> anyhow::Result<Self> {
        let mut texts = Table::new(&["Text", "what it is", "bytes", "characters a frame", "frames"]);
        for trace in &plan.traces {
            texts.add(vec![
                trace.name.into(),
                trace.about.into(),
                trace.text.len().to_string(),
                trace.step.to_string(),
                trace.chunks().len().to_string(),
            ]);
        }
        let mut renderers = Table::new(&["Renderer", "version", "exact at every prefix", "how it is used"]);
        for peer in &plan.peers {
            let exact = if peer.exact { "yes" } else { "no" };
            renderers.add(vec![peer.name.into(), version(*peer)?, exact.into(), peer.mode.into()]);
        }
        Ok(Self {
            environment: environment(&browser, plan),
            renderers,
            texts,
            parts: Vec::new(),
            took: Duration::ZERO,
        })
    }

    /// Adds what came out at one speed.
    pub fn add(&mut self, rate: u32, plan: &Plan, outcomes: &Outcomes) {
        let mut text = String::new();
        let mut standings = Vec::new();
        for (trace, of_trace) in plan.traces.iter().zip(outcomes) {
            let _ = writeln!(text, "### {}, {rate}×\n\n{}", trace.name, times(plan, trace, of_trace));
            if of_trace.iter().any(|outcome| outcome.watched.is_some()) {
                let _ = writeln!(text, "{}", doms(plan, of_trace));
            }
            standings.push(standing(plan, trace, of_trace));
        }
        self.parts.push((rate, text, standings));
    }

    /// How long it all took.
    pub fn took(&mut self, took: Duration) {
        self.took = took;
    }

    /// The tables alone, for a terminal.
    pub fn tables(&self) -> String {
        let mut text = String::new();
        for (rate, tables, _) in &self.parts {
            let _ = writeln!(text, "## At {rate}×\n\n{tables}");
        }
        let _ = writeln!(text, "## What is promised\n\n{}", self.targets());
        text
    }

    fn targets(&self) -> Table {
        let of = |wanted: u32| {
            self.parts
                .iter()
                .find(|(rate, ..)| *rate == wanted)
                .map_or(&[][..], |(.., standings)| standings.as_slice())
        };
        targets::table(of(1), of(4))
    }

    /// The whole report as Markdown.
    pub fn page(&self) -> String {
        let Self { environment, renderers, texts, .. } = self;
        let mut page = format!(
            "# Benchmarks\n\nWritten by `cargo xtask bench`; do not edit, the words are in `tests/bench/`.\n\n\
             ## What is promised, and what was measured\n\n{}\n{NOTES}\n\
             ## How to read the tables\n\n{READING}\n\
             ## What was measured on what\n\n{environment}It took {} minutes.\n\n{renderers}\n{texts}\n",
            self.targets(),
            self.took.as_secs().div_ceil(60),
        );
        for (rate, tables, _) in &self.parts {
            let _ = writeln!(page, "## At {rate}×\n\n{}", tables.trim_end());
        }
        page
    }
}

/// The table of times of one text.
fn times(plan: &Plan, trace: &Trace, outcomes: &[Outcome]) -> Table {
    let mut table = Table::new(&[
        "Renderer",
        "ms/KB in write()",
        "quartiles",
        "vs react-markdown",
        "ms/frame, first → last third",
        "p99",
        "longest",
        "TBT",
        "layout ms/frame, first → last third",
        "dropped",
        "script ms",
        "task ms",
        "heap MB",
        "of the text",
    ]);
    let reference = plan
        .peers
        .iter()
        .position(|peer| peer.name == peers::REFERENCE)
        .and_then(|place| outcomes.get(place));
    for (peer, outcome) in plan.peers.iter().zip(outcomes) {
        let runs: Vec<_> = outcome.timed.iter().map(|run| run.figures()).collect();
        let all = Figures::medians(&runs);
        let (low, high) = quartiles(runs.iter().map(|run| run.per_kb).collect());
        table.add(vec![
            peer.name.into(),
            number(all.per_kb),
            format!("{}–{}", number(low), number(high)),
            reference
                .map_or_else(|| "–".into(), |reference| format!("{}×", precise(ratio(outcome, reference)))),
            change(all.write_first, all.write_last),
            number(all.p99),
            number(all.longest),
            format!("{:.0}", all.blocking),
            change(all.layout_first, all.layout_last),
            format!("{:.0}", all.dropped),
            format!("{:.0}", all.script),
            format!("{:.0}", all.task),
            number(all.heap / 1e6),
            share(outcome, trace),
        ]);
    }
    table
}

/// The median of the ratios, each taken within one repetition.
fn ratio(outcome: &Outcome, reference: &Outcome) -> f64 {
    let pairs = outcome.timed.iter().zip(&reference.timed);
    median(pairs.map(|(one, other)| one.ratio_to(other)).collect())
}

fn precise(value: f64) -> String {
    if value < 0.1 { format!("{value:.4}") } else { number(value) }
}

/// How far it came before it was stopped.
fn share(outcome: &Outcome, trace: &Trace) -> String {
    let least = outcome.timed.iter().map(|run| run.bytes).min().unwrap_or_default();
    if least >= trace.text.len() {
        "all".into()
    } else {
        format!("{} %", least * 100 / trace.text.len().max(1))
    }
}

/// The table of what happened to the DOM.
fn doms(plan: &Plan, outcomes: &[Outcome]) -> Table {
    let mut table = Table::new(&[
        "Renderer",
        "elements added",
        "removed",
        "at the end",
        "settled blocks made again",
        "selections kept, settled",
        "tail",
        "equal to its own one-shot",
    ]);
    for (peer, outcome) in plan.peers.iter().zip(outcomes) {
        let Some(seen) = &outcome.watched else { continue };
        let Watched { elements, added, removed, recreated, difference, .. } = seen;
        table.add(vec![
            peer.name.into(),
            added.to_string(),
            removed.to_string(),
            elements.to_string(),
            recreated.to_string(),
            format!("{}/{}", seen.settled_kept, seen.settled_tried),
            format!("{}/{}", seen.tail_kept, seen.tail_tried),
            if difference.is_none() { "yes".into() } else { "no".into() },
        ]);
    }
    table
}

fn standing(plan: &Plan, trace: &Trace, outcomes: &[Outcome]) -> Standing {
    let medians = |outcome: &Outcome| {
        Figures::medians(&outcome.timed.iter().map(|run| run.figures()).collect::<Vec<_>>())
    };
    let all = || plan.peers.iter().zip(outcomes);
    let iris = all().find(|(peer, _)| peer.name == peers::IRIS).map(|(_, outcome)| outcome);
    let exact = all().filter(|(peer, _)| peer.exact && peer.name != peers::IRIS);
    let frames = trace.chunks().len();
    let ahead = iris.map(|iris| exact.map(|(peer, outcome)| (peer.name, outcome.behind(iris, frames))));
    Standing {
        trace: trace.name,
        figures: all().map(|(peer, outcome)| (peer.name, medians(outcome))).collect(),
        ahead: ahead.and_then(|ahead| ahead.min_by(|one, other| one.1.times.total_cmp(&other.1.times))),
        watched: iris.and_then(|outcome| outcome.watched.clone()),
    }
}

fn version(peer: Peer) -> anyhow::Result<String> {
    let Some(package) = peer.package else { return Ok(env!("CARGO_PKG_VERSION").into()) };
    let manifest: Value = serde_json::from_str(include_str!("../package.json"))?;
    let version =
        manifest.pointer("/devDependencies").and_then(|all| all.get(package)).and_then(Value::as_str);
    version.map(str::to_owned).with_context(|| format!("package.json has no {package}"))
}

fn environment(browser: &str, plan: &Plan) -> String {
    let cores = thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let commit = Command::new("git").args(["rev-parse", "--short", "HEAD"]).output().ok();
    let commit =
        commit.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned()).unwrap_or_default();
    format!(
        "{browser}, headless, {}, {cores} cores of {}.\n\
         Iris at commit {commit}, built with the profile of the app.\n\
         {}At 1× the figures are medians of {} repetitions, at 4× of {}, and there only of three renderers.\n\
         A run is stopped after {} s; Iris and streaming-markdown may take {} s.\n",
        std::env::consts::OS,
        processor(),
        busy(cores),
        plan.repetitions,
        plan.slowed().repetitions,
        plan.limit / 1000,
        plan.limit / 100,
    )
}

/// A word of warning when other programs have the processor too.
fn busy(cores: usize) -> String {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = text.split_whitespace().next().and_then(|word| word.parse::<f64>().ok()).unwrap_or_default();
    if load < count(cores) / 2.0 {
        return String::new();
    }
    format!(
        "**The machine was busy**: {load:.0} programs wanted its {cores} cores when it began, so that times of the clock are too \
         long and uneven; the two counters of processor time and the ratios mean more.\n"
    )
}

/// What Linux says the processor is.
fn processor() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("model name"));
    line.map_or_else(
        || "an unknown processor".into(),
        |line| line.trim_start_matches([' ', '\t', ':']).into(),
    )
}
