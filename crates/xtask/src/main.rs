//! `cargo xtask`: the project's commands. Each module owns one thing a command does; this file only chooses.
//!
//! It is written with the standard library and a handful of small crates, because it is the first thing a fresh machine
//! compiles. It changes nothing outside the checkout and its cache, except system packages, and those only as root.

mod adapter;
mod app;
mod apt;
mod bench;
mod bench_page;
mod chaos;
mod cli;
mod compress;
mod desk;
mod fingerprint;
mod fuzz;
mod glue;
mod hermes;
mod hook;
mod install;
mod lock;
mod modules;
mod mutants;
mod npm;
mod order;
mod paths;
mod process;
mod rings;
mod serve;
mod setup;
mod size;
mod split;
mod stylesheet;
mod summary;
mod tools;
mod wasm;
mod wasm_target;

use cli::Command;
use paths::Paths;
use std::process::ExitCode;

fn main() -> ExitCode {
    match run() {
        Ok(code) => code,
        Err(error) => {
            println!("\nerror: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> anyhow::Result<ExitCode> {
    let command = cli::parse(std::env::args().skip(1))?;
    let paths = Paths::find()?;
    match command {
        Command::Help => print!("{}", cli::HELP),
        Command::Run(options) => serve::run(&paths, &options)?,
        Command::Install => install::run(&paths)?,
        Command::Build => app::build(&paths)?,
        Command::Dev(options) => app::develop(&paths, &options)?,
        Command::Setup => setup::everything(&paths)?,
        Command::Size => {
            app::build(&paths)?;
            size::report(&paths.dist())?;
        }
        Command::Bench(options) => bench::run(&paths, &options)?,
        Command::Chaos(options) => chaos::run(&paths, &options)?,
        Command::Screenshots { folder } => serve::screenshots(&paths, &folder)?,
        Command::Fuzz(options) => fuzz::run(&paths, &options)?,
        Command::Mutants { name } => mutants::run(&paths, name.as_deref())?,
        Command::Test(options) => return rings::run(&paths, &options),
        Command::Hook(stage) => hook::run(&paths, stage)?,
    }
    Ok(ExitCode::SUCCESS)
}
