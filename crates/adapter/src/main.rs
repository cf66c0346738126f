//! Reads the command line and starts what it names; says in one place what went wrong.

use std::{io, process::ExitCode};

use iris_adapter::{
    backend::cli::keeper,
    cli,
    config::Config,
    config_file::{self, FileError},
    install_plugin, reports, server,
    shutdown::Signals,
    summary, terminal,
};
use tracing_subscriber::EnvFilter;

fn main() -> ExitCode {
    let cli = match config_file::parse(std::env::args_os().collect()) {
        Ok(cli) => cli,
        // Also how `--help` is answered.
        Err(FileError::Usage(usage)) => usage.exit(),
        Err(error) => return failed(&error.into()),
    };
    let filter = EnvFilter::try_from_env("IRIS_LOG").unwrap_or_else(|_| EnvFilter::new("warn"));
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr).init();
    let command = match cli.command {
        // It stands between the adapter and one process, and needs no runtime.
        cli::Command::Keep(keep) => std::process::exit(keeper::run(keep)),
        // Its exit status says what it found.
        cli::Command::Doctor(args) => {
            return reports::doctor::run(&args).unwrap_or_else(|error| failed(&error));
        }
        // It reads files and nothing else, and its exit status is the run's.
        cli::Command::Summary(args) => return summary::run(&args),
        command => command,
    };
    match run(command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failed(&error),
    }
}

fn failed(error: &anyhow::Error) -> ExitCode {
    eprintln!("iris-adapter: {error:#}");
    ExitCode::FAILURE
}

#[tokio::main]
async fn run(command: cli::Command) -> anyhow::Result<()> {
    match command {
        cli::Command::Keep(_) | cli::Command::Doctor(_) | cli::Command::Summary(_) => Ok(()),
        cli::Command::Serve(args) => serve(Config::try_from(args)?).await,
        cli::Command::Pair(args) => terminal::pair(&args),
        cli::Command::Devices(args) => terminal::devices(&args),
        cli::Command::Streams(args) => reports::streams::run(&args),
        cli::Command::InstallPlugin(args) => {
            println!("{}", install_plugin::run(args)?);
            Ok(())
        }
    }
}

async fn serve(config: Config) -> anyhow::Result<()> {
    let public = config.public_url.clone();
    let mut signals = Signals::listen()?;
    let server = server::start(config).await?;
    terminal::announce(&server, public.as_ref())?;
    signals.received().await?;
    server.stop().await?;
    Ok(())
}
