//! When a chat's changes are written: most of them at once, live texts after a moment, since the next snapshot makes each
//! superfluous. At most one write of a chat is on its way that nobody waits for, so that a slow disk makes the next one
//! larger and not the queue longer.

use std::{sync::Arc, time::Duration};

use tokio::{
    sync::oneshot,
    time::{Instant, sleep_until},
};

use super::transcript::Transcript;
use crate::journal::{Change, ChatKey, Done, Journal, Reached, Trouble, What, Write};

/// How long a live text may be ahead of the disk.
const MOMENT: Duration = Duration::from_millis(250);

/// A chat's line to the journal.
pub(super) struct Keeper {
    journal: Arc<dyn Journal>,
    key: ChatKey,
    reached: Arc<Reached>,
    /// What was given to be written reaches up to here.
    given: u64,
    due: Option<Instant>,
    /// Changes that are about no frame.
    beside: Vec<Change>,
}

impl Keeper {
    /// Of a chat of which the disk has everything up to `on_disk`.
    pub(super) fn new(journal: Arc<dyn Journal>, key: ChatKey, on_disk: u64) -> Self {
        let reached = Arc::new(Reached::new(on_disk));
        Self { journal, key, reached, given: on_disk, due: None, beside: Vec::new() }
    }

    pub(super) fn key(&self) -> ChatKey {
        self.key
    }

    /// Up to which number the disk has everything.
    pub(super) fn on_disk(&self) -> u64 {
        self.reached.seq()
    }

    /// Something is to be written, now or in a moment.
    pub(super) fn note(&mut self, may_wait: bool) {
        let at = Instant::now() + if may_wait { MOMENT } else { Duration::ZERO };
        self.due = Some(self.due.map_or(at, |due| due.min(at)));
    }

    /// Something beside the frames is to be written.
    pub(super) fn add(&mut self, change: Change) {
        self.beside.push(change);
        self.note(false);
    }

    /// Waits until there is something to do: [`Self::tend`].
    pub(super) async fn ready(&self) {
        if self.on_disk() < self.given {
            return self.reached.changed().await;
        }
        match self.due {
            Some(due) => sleep_until(due).await,
            None => std::future::pending().await,
        }
    }

    /// Writes what is due, unless something is on its way.
    pub(super) fn tend(&mut self, transcript: &mut Transcript) {
        let due = self.due.is_some_and(|due| due <= Instant::now());
        if due && self.on_disk() >= self.given {
            self.flush(transcript);
        }
    }

    /// Writes everything.
    pub(super) fn flush(&mut self, transcript: &mut Transcript) {
        self.due = None;
        let mut changes = transcript.take_changes();
        changes.append(&mut self.beside);
        if changes.is_empty() {
            return;
        }
        self.given = transcript.last();
        self.write(changes, Done::Reached(self.reached.clone(), self.given));
    }

    /// Writes everything, and waits until it would survive a power cut. When it does not, what was written down since
    /// `flush` is not on disk, and never will be.
    pub(super) async fn commit(
        &mut self,
        transcript: &mut Transcript,
        more: Vec<Change>,
    ) -> Result<(), Trouble> {
        let mut changes = transcript.take_changes();
        changes.extend(more);
        let (answer, answered) = oneshot::channel();
        self.write(changes, Done::Answer(answer));
        let result = answered.await.unwrap_or_else(|_| Err(gone()));
        if result.is_ok() {
            self.given = self.given.max(transcript.last());
            self.reached.raise(transcript.last());
        }
        result
    }

    /// Writes this now, for somebody who waits for it.
    pub(super) fn write(&self, changes: Vec<Change>, done: Done) {
        self.journal.write(Write { what: What::Change(self.key, changes), done });
    }
}

/// Everything that was given to this journal is on disk when this returns.
pub(super) async fn settled(journal: &Arc<dyn Journal>) -> Result<(), Trouble> {
    written(journal, What::Nothing).await
}

/// Writes something and waits for it.
pub(super) async fn written(journal: &Arc<dyn Journal>, what: What) -> Result<(), Trouble> {
    let (answer, answered) = oneshot::channel();
    journal.write(Write { what, done: Done::Answer(answer) });
    answered.await.unwrap_or_else(|_| Err(gone()))
}

fn gone() -> Trouble {
    Trouble::Other("the journal is closed".to_owned())
}
