//! `cargo xtask bench`, its part in the browser: Iris' renderer and others on the same texts, in the same page.
//!
//! Owns the order of things and the command line. The page in `page/` has the clock; xtask builds it and Iris' renderer.

use std::{path::PathBuf, time::Instant};

use bench::{
    browser::Browser,
    peers,
    plan::{Bench, Plan},
    report::Report,
    site::Site,
    traces,
};
use clap::Parser;

/// How much slower the processor is in each part of the report.
const RATES: [u32; 2] = [1, 4];
/// What `--quick` looks at.
const QUICK_TRACES: [&str; 3] = ["mixed-17k", "fence-200k", "table-500"];
const QUICK_PEERS: [&str; 3] = [peers::IRIS, peers::FLOOR, peers::REFERENCE];

/// Markdown as it streams, measured in a real browser.
#[derive(Debug, Parser)]
struct Options {
    /// The folder of the built page.
    #[arg(long)]
    site: PathBuf,
    /// Where the report is written; without it, only to the terminal.
    #[arg(long)]
    report: Option<PathBuf>,
    /// Three texts, three renderers, once: a look, not a measurement.
    #[arg(long)]
    quick: bool,
    /// Only these texts.
    #[arg(long = "trace")]
    traces: Vec<String>,
    /// Only these renderers.
    #[arg(long = "peer")]
    peers: Vec<String>,
    /// How often each is measured.
    #[arg(long, default_value_t = 5)]
    repetitions: usize,
    /// A run is stopped after so many milliseconds.
    #[arg(long, default_value_t = 2000)]
    limit: u32,
    /// Write a CPU profile of each timed run into this folder.
    #[arg(long)]
    profiles: Option<PathBuf>,
    /// Only with a processor so many times slower.
    #[arg(long)]
    rate: Option<u32>,
}

impl Options {
    /// Whether the report would say less than it should.
    fn partial(&self) -> bool {
        self.quick
            || !self.traces.is_empty()
            || !self.peers.is_empty()
            || self.profiles.is_some()
            || self.rate.is_some()
    }

    fn plan(&self) -> anyhow::Result<Plan> {
        let wanted = |name: &str, named: &[String], quick: &[&str]| {
            if named.is_empty() {
                !self.quick || quick.contains(&name)
            } else {
                named.iter().any(|one| one == name)
            }
        };
        let all: Vec<_> =
            traces::all().iter().map(|trace| trace.name).chain(peers::ALL.map(|peer| peer.name)).collect();
        for name in self.traces.iter().chain(&self.peers) {
            anyhow::ensure!(
                all.contains(&name.as_str()),
                "there is no \"{name}\"; there are {}",
                all.join(", ")
            );
        }
        Ok(Plan {
            traces: traces::all()
                .into_iter()
                .filter(|one| wanted(one.name, &self.traces, &QUICK_TRACES))
                .collect(),
            peers: peers::ALL.into_iter().filter(|one| wanted(one.name, &self.peers, &QUICK_PEERS)).collect(),
            repetitions: if self.quick { 1 } else { self.repetitions },
            limit: self.limit,
            profiles: self.profiles.clone(),
        })
    }

    fn rates(&self) -> Vec<u32> {
        match self.rate {
            Some(rate) => vec![rate],
            None if self.quick => vec![1],
            None => RATES.to_vec(),
        }
    }
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let options = Options::parse();
    let plan = options.plan()?;
    let started = Instant::now();
    let site = Site::serve(&options.site, &traces::all()).await?;
    let browser = Browser::start().await?;
    let mut report = Report::new(browser.version().await?, &plan)?;
    for rate in options.rates() {
        let plan = if rate == 1 { plan.clone() } else { plan.slowed() };
        let bench = Bench { plan: &plan, browser: &browser, site: &site };
        let mut outcomes = bench.time(rate).await?;
        if rate == 1 {
            bench.prove(&mut outcomes).await?;
            bench.watch(&mut outcomes).await?;
        }
        report.add(rate, &plan, &outcomes);
    }
    browser.quit().await?;
    report.took(started.elapsed());
    println!("\n{}", report.tables());
    match options.report {
        Some(path) if !options.partial() => {
            std::fs::write(&path, report.page())?;
            println!("Written to {}", path.display());
        }
        _ => println!("Only a part was measured: docs/benchmarks.md stays as it is."),
    }
    Ok(())
}
