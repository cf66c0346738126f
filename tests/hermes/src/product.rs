//! The whole product around a lab: the real adapter with a real Hermes behind it.

use std::path::PathBuf;

use e2e::adapter::{Adapter, Setup};

use crate::{
    client::Client,
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
