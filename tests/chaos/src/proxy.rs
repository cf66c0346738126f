//! A wire that can be cut: a TCP proxy in front of the adapter, one for each device. It knows no frame, so a cut falls
//! anywhere, in the middle of one too, and takes what was under way with it.

use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Context;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{
        TcpListener, TcpStream,
        tcp::{OwnedReadHalf, OwnedWriteHalf},
    },
    sync::watch,
    task::JoinHandle,
};

/// A wire to a port of this machine.
#[derive(Debug)]
pub struct Wire {
    port: u16,
    cuts: Arc<Cuts>,
    task: JoinHandle<()>,
}

/// What the two directions of each connection share.
#[derive(Debug)]
struct Cuts {
    /// How many cuts there were: a connection of an earlier count is dead.
    count: watch::Sender<u64>,
    /// Bytes that may still pass before the next cut.
    budget: Mutex<Option<usize>>,
}

impl Wire {
    /// Lays a wire.
    ///
    /// # Errors
    /// When there is no port for it.
    pub async fn to(target: u16) -> anyhow::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.context("a port for a wire")?;
        let port = listener.local_addr()?.port();
        let cuts = Arc::new(Cuts { count: watch::Sender::new(0), budget: Mutex::default() });
        let task = tokio::spawn(accept(listener, target, Arc::clone(&cuts)));
        Ok(Self { port, cuts, task })
    }

    /// Where it begins.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Cuts it after so many more bytes in either direction. It can be connected through again at once.
    pub fn cut_after(&self, bytes: usize) {
        match bytes {
            0 => self.cuts.cut(),
            _ => *self.cuts.budget.lock().unwrap_or_else(PoisonError::into_inner) = Some(bytes),
        }
    }
}

impl Wire {
    /// A cut that is still to come comes now.
    pub fn settle(&self) {
        if self.cuts.budget.lock().unwrap_or_else(PoisonError::into_inner).is_some() {
            self.cuts.cut();
        }
    }
}

impl Drop for Wire {
    fn drop(&mut self) {
        self.task.abort();
        self.cuts.cut();
    }
}

impl Cuts {
    fn cut(&self) {
        *self.budget.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.count.send_modify(|count| *count += 1);
    }

    /// How many of these bytes pass.
    fn pass(&self, bytes: usize) -> usize {
        let mut budget = self.budget.lock().unwrap_or_else(PoisonError::into_inner);
        let passing = budget.map_or(bytes, |left| left.min(bytes));
        if let Some(left) = budget.as_mut() {
            *left -= passing;
        }
        passing
    }
}

async fn accept(listener: TcpListener, target: u16, cuts: Arc<Cuts>) {
    while let Ok((near, _)) = listener.accept().await {
        let cuts = Arc::clone(&cuts);
        tokio::spawn(async move {
            // An adapter that is not there refuses; so does the wire, by closing.
            if let Ok(far) = TcpStream::connect(("127.0.0.1", target)).await {
                join(near, far, &cuts).await;
            }
        });
    }
}

async fn join(near: TcpStream, far: TcpStream, cuts: &Cuts) {
    let mut cut = cuts.count.subscribe();
    let _nodelay = (near.set_nodelay(true), far.set_nodelay(true));
    let (near_read, near_write) = near.into_split();
    let (far_read, far_write) = far.into_split();
    tokio::select! {
        () = copy(near_read, far_write, cuts) => {}
        () = copy(far_read, near_write, cuts) => {}
        _ = cut.changed() => {}
    }
}

/// Copies until one side is gone or the wire is cut.
async fn copy(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, cuts: &Cuts) {
    let mut buffer = vec![0; 16 * 1024];
    loop {
        let Ok(read @ 1..) = from.read(&mut buffer).await else { return };
        let passing = cuts.pass(read);
        if to.write_all(buffer.get(..passing).unwrap_or_default()).await.is_err() {
            return;
        }
        if passing < read {
            return cuts.cut();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn echo() -> anyhow::Result<u16> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let port = listener.local_addr()?.port();
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                tokio::spawn(async move {
                    let (mut read, mut write) = stream.split();
                    let _ = tokio::io::copy(&mut read, &mut write).await;
                });
            }
        });
        Ok(port)
    }

    #[tokio::test]
    async fn a_cut_falls_in_the_middle_and_the_next_connection_is_whole() -> anyhow::Result<()> {
        let wire = Wire::to(echo().await?).await?;
        let mut stream = TcpStream::connect(("127.0.0.1", wire.port())).await?;
        stream.write_all(b"hello").await?;
        let mut read = [0; 5];
        stream.read_exact(&mut read).await?;
        wire.cut_after(8);
        stream.write_all(b"hello").await?;
        let mut rest = Vec::new();
        let _ended = stream.read_to_end(&mut rest).await;
        assert_eq!(rest, b"hel", "five there, three back");

        let mut stream = TcpStream::connect(("127.0.0.1", wire.port())).await?;
        stream.write_all(b"again").await?;
        stream.read_exact(&mut read).await?;
        assert_eq!(&read, b"again");
        wire.cut_after(0);
        assert_eq!(stream.read(&mut read).await.unwrap_or(0), 0);
        Ok(())
    }
}
