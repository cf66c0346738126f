//! What is run in which order, and one run of each kind.

use std::{fs, path::PathBuf};

use anyhow::Context;
use serde_json::{Value, json};

use crate::{
    browser::Browser,
    figures::{Lead, Noted, Timed, Watched},
    peers::{self, Peer},
    site::Site,
    targets,
    traces::{self, Trace},
};

/// Characters that a renderer gets before it is measured.
const WARM_UP: usize = 3000;
/// A run that is to tell how far an exact renderer is behind may take so many times the limit of the others.
const PATIENCE: u32 = 20;
/// Repetitions with a slower processor, where the differences are large.
const SLOWED: usize = 3;

/// What is to be measured.
#[derive(Clone, Debug)]
pub struct Plan {
    /// These texts.
    pub traces: Vec<Trace>,
    /// By these renderers.
    pub peers: Vec<Peer>,
    /// So often.
    pub repetitions: usize,
    /// A run that takes longer is stopped: milliseconds. Iris and the floor get ten times as much, to come to the end.
    pub limit: u32,
    /// Where a CPU profile of each run is written, for the browser's tools. Profiling slows the run down.
    pub profiles: Option<PathBuf>,
}

/// All that came out for one text and one renderer.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The timed runs.
    pub timed: Vec<Timed>,
    /// By how much Iris is ahead, if a run of its own was needed to tell.
    pub proof: Option<Lead>,
    /// What happened to the DOM, if that was looked at.
    pub watched: Option<Watched>,
}

impl Outcome {
    /// By how much `iris` is ahead of this in `write` on a text of so many frames: the median of the repetitions, or what
    /// the longer run says.
    pub fn behind(&self, iris: &Self, frames: usize) -> Lead {
        let pairs = self.timed.iter().zip(&iris.timed);
        let all: Vec<_> = pairs.map(|(one, iris)| one.behind(iris, frames)).collect();
        let lead = Lead::median(&all);
        self.proof.filter(|proof| lead.at_least && proof.times > lead.times).unwrap_or(lead)
    }
}

/// For each text the outcome of each renderer, in the order of the plan.
pub type Outcomes = Vec<Vec<Outcome>>;

impl Plan {
    fn limit_of(&self, peer: Peer) -> u32 {
        if matches!(peer.name, peers::IRIS | peers::FLOOR) {
            self.limit.saturating_mul(10)
        } else {
            self.limit
        }
    }

    /// The part of the plan for a slower processor: Iris, the floor and the reference, fewer times.
    #[must_use]
    pub fn slowed(&self) -> Self {
        let mut slowed = self.clone();
        slowed.peers.retain(|peer| matches!(peer.name, peers::IRIS | peers::FLOOR | peers::REFERENCE));
        slowed.repetitions = self.repetitions.min(SLOWED);
        slowed
    }
}

/// A plan with what it is carried out with.
pub struct Bench<'a> {
    /// What is to be done.
    pub plan: &'a Plan,
    /// In this browser.
    pub browser: &'a Browser,
    /// On this page.
    pub site: &'a Site,
}

impl Bench<'_> {
    /// Measures everything with a processor that is so many times slower.
    ///
    /// # Errors
    /// When the browser or a renderer fails.
    pub async fn time(&self, rate: u32) -> anyhow::Result<Outcomes> {
        let Plan { traces, peers, repetitions, .. } = self.plan;
        let mut outcomes = vec![vec![Outcome::default(); peers.len()]; traces.len()];
        for repetition in 0..*repetitions {
            println!("{rate}×, repetition {} of {repetitions}", repetition + 1);
            for (trace, of_trace) in traces.iter().zip(&mut outcomes) {
                let mut pairs: Vec<_> = peers.iter().zip(of_trace).collect();
                // What comes later finds a warmer machine: each goes first as often as last.
                if repetition % 2 == 1 {
                    pairs.reverse();
                }
                for (peer, outcome) in pairs {
                    let timed = self.time_one(*peer, trace, rate, None).await;
                    outcome.timed.push(timed.with_context(|| format!("{} with {}", peer.name, trace.name))?);
                }
                println!("  {}", trace.name);
            }
        }
        Ok(outcomes)
    }

    /// Runs the exact renderers that were stopped too early to tell how far they are behind once more, until they have taken
    /// so much longer for a part of the text than Iris for all of it as is promised, or have come to the end.
    ///
    /// # Errors
    /// When the browser or a renderer fails.
    pub async fn prove(&self, outcomes: &mut Outcomes) -> anyhow::Result<()> {
        let Plan { traces, peers, limit, .. } = self.plan;
        let Some((ours, iris)) = peers.iter().enumerate().find(|(_, peer)| peer.name == peers::IRIS) else {
            return Ok(());
        };
        println!("How far the exact renderers are behind");
        for (trace, of_trace) in traces.iter().zip(outcomes) {
            let frames = trace.chunks().len();
            let Some(of_iris) = of_trace.get(ours).cloned() else { continue };
            for (peer, outcome) in peers.iter().zip(of_trace) {
                let lead = outcome.behind(&of_iris, frames);
                if !peer.exact || peer.name == iris.name || !lead.at_least || lead.times >= targets::AHEAD {
                    continue;
                }
                // Side by side, so that the machine is the same for both.
                let whole = self.time_one(*iris, trace, 1, None).await?;
                let enough = whole.written() * targets::AHEAD * 1.05;
                let long = Some((limit.saturating_mul(PATIENCE), enough));
                let part = self.time_one(*peer, trace, 1, long).await?;
                outcome.proof = Some(part.behind(&whole, frames));
            }
            println!("  {}", trace.name);
        }
        Ok(())
    }

    /// Looks at what happens to the DOM, once for each text and renderer.
    ///
    /// # Errors
    /// When the browser or a renderer fails.
    pub async fn watch(&self, outcomes: &mut Outcomes) -> anyhow::Result<()> {
        println!("What happens to the DOM");
        for (trace, of_trace) in self.plan.traces.iter().zip(outcomes) {
            for (peer, outcome) in self.plan.peers.iter().zip(of_trace) {
                self.load(*peer).await?;
                let words = vec![json!(trace.name), json!(self.plan.limit_of(*peer))];
                let watched = self.browser.ask::<Watched>("bench.watch(...words)", words).await;
                let watched = watched.with_context(|| format!("{} with {}", peer.name, trace.name))?;
                if let Some(difference) = &watched.difference {
                    println!("  {} with {}: {difference:?}", peer.name, trace.name);
                }
                outcome.watched = Some(watched);
            }
            println!("  {}", trace.name);
        }
        Ok(())
    }

    async fn load(&self, peer: Peer) -> anyhow::Result<()> {
        self.browser.open(&self.site.address).await?;
        self.browser.ask::<Value>("bench.load(...words)", vec![json!(peer.name)]).await.map(drop)
    }

    /// One timed run on a fresh page; `long` replaces its limit, and says how much of `write` is enough.
    async fn time_one(
        &self,
        peer: Peer,
        trace: &Trace,
        rate: u32,
        long: Option<(u32, f64)>,
    ) -> anyhow::Result<Timed> {
        let browser = self.browser;
        self.load(peer).await?;
        let warm_up = vec![json!(traces::WARM_UP), json!(WARM_UP)];
        browser.ask::<Value>("bench.warmUp(...words)", warm_up).await?;
        browser.collect_garbage().await?;
        browser.throttle(rate).await?;
        let before = browser.counters().await?;
        let noted = self.measure(peer, trace, long).await?;
        let after = browser.counters().await?;
        browser.throttle(1).await?;
        browser.collect_garbage().await?;
        let heap = browser.counters().await?.heap - before.heap;
        let bytes = trace.chunks().iter().take(noted.frames).map(String::len).sum();
        Ok(Timed { noted, bytes, script: after.script - before.script, task: after.task - before.task, heap })
    }

    /// The part of a timed run that is measured, under the profiler if that is wanted.
    async fn measure(&self, peer: Peer, trace: &Trace, long: Option<(u32, f64)>) -> anyhow::Result<Noted> {
        if self.plan.profiles.is_some() {
            self.browser.command("Profiler.enable", json!({})).await?;
            self.browser.command("Profiler.setSamplingInterval", json!({"interval": 100})).await?;
            self.browser.command("Profiler.start", json!({})).await?;
        }
        let (limit, enough) =
            long.map_or((self.plan.limit_of(peer), None), |(limit, enough)| (limit, Some(enough)));
        let words = vec![json!(trace.name), json!(limit), json!(enough)];
        let noted = self.browser.ask("bench.measure(...words)", words).await?;
        if let Some(folder) = &self.plan.profiles {
            let answer = self.browser.command("Profiler.stop", json!({})).await?;
            let profile = answer.get("profile").context("Chromium made no profile")?;
            fs::write(folder.join(format!("{}-{}.cpuprofile", peer.name, trace.name)), profile.to_string())?;
        }
        Ok(noted)
    }
}
