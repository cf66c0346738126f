//! How the adapter stops: one signal that everything listens to, and a way to wait until everything has heard it.

use std::{io, time::Duration};

use tokio::sync::{mpsc, watch};

/// How long open sockets get to say goodbye.
const GRACE: Duration = Duration::from_secs(3);

/// The listening end. Whoever holds a clone is waited for.
#[derive(Clone, Debug)]
pub struct Shutdown {
    stopping: watch::Receiver<bool>,
    _held: mpsc::Sender<()>,
}

/// The end that stops everything.
#[derive(Debug)]
pub struct Trigger {
    stopping: watch::Sender<bool>,
    held: mpsc::Receiver<()>,
}

/// A signal that has not been given yet.
pub fn channel() -> (Trigger, Shutdown) {
    let (sender, stopping) = watch::channel(false);
    let (hold, held) = mpsc::channel(1);
    (Trigger { stopping: sender, held }, Shutdown { stopping, _held: hold })
}

impl Shutdown {
    /// Resolves once the adapter is stopping.
    pub async fn requested(&mut self) {
        // An error means that the trigger is gone, which is a stop as well.
        let _ = self.stopping.wait_for(|stopping| *stopping).await;
    }
}

impl Trigger {
    /// Tells everyone to stop.
    pub fn stop(&self) {
        self.stopping.send_replace(true);
    }

    /// Waits until every `Shutdown` is dropped, though not for ever.
    pub async fn drained(mut self) {
        let _ = tokio::time::timeout(GRACE, self.held.recv()).await;
    }
}

/// Ctrl-C and SIGTERM, heard from the moment this is made: one that comes while the server still starts is no crash.
pub struct Signals {
    #[cfg(unix)]
    interrupt: tokio::signal::unix::Signal,
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    /// Begins to listen.
    pub fn listen() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self { interrupt: signal(SignalKind::interrupt())?, terminate: signal(SignalKind::terminate())? })
    }

    /// Resolves when one has come.
    pub async fn received(&mut self) -> io::Result<()> {
        tokio::select! {
            _ = self.interrupt.recv() => Ok(()),
            _ = self.terminate.recv() => Ok(()),
        }
    }
}

#[cfg(not(unix))]
impl Signals {
    /// Begins to listen.
    pub fn listen() -> io::Result<Self> {
        Ok(Self {})
    }

    /// Resolves when one has come.
    pub async fn received(&mut self) -> io::Result<()> {
        tokio::signal::ctrl_c().await
    }
}
