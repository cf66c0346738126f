//! One chat's transcript: its numbers, the turn that runs, and what of it has to be written. Only the last turn is in
//! memory; everything before it is on disk, and every question about the transcript says which of the two answers it.
//! Knows no disk and no device.

mod entries;
mod row;
mod spans;

use std::sync::Arc;

use iris_core::{
    ids::{AskId, ChatId, TurnId},
    protocol::frame::ServerFrame,
};

use entries::Entries;
pub use entries::Entry;
use spans::Spans;

use crate::journal::{Change, Kept, Range, Span};

/// Frames without a turn that stay in memory.
const LOOSE: usize = 256;
/// Bytes of a text that are not to be said once more at its end for the sake of its last word.
const LONG: usize = 1024;

/// A chat's transcript.
#[derive(Debug)]
pub struct Transcript {
    chat: ChatId,
    spans: Spans,
    last: u64,
    /// Everything up to here is on disk and not in memory; everything after it is in memory.
    floor: u64,
    entries: Entries,
    turn: Option<TurnId>,
    /// What was handed out to be written reaches up to here.
    handed_out: u64,
    /// Numbers that are not known any more, before the frames that changed.
    cuts: Vec<Change>,
}

/// What became of a frame that was written down.
#[derive(Debug)]
pub struct Written {
    /// Its number.
    pub seq: u64,
    /// The same news for those who saw everything before it, if it only adds to a text.
    pub growth: Option<ServerFrame>,
}

/// Where the frames are that a device is missing.
#[derive(Debug, PartialEq)]
pub enum Plan {
    /// All of them are in memory: those after this number, or the whole chat.
    Memory(Option<u64>),
    /// The first of them are on disk.
    Disk(Range),
}

impl Transcript {
    /// An empty transcript whose numbers begin above `base`.
    pub fn new(chat: ChatId, base: u64) -> Self {
        Self {
            chat,
            spans: Spans::new(vec![Span { base, last: base }]),
            last: base,
            floor: 0,
            entries: Entries::default(),
            turn: None,
            handed_out: base,
            cuts: Vec::new(),
        }
    }

    /// A transcript of an earlier life, going on above `base`.
    pub fn restored(kept: &mut Kept, base: u64) -> Self {
        let tail = std::mem::take(&mut kept.tail);
        let on_disk = kept.spans.iter().rev().find(|span| span.base < base).map_or(0, |span| span.last);
        let floor = tail.first().map_or(on_disk, |(seq, _)| seq - 1);
        Self {
            spans: Spans::new(kept.spans.clone()),
            floor,
            entries: Entries::restored(tail),
            turn: kept.turn.clone(),
            ..Self::new(kept.id.clone(), base)
        }
    }

    /// Writes a frame down. `None`: it says nothing new.
    pub fn write(&mut self, frame: ServerFrame) -> Option<Written> {
        let turn = match &frame {
            ServerFrame::TurnStart { turn } => Some(Some(turn.clone())),
            ServerFrame::TurnEnd { .. } => Some(None),
            _ => None,
        };
        let ends = turn == Some(None);
        let growth = self.entries.add(self.last + 1, frame)?;
        self.last += 1;
        self.spans.reach(self.last);
        if let Some(turn) = turn {
            self.turn = turn;
        }
        if ends {
            self.settle_texts();
        }
        Some(Written { seq: self.last, growth })
    }

    /// What a device lacks of a live text of which this is the end: told by itself, it costs little.
    pub fn rest_of_text(&self, frame: &ServerFrame) -> Option<ServerFrame> {
        let ServerFrame::MessageStop { message_id, final_text: Some(text), .. } = frame else { return None };
        let shown = self.entries.live_text(message_id).filter(|shown| shown.len() >= LONG)?;
        let longer = text.len() > shown.len() && text.starts_with(shown);
        longer.then(|| ServerFrame::MessageUpdate { message_id: message_id.clone(), text: text.clone() })
    }

    /// Takes back the frame that was written last; nobody has seen it.
    pub fn take_back(&mut self) {
        self.entries.take_back();
        self.last -= 1;
        self.handed_out = self.handed_out.min(self.last);
        self.spans.reach(self.last);
    }

    /// The turn that is open is told again from its start: what was shown of it goes, but not what users said meanwhile.
    /// `false`: none is open.
    pub fn restart(&mut self) -> bool {
        let Some(start) = self.entries.turn_start().filter(|_| self.turn.is_some()) else { return false };
        self.entries.drop_after(start, |frame| matches!(frame, ServerFrame::UserMessage { .. }));
        self.spans.cut(start);
        self.cuts.push(Change::Unknown(start));
        self.cuts.extend(self.spans.newest().map(Change::Known));
        // A number of its own: the last one that was given out stands for what is gone now.
        self.last += 1;
        self.spans.begin(self.last);
        true
    }

    /// The number of the last frame.
    pub fn last(&self) -> u64 {
        self.last
    }

    /// The turn that runs.
    pub fn turn(&self) -> Option<&TurnId> {
        self.turn.as_ref()
    }

    /// Where the last turn began, if it is in memory.
    pub fn turn_start(&self) -> Option<u64> {
        self.entries.turn_start()
    }

    /// Something is open: a turn, or a question.
    pub fn is_live(&self) -> bool {
        self.turn.is_some() || self.entries.asks()
    }

    /// The question waits for an answer.
    pub fn is_open(&self, ask: &AskId) -> bool {
        self.entries.is_open(ask)
    }

    /// Where to find what a device is missing that has everything up to `after`; of the whole chat `limit` frames do.
    pub fn plan(&self, after: Option<u64>, limit: Option<u32>) -> Plan {
        let after = after.filter(|seq| self.spans.knows(*seq));
        if after.map_or(self.floor == 0, |seq| seq >= self.floor) {
            return Plan::Memory(after);
        }
        let here = u32::try_from(self.entries.list().len()).unwrap_or(u32::MAX);
        Plan::Disk(Range {
            after,
            upto: self.floor,
            limit: limit.map(|limit| limit.saturating_sub(here).max(1)),
        })
    }

    /// The frames in memory after a number, or all of them.
    pub fn in_memory(&self, after: Option<u64>) -> &[Entry] {
        self.entries.after(after.unwrap_or(0))
    }

    /// The newest frame as it stands on the wire.
    pub fn newest_text(&self) -> Option<Arc<str>> {
        self.entries.list().last().map(|entry| entry.text(&self.chat))
    }

    /// The frame is one that may wait a moment before it is written: the next one makes it superfluous.
    pub fn may_wait(frame: &ServerFrame) -> bool {
        matches!(
            frame,
            ServerFrame::MessageUpdate { .. }
                | ServerFrame::ReasoningUpdate { .. }
                | ServerFrame::ToolProgress { .. }
        )
    }

    /// What has to be written so that the disk has everything up to [`Self::last`].
    pub fn take_changes(&mut self) -> Vec<Change> {
        if self.cuts.is_empty() && !self.entries.is_touched() {
            return Vec::new();
        }
        let mut changes = std::mem::take(&mut self.cuts);
        let over = self.turn.is_none();
        for seq in self.entries.take_touched() {
            match self.entries.find(seq) {
                Some(entry) => {
                    changes.push(Change::Put(row::row(&self.chat, entry, &self.entries, over)));
                }
                None if seq <= self.handed_out => changes.push(Change::Drop(seq)),
                None => {}
            }
        }
        changes.extend(self.spans.newest().map(Change::Known));
        self.handed_out = self.last;
        changes
    }

    /// Forgets what is finished and, up to `on_disk`, safely written.
    pub fn forget(&mut self, on_disk: u64) {
        if let Some(start) = self.entries.turn_start().filter(|start| *start <= on_disk)
            && self.entries.list().first().is_some_and(|first| first.seq < start)
        {
            self.floor = start - 1;
        } else if !self.is_live()
            && self.entries.list().len() > LOOSE
            && on_disk >= self.last
            && !self.entries.is_touched()
        {
            self.floor = self.last;
        }
        self.entries.forget(self.floor);
    }

    /// A text that got no end stays as it is, and is searched as it is.
    fn settle_texts(&mut self) {
        self.entries.touch(|entries, entry| match &entry.frame {
            ServerFrame::MessageUpdate { message_id, .. } => !entries.is_stopped(message_id),
            _ => false,
        });
    }
}

#[cfg(test)]
mod tests;
