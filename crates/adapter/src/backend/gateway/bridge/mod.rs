//! The line to the `iris` plugin inside Hermes' gateway: it connects to a port of this machine's loopback, both sides prove
//! that they know the token, then it tells every line of what Hermes does and takes messages. Owns who is connected and
//! which chat a line is for; what the lines mean is `live/`.
//!
//! One plugin at a time: the newest wins, because an older one can only be a gateway that is about to end.

mod connection;
mod proof;
mod switchboard;
mod wire;

use std::{io, net::SocketAddr, sync::Arc, time::Duration};

use tokio::{
    net::{TcpListener, TcpStream},
    sync::Semaphore,
    task::JoinHandle,
    time::sleep,
};

pub(super) use switchboard::{Plugin, Switchboard, ToChat};
pub(super) use wire::{Handed, Medium};

/// Connections that may try to prove themselves at one time.
const GUESTS: usize = 8;
/// How long to wait when the system cannot accept a connection just now.
const BREATH: Duration = Duration::from_millis(100);

/// The listening end. Dropping it closes the port and the line.
#[derive(Debug)]
pub(super) struct Bridge {
    address: SocketAddr,
    task: JoinHandle<()>,
}

impl Bridge {
    /// Listens on a port of the loopback; nobody is answered before [`Switchboard::open`].
    pub(super) fn listen(port: u16, token: String, board: Arc<Switchboard>) -> io::Result<Self> {
        let listener = std::net::TcpListener::bind(SocketAddr::from(([127, 0, 0, 1], port)))?;
        listener.set_nonblocking(true)?;
        let listener = TcpListener::from_std(listener)?;
        let address = listener.local_addr()?;
        let task = tokio::spawn(accept(listener, Arc::from(token), board));
        Ok(Self { address, task })
    }

    /// Where it listens.
    pub(super) fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for Bridge {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn accept(listener: TcpListener, token: Arc<str>, board: Arc<Switchboard>) {
    board.opened().await;
    let guests = Arc::new(Semaphore::new(GUESTS));
    // Aborts its tasks when this one is aborted.
    let mut connections = tokio::task::JoinSet::new();
    loop {
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            Err(error) => {
                tracing::warn!(%error, "the bridge cannot accept a connection");
                sleep(BREATH).await;
                continue;
            }
        };
        while connections.try_join_next().is_some() {}
        let Ok(place) = guests.clone().try_acquire_owned() else { continue };
        connections.spawn(serve(stream, token.clone(), board.clone(), place));
    }
}

async fn serve(
    stream: TcpStream,
    token: Arc<str>,
    board: Arc<Switchboard>,
    place: tokio::sync::OwnedSemaphorePermit,
) {
    match connection::shake_hands(stream, &token, &board).await {
        Ok(connection) => {
            if connection.is_courier() {
                connection.deliver(&board).await;
            } else {
                drop(place);
                connection.serve(board).await;
            }
        }
        Err(error) => tracing::warn!(%error, "something that is not the Iris plugin knocked at the bridge"),
    }
}
