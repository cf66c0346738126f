//! A running `hermes gateway`.

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
};

use tokio::process::Command;

use crate::{
    lab::{Lab, hermes},
    process::Running,
};

/// The gateway of one home. Killed when dropped.
#[derive(Debug)]
pub struct Gateway {
    running: Running,
    home: PathBuf,
    project: PathBuf,
    environment: Vec<(OsString, OsString)>,
    log: PathBuf,
}

impl Gateway {
    /// Starts it. That its platforms are connected is for the other side to say.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn start(lab: &Lab, home: &Path) -> anyhow::Result<Self> {
        let log = lab.log("gateway");
        let environment = lab.environment(home);
        let running = run(&lab.project(), &environment, &log)?;
        Ok(Self { running, home: home.to_owned(), project: lab.project(), environment, log })
    }

    /// Its home: `store` reads what it remembers.
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// Kills it, as a crash would.
    ///
    /// # Errors
    /// When it cannot be waited for.
    pub async fn kill(&mut self) -> anyhow::Result<()> {
        self.running.kill().await
    }

    /// Starts it again, after a kill.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn restart(&mut self) -> anyhow::Result<()> {
        self.running = run(&self.project, &self.environment, &self.log)?;
        Ok(())
    }
}

fn run(project: &Path, environment: &[(OsString, OsString)], log: &Path) -> anyhow::Result<Running> {
    let mut command = Command::new(hermes()?);
    command.args(["gateway", "run"]).current_dir(project).envs(environment.iter().cloned());
    Running::start(command, log, false)
}
