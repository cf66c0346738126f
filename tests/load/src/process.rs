//! The adapter that is measured: its own code with the made-up Hermes behind it, here or in a process of its own.

use std::{ffi::OsString, fs, path::Path, process::Stdio, sync::Arc, time::Duration};

use anyhow::Context;
use clap::Parser;
use iris_adapter::{
    cli::{Cli, Command},
    config::Config,
    hub::pace,
    server::{self, Server},
};
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, BufReader},
    process::{self, Child},
};

use crate::play::Play;

/// All sockets of a measurement are one device's.
const SOCKETS: usize = 1000;

/// Where an adapter listens, and what lets a device in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// Its port on the loopback.
    pub port: u16,
    /// The token of a paired device.
    pub token: String,
}

/// Starts it in this process.
///
/// # Errors
/// When it does not start.
pub async fn here(data: &Path) -> anyhow::Result<(Server, Address)> {
    here_with(data, pace::USUAL).await
}

/// The same, where the pieces of a growing text are so far apart.
///
/// # Errors
/// When it does not start.
pub async fn here_with(data: &Path, text_gap: Duration) -> anyhow::Result<(Server, Address)> {
    let words = ["iris-adapter", "serve", "--port", "0", "--no-app", "--data"].map(OsString::from);
    let cli = Cli::try_parse_from(words.into_iter().chain([data.into()]))?;
    let Command::Serve(serve) = cli.command else { anyhow::bail!("another command") };
    let config = Config { sockets_per_device: SOCKETS, text_gap, ..Config::try_from(serve)? };
    let server = server::start_with(config, |_, _| Ok(Arc::new(Play::default()))).await?;
    let token = server.devices().add("load")?.token.reveal().to_owned();
    let address = Address { port: server.address().port(), token };
    Ok((server, address))
}

/// What the process of an adapter does: says where it listens, and works until its standard input ends.
///
/// # Errors
/// When it does not start.
pub async fn serve(data: &Path) -> anyhow::Result<()> {
    let (server, address) = here(data).await?;
    println!("{} {}", address.port, address.token);
    tokio::io::stdin().read_to_end(&mut Vec::new()).await?;
    server.stop().await?;
    Ok(())
}

/// An adapter in a process of its own. Ends when it is dropped.
#[derive(Debug)]
pub struct Adapter {
    child: Child,
    /// Where it listens.
    pub address: Address,
}

impl Adapter {
    /// Starts this program again, as an adapter that keeps its data in that folder.
    ///
    /// # Errors
    /// When it does not say where it listens.
    pub async fn start(data: &Path) -> anyhow::Result<Self> {
        let mut child = process::Command::new(std::env::current_exe()?)
            .arg("serve")
            .arg(data)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        let stdout = child.stdout.take().context("no stdout")?;
        let line = BufReader::new(stdout).lines().next_line().await?.context("the adapter ended")?;
        let (port, token) = line.split_once(' ').context("no address")?;
        Ok(Self { child, address: Address { port: port.parse()?, token: token.to_owned() } })
    }

    /// The most memory that it has had, in megabytes.
    ///
    /// # Errors
    /// When the system does not say.
    pub fn peak_memory(&self) -> anyhow::Result<f64> {
        let id = self.child.id().context("the adapter has ended")?;
        let status = fs::read_to_string(format!("/proc/{id}/status"))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).context("no VmHWM")?;
        let kilobytes: f64 = line.trim().trim_end_matches("kB").trim().parse()?;
        Ok(kilobytes / 1024.0)
    }

    /// Ends it in good order.
    ///
    /// # Errors
    /// When it cannot be waited for.
    pub async fn stop(mut self) -> anyhow::Result<()> {
        drop(self.child.stdin.take());
        self.child.wait().await?;
        Ok(())
    }
}
