//! A running `iris-adapter serve`, on a port of its own.

use std::collections::HashMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Context;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::net::TcpStream;
use tokio::process::{Child, ChildStdout, Command};

use crate::wait;

/// The tokens with which this process may speak to its adapters, by origin. A page that is opened there is paired.
static TOKENS: Mutex<Option<HashMap<String, String>>> = Mutex::new(None);

/// The token for the adapter of this origin, if it is one of ours.
pub(crate) fn token_for(origin: &str) -> Option<String> {
    TOKENS.lock().unwrap_or_else(PoisonError::into_inner).as_ref()?.get(origin).cloned()
}

/// The adapter's program.
///
/// # Errors
/// When there is none.
pub fn program() -> anyhow::Result<PathBuf> {
    crate::place("IRIS_ADAPTER", "target/debug/iris-adapter")
}

/// How an adapter is started, besides its port, its app and its data folder.
#[derive(Clone, Debug, Default)]
pub struct Setup {
    /// Words after `serve`.
    pub arguments: Vec<OsString>,
    /// Variables besides this process's own.
    pub environment: Vec<(OsString, OsString)>,
}

/// The real adapter. Killed when dropped.
pub struct Adapter {
    child: Child,
    port: u16,
    setup: Setup,
    link: String,
    // What it keeps outlives a kill.
    data: Arc<TempDir>,
    // Kept open: an adapter whose stdout is closed could fail to print.
    _stdout: Lines<BufReader<ChildStdout>>,
}

impl Adapter {
    /// Starts one whose demo plays `speed` times as fast as it was recorded.
    ///
    /// # Errors
    /// When it does not start or does not print its address.
    pub async fn start(speed: f64) -> anyhow::Result<Self> {
        let arguments = vec!["--speed".into(), speed.to_string().into()];
        Self::start_with(Setup { arguments, ..Setup::default() }).await
    }

    /// Starts one as `setup` says.
    ///
    /// # Errors
    /// When it does not start or does not print its address.
    pub async fn start_with(setup: Setup) -> anyhow::Result<Self> {
        let adapter = Self::start_on(0, setup, Arc::new(tempfile::tempdir()?)).await?;
        let token = adapter.pair("end-to-end tests").await?;
        let mut tokens = TOKENS.lock().unwrap_or_else(PoisonError::into_inner);
        tokens.get_or_insert_default().insert(adapter.url().trim_end_matches('/').to_owned(), token);
        drop(tokens);
        Ok(adapter)
    }

    async fn start_on(port: u16, setup: Setup, data: Arc<TempDir>) -> anyhow::Result<Self> {
        let mut child = Command::new(program()?)
            .args(["serve", "--port", &port.to_string(), "--app"])
            .arg(crate::app_dir()?)
            .arg("--data")
            .arg(data.path())
            .args(&setup.arguments)
            .envs(setup.environment.iter().cloned())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .context("starting the adapter")?;
        let stdout = child.stdout.take().context("the adapter has no stdout")?;
        let mut lines = BufReader::new(stdout).lines();
        let printed = tokio::time::timeout(wait::PATIENCE, async {
            while let Some(line) = lines.next_line().await? {
                if let Some(port) = port_of(&line) {
                    let link = line.split_whitespace().next_back().unwrap_or_default().to_owned();
                    return Ok((port, link));
                }
            }
            anyhow::bail!("the adapter ended before it printed its address")
        });
        let (port, link) = printed.await.context("waiting for the adapter's address")??;
        Ok(Self { child, port, setup, link, data, _stdout: lines })
    }

    /// The address of the app.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}/", self.port)
    }

    /// The token with which this process may speak to it: [`Adapter::start`] has paired.
    pub fn token(&self) -> Option<String> {
        token_for(self.url().trim_end_matches('/'))
    }

    /// Its folder of data.
    pub fn data(&self) -> &Path {
        self.data.path()
    }

    /// The pairing link that it printed when it started; good for one device. [`Adapter::start`] has used the first.
    pub fn link(&self) -> &str {
        &self.link
    }

    /// Another pairing link, as `iris-adapter pair` prints it.
    ///
    /// # Errors
    /// When it prints none.
    pub async fn new_link(&self) -> anyhow::Result<String> {
        let said = self.command(&["pair"]).await?;
        let link = said.split_whitespace().find(|word| word.contains("#pair="));
        Ok(link.with_context(|| format!("no link in {said}"))?.to_owned())
    }

    /// The devices that it knows, as `iris-adapter devices` prints them.
    ///
    /// # Errors
    /// When it prints none.
    pub async fn devices(&self) -> anyhow::Result<String> {
        self.command(&["devices"]).await
    }

    /// Pairs with the printed link, as the app does, and returns the token.
    ///
    /// # Errors
    /// When the link does not work.
    pub async fn pair(&self, name: &str) -> anyhow::Result<String> {
        let code = self.link.split_once("#pair=").context("the printed address has no pairing code")?.1;
        let body = json!({"code": code, "name": name}).to_string();
        let head = format!("Origin: http://127.0.0.1:{}\r\nContent-Length: {}\r\n", self.port, body.len());
        let answer = self.ask("POST /pair", &head, &body).await?;
        let (head, body) = answer.split_once("\r\n\r\n").context("half an answer")?;
        anyhow::ensure!(head.starts_with("HTTP/1.1 200 "), "pairing failed: {answer}");
        let body: Value = serde_json::from_str(body)?;
        Ok(body.get("token").and_then(Value::as_str).context("no token")?.to_owned())
    }

    /// `host:port`, where it listens.
    pub fn address(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// What another command of the program prints, about the same data.
    ///
    /// # Errors
    /// When it fails.
    pub async fn command(&self, words: &[&str]) -> anyhow::Result<String> {
        let mut command = Command::new(crate::place("IRIS_ADAPTER", "target/debug/iris-adapter")?);
        command.args(words).env("IRIS_DATA", self.data());
        let output = command.output().await.context("starting the adapter's other command")?;
        anyhow::ensure!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
        Ok(String::from_utf8(output.stdout)?)
    }

    /// The bytes of a file of a conversation, as a paired device gets them.
    ///
    /// # Errors
    /// When it is not given out.
    pub async fn file(&self, id: &str) -> anyhow::Result<Vec<u8>> {
        let token = self.token().context("this process is not paired")?;
        let headers = format!("Authorization: Bearer {token}\r\n");
        let answer = self.ask_bytes(&format!("GET /files/{id}"), &headers, "").await?;
        let end = answer.windows(4).position(|four| four == b"\r\n\r\n").context("half an answer")?;
        let (head, body) = answer.split_at(end + 4);
        anyhow::ensure!(head.starts_with(b"HTTP/1.1 200 "), "{}", String::from_utf8_lossy(head));
        Ok(body.to_vec())
    }

    async fn ask(&self, line: &str, headers: &str, body: &str) -> anyhow::Result<String> {
        Ok(String::from_utf8_lossy(&self.ask_bytes(line, headers, body).await?).into_owned())
    }

    async fn ask_bytes(&self, line: &str, headers: &str, body: &str) -> anyhow::Result<Vec<u8>> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).await?;
        let host = format!("Host: 127.0.0.1:{}\r\nConnection: close\r\n", self.port);
        stream.write_all(format!("{line} HTTP/1.1\r\n{host}{headers}\r\n{body}").as_bytes()).await?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await?;
        Ok(answer)
    }

    /// The headers that it sends with the app: the production policy.
    ///
    /// # Errors
    /// When it does not answer.
    pub async fn headers(&self) -> anyhow::Result<Vec<(String, String)>> {
        Ok(security_headers(&self.ask("GET /", "", "").await?))
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
        *self = Self::start_on(self.port, self.setup.clone(), Arc::clone(&self.data)).await?;
        Ok(())
    }
}

/// The port in the line that holds the address on this machine. A line before it may hold another, behind a proxy.
fn port_of(line: &str) -> Option<u16> {
    let (_, rest) = line.split_once("Iris is at http://127.0.0.1:")?;
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
            ("Iris is at http://127.0.0.1:8787/#pair=01ab", Some(8787)),
            ("warming up", None),
            ("Iris is at http://127.0.0.1:/", None),
            ("For another device: http://127.0.0.1:9000/iris/#pair=01ab", None),
        ] {
            assert_eq!(super::port_of(line), port, "{line}");
        }
    }
}
