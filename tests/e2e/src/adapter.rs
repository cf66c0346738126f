//! A running `iris-adapter serve`, on a port of its own.

use std::process::Stdio;

use anyhow::Context;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::net::TcpStream;
use tokio::process::{Child, ChildStdout, Command};

use crate::wait;

/// The real adapter, with its demo behind it. Killed when dropped.
pub struct Adapter {
    child: Child,
    port: u16,
    speed: f64,
    // Kept open: an adapter whose stdout is closed could fail to print.
    _stdout: Lines<BufReader<ChildStdout>>,
}

impl Adapter {
    /// Starts one whose demo plays `speed` times as fast as it was recorded.
    ///
    /// # Errors
    /// When it does not start or does not print its address.
    pub async fn start(speed: f64) -> anyhow::Result<Self> {
        Self::start_on(0, speed).await
    }

    async fn start_on(port: u16, speed: f64) -> anyhow::Result<Self> {
        let mut child = Command::new(crate::place("IRIS_ADAPTER", "target/debug/iris-adapter")?)
            .args(["serve", "--port", &port.to_string(), "--speed", &speed.to_string(), "--app"])
            .arg(crate::app_dir()?)
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .context("starting the adapter")?;
        let stdout = child.stdout.take().context("the adapter has no stdout")?;
        let mut lines = BufReader::new(stdout).lines();
        let printed = tokio::time::timeout(wait::PATIENCE, async {
            while let Some(line) = lines.next_line().await? {
                if let Some(port) = port_of(&line) {
                    return Ok(port);
                }
            }
            anyhow::bail!("the adapter ended before it printed its address")
        });
        let port = printed.await.context("waiting for the adapter's address")??;
        Ok(Self { child, port, speed, _stdout: lines })
    }

    /// The address of the app.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}/", self.port)
    }

    /// The headers that it sends with the app: the production policy.
    ///
    /// # Errors
    /// When it does not answer.
    pub async fn headers(&self) -> anyhow::Result<Vec<(String, String)>> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).await?;
        let request = format!("GET / HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\n\r\n", self.port);
        stream.write_all(request.as_bytes()).await?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await?;
        Ok(security_headers(&String::from_utf8_lossy(&answer)))
    }

    /// Kills it, as a crash would.
    ///
    /// # Errors
    /// When the process cannot be killed.
    pub async fn kill(&mut self) -> anyhow::Result<()> {
        self.child.kill().await.context("killing the adapter")
    }

    /// Starts it again on the same port.
    ///
    /// # Errors
    /// When it does not start.
    pub async fn restart(&mut self) -> anyhow::Result<()> {
        *self = Self::start_on(self.port, self.speed).await?;
        Ok(())
    }
}

/// The port in a line that holds the address of this machine.
fn port_of(line: &str) -> Option<u16> {
    let (_, rest) = line.split_once("http://127.0.0.1:")?;
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

/// The headers of an answer that are about security.
fn security_headers(answer: &str) -> Vec<(String, String)> {
    let head = answer.split("\r\n\r\n").next().unwrap_or_default();
    head.lines()
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
        .filter(|(name, _)| {
            let families = [
                "content-security-policy",
                "x-content-type-options",
                "referrer-policy",
                "permissions-policy",
            ];
            families.contains(&name.as_str()) || name.starts_with("cross-origin-")
        })
        .collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_address_is_read_from_the_line_that_holds_it() {
        for (line, port) in [
            ("Iris is at http://127.0.0.1:8787/", Some(8787)),
            ("warming up", None),
            ("http://127.0.0.1:/", None),
        ] {
            assert_eq!(super::port_of(line), port, "{line}");
        }
    }
}
