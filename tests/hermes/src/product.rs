//! The whole product around a lab: the real adapter with a real Hermes behind it.

use std::path::{Path, PathBuf};

use anyhow::Context;
use e2e::adapter::{self, Adapter, Setup};
use iris_core::ids::ChatId;
use tokio::process::Command;

use crate::{
    client::Client,
    gateway,
    lab::{Home, Lab, hermes},
    store::{self, Message},
};

/// An adapter that runs `hermes chat` for each turn.
pub struct Cli {
    /// The adapter.
    pub adapter: Adapter,
    /// Hermes' home.
    pub home: PathBuf,
}

impl Cli {
    /// Starts one.
    ///
    /// # Errors
    /// When it does not start.
    pub async fn start(lab: &Lab) -> anyhow::Result<Self> {
        let home = lab.home(Home::Cli)?;
        let mut arguments = vec!["--backend".into(), "cli".into(), "--hermes".into(), hermes()?.into()];
        arguments.extend(["--hermes-home".into(), home.clone().into()]);
        arguments.extend(["--workdir".into(), lab.project().into()]);
        let environment = lab.environment(&home);
        let adapter = Adapter::start_with(Setup { arguments, environment }).await?;
        Ok(Self { adapter, home })
    }

    /// Everything that Hermes remembers, which must be one conversation.
    ///
    /// # Errors
    /// When it is not.
    pub fn memory(&self) -> anyhow::Result<Vec<Message>> {
        match store::sessions(&self.home)?.as_slice() {
            [session] => store::transcript(&self.home, &session.id),
            sessions => anyhow::bail!("the turns of a chat go on with one session: {sessions:?}"),
        }
    }

    /// A device without a screen.
    ///
    /// # Errors
    /// When it is not let in.
    pub async fn client(&self) -> anyhow::Result<Client> {
        Client::connect(&self.adapter.url(), self.adapter.token().as_deref()).await
    }
}

/// An adapter with the gateway of a Hermes behind it, as `docs/hermes.md` has a user set it up.
pub struct Gateway {
    /// The adapter.
    pub adapter: Adapter,
    /// Hermes' gateway.
    pub hermes: gateway::Gateway,
}

impl Gateway {
    /// Installs the plugin into a fresh home of the gateway and starts both.
    ///
    /// # Errors
    /// When one of them does not start.
    pub async fn start(lab: &Lab, home: Home) -> anyhow::Result<Self> {
        let home = lab.home(home)?;
        let environment = lab.environment(&home);
        install_plugin(lab, &home).await?;
        let mut arguments =
            ["--backend", "gateway", "--bridge-port", "0", "--hermes-home"].map(Into::into).to_vec();
        arguments.push(home.clone().into());
        let adapter = Adapter::start_with(Setup { arguments, environment }).await?;
        let hermes = gateway::Gateway::start(lab, &home)?;
        Ok(Self { adapter, hermes })
    }

    /// What Hermes remembers of a chat.
    ///
    /// # Errors
    /// When it remembers none.
    pub fn memory(&self, chat: &ChatId) -> anyhow::Result<Vec<Message>> {
        let sessions = store::sessions(self.hermes.home())?;
        let session = sessions.iter().rfind(|session| session.chat_id.as_deref() == Some(chat.as_str()));
        let session = session.with_context(|| format!("no session of {chat} in {sessions:?}"))?;
        store::transcript(self.hermes.home(), &session.id)
    }

    /// A device without a screen.
    ///
    /// # Errors
    /// When it is not let in.
    pub async fn client(&self) -> anyhow::Result<Client> {
        Client::connect(&self.adapter.url(), self.adapter.token().as_deref()).await
    }
}

/// The home has every setting already: nothing is missing when the plugin is there.
async fn install_plugin(lab: &Lab, home: &Path) -> anyhow::Result<()> {
    let mut command = Command::new(adapter::program()?);
    command.args(["install-plugin", "--hermes-home"]).arg(home).envs(lab.environment(home));
    let output = command.output().await.context("installing the plugin")?;
    let said = String::from_utf8_lossy(&output.stdout);
    anyhow::ensure!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    anyhow::ensure!(said.contains("everything it needs"), "the home lacks a setting: {said}");
    Ok(())
}
