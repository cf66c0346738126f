//! The frames of a transcript that are in memory: a list in the order of their numbers, what is asked of it, and which of
//! them changed. What a later frame makes superfluous is `superseded.rs`.
//!
//! Every frame keeps the number under which it was sent, so that what is left is still strictly increasing and a
//! device that was away needs exactly the frames above the last number it has: the newest state of a live message,
//! the final text of a finished one.

mod superseded;

use std::{
    collections::BTreeSet,
    mem,
    sync::{Arc, OnceLock},
};

use iris_core::{
    ids::{AskId, ChatId, MessageId},
    protocol::frame::ServerFrame,
};

use crate::hub::fanout::spell;
use superseded::{Superseded, growth, text_of};

/// The frames, and which of them changed since that was last asked.
#[derive(Debug, Default)]
pub(super) struct Entries {
    list: Vec<Entry>,
    touched: BTreeSet<u64>,
}

/// A frame with its number.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Its number.
    pub seq: u64,
    /// The frame.
    pub frame: ServerFrame,
    text: OnceLock<Arc<str>>,
}

impl Entry {
    pub(super) fn new(seq: u64, frame: ServerFrame) -> Self {
        Self { seq, frame, text: OnceLock::new() }
    }

    /// The frame as it stands on the wire, spelled out once.
    pub fn text(&self, chat: &ChatId) -> Arc<str> {
        self.text.get_or_init(|| spell(chat, Some(self.seq), &self.frame)).clone()
    }
}

impl Entries {
    /// Frames that are on disk already.
    pub(super) fn restored(frames: Vec<(u64, ServerFrame)>) -> Self {
        let list = frames.into_iter().map(|(seq, frame)| Entry::new(seq, frame)).collect();
        Self { list, touched: BTreeSet::new() }
    }

    /// Adds a frame. `None`: it says nothing new. Otherwise the same news for those who saw everything before it, if it
    /// only adds to a text.
    pub(super) fn add(&mut self, seq: u64, frame: ServerFrame) -> Option<Option<ServerFrame>> {
        let end = self.end_of_shown(&frame);
        let growth = match self.supersede(&frame) {
            Superseded::Same => return None,
            Superseded::Text(before) => growth(&before, &frame),
            Superseded::Nothing => end,
        };
        self.touched.insert(seq);
        self.list.push(Entry::new(seq, frame));
        Some(growth)
    }

    /// Takes the newest frame back.
    pub(super) fn take_back(&mut self) {
        if let Some(entry) = self.list.pop() {
            self.touched.remove(&entry.seq);
        }
    }

    pub(super) fn list(&self) -> &[Entry] {
        &self.list
    }

    /// The frames after a number.
    pub(super) fn after(&self, seq: u64) -> &[Entry] {
        let from = self.list.partition_point(|entry| entry.seq <= seq);
        self.list.get(from..).unwrap_or_default()
    }

    pub(super) fn find(&self, seq: u64) -> Option<&Entry> {
        let at = self.list.binary_search_by_key(&seq, |entry| entry.seq).ok()?;
        self.list.get(at)
    }

    /// Which frames came, changed or went since this was last asked.
    pub(super) fn take_touched(&mut self) -> BTreeSet<u64> {
        mem::take(&mut self.touched)
    }

    pub(super) fn is_touched(&self) -> bool {
        !self.touched.is_empty()
    }

    /// Frames that are to be written again although they did not change.
    pub(super) fn touch(&mut self, which: impl Fn(&Self, &Entry) -> bool) {
        let again: Vec<_> =
            self.list.iter().filter(|entry| which(self, entry)).map(|entry| entry.seq).collect();
        self.touched.extend(again);
    }

    /// Takes out the frames after a number that are not to stay.
    pub(super) fn drop_after(&mut self, seq: u64, stays: impl Fn(&ServerFrame) -> bool) {
        let touched = &mut self.touched;
        self.list.retain(|entry| {
            let keep = entry.seq <= seq || stays(&entry.frame);
            if !keep {
                touched.insert(entry.seq);
            }
            keep
        });
    }

    /// Forgets the frames up to a number: they are on disk.
    pub(super) fn forget(&mut self, upto: u64) {
        self.list.retain(|entry| entry.seq > upto);
    }

    /// The number of the newest `turn.start`.
    pub(super) fn turn_start(&self) -> Option<u64> {
        let start = |entry: &&Entry| matches!(entry.frame, ServerFrame::TurnStart { .. });
        self.list.iter().rev().find(start).map(|entry| entry.seq)
    }

    /// The question waits for an answer.
    pub(super) fn is_open(&self, ask: &AskId) -> bool {
        self.open_ask(|ask_id| ask_id == ask)
    }

    /// Some question waits for an answer.
    pub(super) fn asks(&self) -> bool {
        self.list.iter().any(|entry| match &entry.frame {
            ServerFrame::Ask { ask_id, .. } => self.is_open(ask_id),
            _ => false,
        })
    }

    fn open_ask(&self, is: impl Fn(&AskId) -> bool) -> bool {
        let state = self.list.iter().rev().find_map(|entry| match &entry.frame {
            ServerFrame::Ask { ask_id, .. } if is(ask_id) => Some(true),
            ServerFrame::AskClosed { ask_id, .. } if is(ask_id) => Some(false),
            ServerFrame::TurnEnd { .. } => Some(false),
            _ => None,
        });
        state.unwrap_or(false)
    }

    /// The text that a message shows live, unless its end came.
    pub(super) fn live_text(&self, id: &MessageId) -> Option<&str> {
        self.list.iter().rev().find_map(|entry| text_of(&entry.frame, id)).map(String::as_str)
    }

    /// The message's end came.
    pub(super) fn is_stopped(&self, id: &MessageId) -> bool {
        self.list.iter().any(
            |entry| matches!(&entry.frame, ServerFrame::MessageStop { message_id, .. } if message_id == id),
        )
    }
}
