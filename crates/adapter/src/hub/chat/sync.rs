//! Bringing devices up to date: from memory at once, from disk while the chat goes on. Devices that miss the same share one
//! reading of it.

use std::collections::HashMap;

use iris_core::protocol::{
    codec::decode_server,
    frame::{Envelope, ServerFrame},
};
use tokio::task::JoinSet;

use super::{Chat, Peer};
use crate::{
    hub::{
        fanout::{CatchUp, spell},
        keeper::settled,
        queue::Outgoing,
        transcript::Plan,
    },
    journal::{Answer, Page, Range, Trouble},
};

/// What is read for whom.
#[derive(Debug, Default)]
pub(super) struct Fetches {
    running: JoinSet<Fetched>,
    waiting: HashMap<Range, Vec<u64>>,
}

/// What was read.
type Fetched = (Range, Result<Page, Trouble>);

impl Fetches {
    pub(super) fn is_empty(&self) -> bool {
        self.running.is_empty()
    }

    fn add(&mut self, range: Range, peer: u64, read: impl FnOnce() -> Answer<Page>) {
        let waiting = self.waiting.entry(range).or_default();
        if waiting.is_empty() {
            let answer = read();
            self.running.spawn(async move { (range, answer.await) });
        }
        waiting.push(peer);
    }

    /// The next thing that was read.
    pub(super) async fn next(&mut self) -> Fetched {
        loop {
            match self.running.join_next().await {
                Some(Ok(fetched)) => return fetched,
                // Reading panics nowhere; if it did, those who wait would ask again on their next subscription.
                Some(Err(error)) => tracing::error!(%error, "a reading ended without an answer"),
                None => std::future::pending().await,
            }
        }
    }
}

impl Chat {
    /// Brings everyone up to date who is behind and has room.
    pub(super) fn catch_up(&mut self) {
        for want in self.fanout.wants() {
            match self.transcript.plan(want.after, want.limit) {
                Plan::Memory(after) => {
                    let catch_up = self.bring(after, Page { whole: after.is_none(), ..Page::default() });
                    self.fanout.catch_up(want.peer, &catch_up);
                }
                Plan::Disk(range) => {
                    self.fanout.set_fetching(want.peer, true);
                    let (journal, key) = (&self.around.journal, self.keeper.key());
                    self.fetches.add(range, want.peer, || journal.page(key, range));
                }
            }
        }
    }

    /// What was read is handed to those who waited for it, with what is in memory.
    pub(super) fn fetched(&mut self, (range, result): Fetched) {
        let peers = self.fetches.waiting.remove(&range).unwrap_or_default();
        let wants = self.fanout.fetching(&peers);
        let catch_up = result.map(|page| self.bring(None, page));
        for want in wants {
            // What is known may have changed while it was read.
            let same = self.transcript.plan(want.after, want.limit) == Plan::Disk(range);
            match &catch_up {
                Ok(catch_up) if same => self.fanout.catch_up(want.peer, catch_up),
                Ok(_) => self.fanout.set_fetching(want.peer, false),
                Err(trouble) => self.give_up(want.peer, trouble),
            }
        }
        self.tend();
    }

    /// A device that cannot be brought up to date is told so, and hears no more of a chat that it would see with a gap.
    fn give_up(&mut self, peer: u64, trouble: &Trouble) {
        tracing::error!(chat = %self.id, %trouble, "the journal cannot be read");
        if let Some(peer) = self.fanout.leave(peer) {
            let text = format!("This chat cannot be read: {trouble}. Open it again later.");
            self.refuse(&peer, "not_read", &text, "subscribe");
        }
    }

    /// The page, and what memory has after a number.
    fn bring(&self, after: Option<u64>, page: Page) -> CatchUp {
        let mut frames = page.frames;
        frames.extend(self.transcript.in_memory(after).iter().map(|entry| entry.text(&self.id)));
        CatchUp {
            reset: page.whole,
            before: page.before,
            frames,
            to_seq: self.transcript.last(),
            typing: self.typing,
        }
    }

    /// Sends older frames to a device.
    pub(super) fn history(&mut self, peer: Peer, before: u64, limit: u32) {
        let upto = before.saturating_sub(1).min(self.transcript.last());
        let behind = self.keeper.on_disk() < upto;
        if behind {
            self.keeper.flush(&mut self.transcript);
        }
        let (journal, chat) = (self.around.journal.clone(), self.id.clone());
        let key = self.key();
        tokio::spawn(async move {
            let read = async {
                if behind {
                    settled(&journal).await?;
                }
                journal.page(key, Range { after: None, upto, limit: Some(limit) }).await
            };
            let frame = match read.await {
                Ok(page) => history_page(&page),
                Err(trouble) => ServerFrame::Error {
                    code: "not_read".to_owned(),
                    text: format!("The older messages cannot be read: {trouble}."),
                    re: Some("history".to_owned()),
                },
            };
            peer.line.put(Outgoing::One(spell(&chat, None, &frame))).await;
        });
    }
}

fn history_page(page: &Page) -> ServerFrame {
    let frames = page.frames.iter().filter_map(|text| decode_server(text).ok());
    let frames = frames.map(|envelope| Envelope { chat: None, ..envelope }).collect();
    ServerFrame::HistoryPage { before_seq: page.before, frames }
}
