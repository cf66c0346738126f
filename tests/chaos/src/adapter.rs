//! The real `iris-adapter` as a process that can be killed and comes back on its port, with what it had on disk.

use std::{
    ffi::OsString,
    fs::{self, File},
    path::{Path, PathBuf},
    process::Stdio,
};

use anyhow::Context;
use tempfile::TempDir;
use tokio::{
    io::{AsyncBufReadExt, BufReader, Lines},
    process::{Child, ChildStdout, Command},
    time::timeout,
};

use crate::{device::PATIENCE, pairing};

/// What it keeps.
const DATA: &str = "data";
/// Its standard error, beside that.
const LOG: &str = "adapter.log";
/// Lines of it that are shown.
const SHOWN: usize = 30;

/// How an adapter is started, besides its port and its folder.
#[derive(Clone, Debug, Default)]
pub struct Setup {
    /// Words after `serve`.
    pub arguments: Vec<OsString>,
    /// Variables besides this process's own.
    pub environment: Vec<(OsString, OsString)>,
}

/// A running adapter. Killed when dropped.
#[derive(Debug)]
pub struct Adapter {
    child: Child,
    port: u16,
    setup: Setup,
    folder: TempDir,
    code: String,
    // Kept open: an adapter whose standard output is closed could fail to print.
    lines: Lines<BufReader<ChildStdout>>,
}

/// The program: `IRIS_ADAPTER`, or what a build of the workspace made.
///
/// # Errors
/// When there is none.
pub fn program() -> anyhow::Result<PathBuf> {
    let built = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../target/debug/iris-adapter");
    let path = std::env::var_os("IRIS_ADAPTER").map_or_else(built, PathBuf::from);
    anyhow::ensure!(
        path.is_file(),
        "IRIS_ADAPTER: nothing at {} (`cargo xtask chaos` builds it)",
        path.display()
    );
    Ok(path)
}

impl Adapter {
    /// Starts one with an empty folder, on a free port.
    ///
    /// # Errors
    /// When it does not start.
    pub async fn start(setup: Setup) -> anyhow::Result<Self> {
        let folder = tempfile::tempdir()?;
        let (child, lines, port, code) = spawn(0, &setup, folder.path()).await?;
        Ok(Self { child, port, setup, folder, code, lines })
    }

    /// Its port.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The end of what it wrote to standard error, in all its lives.
    pub fn log(&self) -> String {
        log(self.folder.path())
    }

    /// Kills it, as a crash would.
    ///
    /// # Errors
    /// When the process cannot be killed.
    pub async fn kill(&mut self) -> anyhow::Result<()> {
        self.child.kill().await.context("killing the adapter")
    }

    /// Starts it again.
    ///
    /// # Errors
    /// When it does not start.
    pub async fn restart(&mut self) -> anyhow::Result<()> {
        let (child, lines, port, code) = spawn(self.port, &self.setup, self.folder.path()).await?;
        anyhow::ensure!(port == self.port, "it came back on another port");
        (self.child, self.lines, self.code) = (child, lines, code);
        Ok(())
    }

    /// Lets one more device in: with the link that was printed at the start, and with new ones after that.
    ///
    /// # Errors
    /// When the link does not work.
    pub async fn pair(&mut self, name: &str) -> anyhow::Result<String> {
        let code = match std::mem::take(&mut self.code) {
            code if code.is_empty() => self.invite().await?,
            code => code,
        };
        pairing::token(self.port, &code, name).await
    }

    async fn invite(&self) -> anyhow::Result<String> {
        let mut command = Command::new(program()?);
        command.arg("pair").arg("--data").arg(self.folder.path().join(DATA));
        let output = command.output().await.context("iris-adapter pair")?;
        let text = String::from_utf8_lossy(&output.stdout);
        let link = text.lines().find_map(|line| line.split_once("#pair="));
        Ok(link.with_context(|| format!("no link: {text}"))?.1.trim().to_owned())
    }
}

fn log(folder: &Path) -> String {
    let text = fs::read(folder.join(LOG)).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let lines: Vec<&str> = text.lines().collect();
    lines.get(lines.len().saturating_sub(SHOWN)..).unwrap_or_default().join("\n")
}

type Started = (Child, Lines<BufReader<ChildStdout>>, u16, String);

async fn spawn(port: u16, setup: &Setup, folder: &Path) -> anyhow::Result<Started> {
    let mut command = Command::new(program()?);
    command.args(["serve", "--no-app", "--port", &port.to_string(), "--data"]).arg(folder.join(DATA));
    command.args(&setup.arguments).envs(setup.environment.iter().cloned());
    // Nothing of the machine's own configuration.
    command.env_remove("IRIS_CONFIG").env("XDG_CONFIG_HOME", folder);
    let words =
        File::options().create(true).append(true).open(folder.join(LOG)).context("the adapter's log")?;
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(words).kill_on_drop(true);
    let mut child = command.spawn().context("starting the adapter")?;
    let stdout = child.stdout.take().context("the adapter has no standard output")?;
    let mut lines = BufReader::new(stdout).lines();
    let printed = timeout(PATIENCE, async {
        while let Some(line) = lines.next_line().await? {
            if let Some((port, code)) = address(&line) {
                return anyhow::Ok((port, code.to_owned()));
            }
        }
        anyhow::bail!("the adapter ended before it printed its address:\n{}", log(folder))
    });
    let (port, code) = printed.await.context("waiting for the adapter's address")??;
    Ok((child, lines, port, code))
}

/// Port and pairing code in the line that has them.
fn address(line: &str) -> Option<(u16, &str)> {
    let (_, rest) = line.split_once("http://127.0.0.1:")?;
    let (port, code) = rest.split_once("/#pair=")?;
    Some((port.parse().ok()?, code.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_is_read_from_its_line() {
        for (line, expected) in [
            ("Iris is at http://127.0.0.1:8787/#pair=01ab", Some((8787, "01ab"))),
            ("Iris is at http://127.0.0.1:8787/", None),
            ("warming up", None),
        ] {
            assert_eq!(address(line), expected, "{line}");
        }
    }
}
