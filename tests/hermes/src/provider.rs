//! The model behind Hermes: `provider.py`, and the gates by which a test says how far an answer may go.

use std::path::{Path, PathBuf};

use anyhow::Context;
use e2e::wait;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, BufReader},
    process::Command,
};

use crate::process::Running;

/// A running provider.
#[derive(Debug)]
pub struct Provider {
    port: u16,
    http: reqwest::Client,
    // Its input is open as long as this lives; it ends with it.
    _running: Running,
}

/// How far an answer behind a gate is.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
pub struct GateState {
    /// Parts that went through.
    pub passed: u64,
    /// Answers that wait for a permit.
    pub waiting: u64,
}

/// One request that the provider got.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
pub struct Asked {
    /// The scenario that answered.
    pub scenario: String,
    /// Tool results since the user asked.
    pub step: u64,
    /// Tools were offered: a turn, not a title.
    pub tools: bool,
    /// Who said what, in order.
    pub roles: Vec<String>,
    /// The last message.
    pub last: String,
    /// The images of the user's message.
    pub images: Vec<SeenImage>,
}

/// An image as it reached the model.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
pub struct SeenImage {
    /// Its media type.
    #[serde(rename = "type")]
    pub media_type: String,
    /// Its length.
    pub bytes: u64,
}

impl Provider {
    /// Starts one on a free port.
    ///
    /// # Errors
    /// When it does not say its port.
    pub async fn start(log: &Path) -> anyhow::Result<Self> {
        let mut command = Command::new(python());
        command.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/provider.py"));
        let mut running = Running::start(command, log, true)?;
        let stdout = running.child.stdout.take().context("the provider has no stdout")?;
        let mut lines = BufReader::new(stdout).lines();
        let line = tokio::time::timeout(wait::PATIENCE, lines.next_line()).await;
        let line = line.context("waiting for the provider's port")??.context("the provider ended")?;
        let port = line.trim().parse().with_context(|| format!("the provider's port: {line:?}"))?;
        Ok(Self { port, http: reqwest::Client::new(), _running: running })
    }

    /// The address that Hermes is given.
    pub fn base_url(&self) -> String {
        format!("http://127.0.0.1:{}/v1", self.port)
    }

    /// Lets so many parts of the answer behind a gate through.
    ///
    /// # Errors
    /// When the provider does not answer.
    pub async fn allow(&self, gate: &str, permits: u64) -> anyhow::Result<()> {
        self.steer(gate, json!({"permits": permits})).await
    }

    /// Opens a gate for good.
    ///
    /// # Errors
    /// When the provider does not answer.
    pub async fn open(&self, gate: &str) -> anyhow::Result<()> {
        self.steer(gate, json!({"open": true})).await
    }

    async fn steer(&self, gate: &str, order: Value) -> anyhow::Result<()> {
        let request = self.http.post(self.control(&format!("gates/{gate}"))).json(&order);
        request.send().await?.error_for_status()?;
        Ok(())
    }

    /// Waits until an answer stands before a closed gate, after `passed` parts or more.
    ///
    /// # Errors
    /// When it does not come so far.
    pub async fn until_waiting(&self, gate: &str, passed: u64) -> anyhow::Result<()> {
        wait::until(&format!("an answer to wait at {gate} after {passed} parts"), || async {
            let state = self.http.get(self.control(&format!("gates/{gate}"))).send().await?;
            let state: GateState = state.json().await?;
            Ok((state.waiting > 0 && state.passed >= passed).then_some(()))
        })
        .await
    }

    /// Everything it was asked so far.
    ///
    /// # Errors
    /// When the provider does not answer.
    pub async fn asked(&self) -> anyhow::Result<Vec<Asked>> {
        Ok(self.http.get(self.control("requests")).send().await?.json().await?)
    }

    fn control(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}/control/{path}", self.port)
    }
}

/// The interpreter of Hermes' environment where there is one; any will do.
fn python() -> PathBuf {
    let beside = std::env::var_os("IRIS_HERMES").map(PathBuf::from);
    let beside = beside.and_then(|program| Some(program.parent()?.join("python3")));
    beside.filter(|program| program.is_file()).unwrap_or_else(|| "python3".into())
}
