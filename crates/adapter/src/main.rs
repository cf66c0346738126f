//! Reads the command line and starts what it names; says in one place what went wrong.

use std::{
    io::{self, Write},
    process::ExitCode,
};

use clap::Parser;
use iris_adapter::{cli, config::Config, server, shutdown};
use tracing_subscriber::EnvFilter;

fn main() -> ExitCode {
    let cli = cli::Cli::parse();
    let filter = EnvFilter::try_from_env("IRIS_LOG").unwrap_or_else(|_| EnvFilter::new("warn"));
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr).init();
    match run(cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("iris-adapter: {error:#}");
            ExitCode::FAILURE
        }
    }
}

#[tokio::main]
async fn run(cli: cli::Cli) -> anyhow::Result<()> {
    match cli.command {
        cli::Command::Serve(args) => serve(Config::try_from(args)?).await,
    }
}

async fn serve(config: Config) -> anyhow::Result<()> {
    let server = server::start(config).await?;
    let code = server.devices().invite(None)?;
    // Whoever starts the adapter reads this line to learn the address, so it must not wait in a buffer.
    let mut stdout = io::stdout().lock();
    writeln!(stdout, "Iris is at {}#pair={}", server.url(), code.reveal())?;
    stdout.flush()?;
    drop(stdout);
    shutdown::signal().await?;
    server.stop().await?;
    Ok(())
}
