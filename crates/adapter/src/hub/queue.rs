//! What waits to be written to one socket: so many frames, so many bytes, and not more. Who finds no place has to come back
//! later with something shorter (`fanout.rs`).

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use iris_core::protocol::codec::Growth;
use tokio::sync::mpsc::{self, Receiver, Sender, error::TrySendError};

/// Bytes that may wait for a socket. What is longer than that alone finds its place when nothing else waits.
const MAX_BYTES: usize = 1 << 20;

/// What waits to be written to a socket.
#[derive(Clone, Debug)]
pub enum Outgoing {
    /// One frame.
    One(Arc<str>),
    /// What a text grew by: the socket spells it, short where what it said last allows it.
    Growth(Arc<Growth>),
    /// A whole catch-up: it takes one place in the queue, however long it is.
    Many(Vec<Arc<str>>),
}

impl Outgoing {
    fn bytes(&self) -> usize {
        match self {
            Self::One(text) => text.len(),
            Self::Growth(growth) => growth.whole.len(),
            Self::Many(texts) => texts.iter().map(|text| text.len()).sum(),
        }
    }
}

/// Why something was not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// Too much waits already.
    Full,
    /// Nobody writes any more.
    Gone,
}

/// The end of the queue where things are put.
#[derive(Clone, Debug)]
pub struct Line {
    queue: Sender<Outgoing>,
    bytes: Arc<AtomicUsize>,
}

/// The end from which the socket takes them.
#[derive(Debug)]
pub struct Waiting {
    queue: Receiver<Outgoing>,
    bytes: Arc<AtomicUsize>,
}

/// A queue with so many places.
pub fn queue(places: usize) -> (Line, Waiting) {
    let (sender, receiver) = mpsc::channel(places);
    let bytes = Arc::<AtomicUsize>::default();
    (Line { queue: sender, bytes: bytes.clone() }, Waiting { queue: receiver, bytes })
}

impl Line {
    /// Puts it at the end, if there is a place.
    pub fn offer(&self, what: Outgoing) -> Result<(), Refused> {
        if self.bytes.load(Ordering::Relaxed) > MAX_BYTES {
            return Err(self.refused());
        }
        let bytes = what.bytes();
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
        self.queue.try_send(what).map_err(|error| {
            self.bytes.fetch_sub(bytes, Ordering::Relaxed);
            match error {
                TrySendError::Full(_) => Refused::Full,
                TrySendError::Closed(_) => Refused::Gone,
            }
        })
    }

    /// Puts it at the end, as soon as there is a place.
    pub async fn put(&self, what: Outgoing) {
        let bytes = what.bytes();
        if let Ok(place) = self.queue.reserve().await {
            self.bytes.fetch_add(bytes, Ordering::Relaxed);
            place.send(what);
        }
    }

    /// There is a place.
    pub fn has_room(&self) -> bool {
        self.queue.capacity() > 0 && self.bytes.load(Ordering::Relaxed) <= MAX_BYTES
    }

    /// Nobody writes any more.
    pub fn is_gone(&self) -> bool {
        self.queue.is_closed()
    }

    fn refused(&self) -> Refused {
        if self.is_gone() { Refused::Gone } else { Refused::Full }
    }
}

impl Waiting {
    /// The next thing to write.
    pub async fn next(&mut self) -> Option<Outgoing> {
        let next = self.queue.recv().await?;
        self.took(&next);
        Some(next)
    }

    /// The next thing to write, if one waits.
    #[cfg(test)]
    pub(super) fn try_next(&mut self) -> Option<Outgoing> {
        let next = self.queue.try_recv().ok()?;
        self.took(&next);
        Some(next)
    }

    fn took(&self, what: &Outgoing) {
        self.bytes.fetch_sub(what.bytes(), Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neither_many_frames_nor_long_ones_pile_up() {
        let one = |bytes: usize| Outgoing::One("x".repeat(bytes).into());
        let (line, mut waiting) = queue(2);
        assert_eq!([line.offer(one(1)), line.offer(one(1))], [Ok(()), Ok(())]);
        assert_eq!(line.offer(one(1)), Err(Refused::Full));
        waiting.try_next().unwrap();
        assert_eq!(line.offer(one(2 * MAX_BYTES)), Ok(()), "a long one goes when little waits");
        waiting.try_next().unwrap();
        assert_eq!((line.offer(one(1)), line.has_room()), (Err(Refused::Full), false));
        waiting.try_next().unwrap();
        assert_eq!((line.offer(one(1)), line.has_room()), (Ok(()), true));
        drop(waiting);
        assert_eq!((line.offer(one(1)), line.is_gone()), (Err(Refused::Gone), true));
    }
}
