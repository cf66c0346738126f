//! `cargo xtask chaos`: reads the command line, spreads the runs over worlds, prints what went wrong and the figures.

use std::{
    process::ExitCode,
    sync::{Arc, Mutex, PoisonError},
    time::{Instant, SystemTime, UNIX_EPOCH},
};

use chaos::{
    report::Figures,
    run::{self, Kind},
    world::{Behind, World},
};
use clap::{Parser, ValueEnum};
use tokio::task::JoinSet;

/// Kill and cut at random moments, and look whether anything was lost or doubled
#[derive(Debug, Parser)]
struct Arguments {
    /// Where the random numbers begin; without it, anywhere
    #[arg(long)]
    seed: Option<u64>,
    /// Only this kind
    #[arg(long)]
    kind: Option<Word>,
    /// So many runs of each kind, in place of the usual number
    #[arg(long)]
    runs: Option<u64>,
    /// Only with this behind the adapter
    #[arg(long)]
    behind: Option<Hermes>,
    /// The number of the first run: with --runs 1, one run alone
    #[arg(long, default_value_t = 0)]
    from: u64,
    /// Worlds at one time
    #[arg(long, default_value_t = 3)]
    jobs: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Word {
    Adapter,
    Socket,
    Gateway,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Hermes {
    Demo,
    Cli,
    Gateway,
}

/// Runs of one kind with one thing behind the adapter.
struct Group {
    kind: Kind,
    behind: Behind,
    runs: u64,
}

#[tokio::main]
async fn main() -> ExitCode {
    // Whoever stops it must not be left with its programs: worlds end theirs when they are dropped.
    tokio::select! {
        code = play() => code,
        () = interrupted() => ExitCode::FAILURE,
    }
}

async fn interrupted() {
    use tokio::signal::unix::{SignalKind, signal};
    let Ok(mut terminate) = signal(SignalKind::terminate()) else { return std::future::pending().await };
    tokio::select! {
        _ = tokio::signal::ctrl_c() => {}
        _ = terminate.recv() => {}
    }
}

async fn play() -> ExitCode {
    let arguments = Arguments::parse();
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let seed = arguments.seed.unwrap_or(now.as_millis() as u64 & 0xffff_ffff);
    println!("seed {seed}");
    let begun = Instant::now();
    let mut failures = 0;
    let mut lines = Vec::new();
    for group in groups(&arguments) {
        let figures = group.play(seed, arguments.from, arguments.jobs).await;
        failures += figures.failures();
        println!("{}", figures.line());
        lines.push(figures.line());
    }
    println!("\nseed {seed}, {} s", begun.elapsed().as_secs());
    lines.iter().for_each(|line| println!("{line}"));
    if failures == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// What is run when nothing else is said: most with the demo, which is quick, and some with the real Hermes where it is.
fn groups(arguments: &Arguments) -> Vec<Group> {
    let hermes = std::env::var_os("IRIS_HERMES").is_some();
    let usual = |with: u64, without: u64| if hermes { with } else { without };
    let all = [
        (Word::Adapter, Kind::Adapter, Hermes::Demo, Behind::Demo, usual(80, 100)),
        (Word::Adapter, Kind::Adapter, Hermes::Cli, Behind::Cli, usual(10, 0)),
        (Word::Adapter, Kind::Adapter, Hermes::Gateway, Behind::Gateway, usual(10, 0)),
        (Word::Socket, Kind::Socket, Hermes::Demo, Behind::Demo, usual(90, 100)),
        (Word::Socket, Kind::Socket, Hermes::Cli, Behind::Cli, usual(5, 0)),
        (Word::Socket, Kind::Socket, Hermes::Gateway, Behind::Gateway, usual(5, 0)),
        (Word::Gateway, Kind::Gateway, Hermes::Gateway, Behind::Gateway, usual(30, 0)),
    ];
    all.into_iter()
        .filter(|(word, ..)| arguments.kind.is_none_or(|kind| kind == *word))
        // Without a Hermes there is nothing to try it with.
        .filter(|(.., usual)| *usual > 0)
        .filter(|(_, _, word, ..)| arguments.behind.is_none_or(|behind| behind == *word))
        .map(|(_, kind, _, behind, usual)| Group { kind, behind, runs: arguments.runs.unwrap_or(usual) })
        .collect()
}

impl Group {
    async fn play(&self, seed: u64, from: u64, jobs: u64) -> Figures {
        let figures = Arc::new(Mutex::new(Figures::new(self.kind, self.behind)));
        let mut worlds = JoinSet::new();
        for job in 0..jobs.clamp(1, self.runs) {
            let numbers: Vec<u64> =
                (from..from + self.runs).skip(job as usize).step_by(jobs as usize).collect();
            worlds.spawn(world(self.kind, self.behind, seed, numbers, Arc::clone(&figures)));
        }
        while worlds.join_next().await.is_some() {}
        figures.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

async fn world(kind: Kind, behind: Behind, seed: u64, numbers: Vec<u64>, figures: Arc<Mutex<Figures>>) {
    let mut world = None;
    for number in numbers {
        let with =
            |work: &dyn Fn(&mut Figures)| work(&mut figures.lock().unwrap_or_else(PoisonError::into_inner));
        if world.is_none() {
            match World::start(behind).await {
                Ok(started) => world = Some(started),
                Err(error) => {
                    println!("no world for run {number}: {error:#}");
                    with(&Figures::failed);
                    continue;
                }
            }
        }
        let Some(there) = &mut world else { continue };
        let (outcome, result) = run::run(there, kind, seed, number).await;
        match result {
            Ok(()) => with(&|figures| figures.went_well(&outcome)),
            Err(error) => {
                println!("{}", failure(kind, behind, seed, number, &outcome.log, &error));
                with(&Figures::failed);
                // What is broken must not break the next run.
                world = None;
            }
        }
    }
    if let Some(world) = world {
        world.done();
    }
}

fn failure(
    kind: Kind,
    behind: Behind,
    seed: u64,
    number: u64,
    log: &[String],
    error: &anyhow::Error,
) -> String {
    let words = format!("--kind {kind:?} --behind {behind:?}").to_lowercase();
    format!(
        "\nRUN {number} FAILED: {error:#}\n{}\ntry it again: cargo xtask chaos --seed {seed} {words} --from {number} --runs 1\n",
        log.join("\n")
    )
}
