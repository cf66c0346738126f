//! A chat's state and the way of a frame through it: is it new, what does it say, what changes.

use std::collections::HashMap;

use super::item::{Change, FileItem, Item, ItemKey};
use super::older::Places;
use super::rows::Rows;
use super::turn::{End, Turn};
use crate::ids::MessageId;
use crate::protocol::frame::{Envelope, ServerFrame, TurnStatus};

/// A chat that still jumps in its numbers after so many syncs is numbered with jumps.
const MAX_GAP_SYNCS: u8 = 3;

/// One chat as it is shown.
///
/// `apply` takes frames in the order of their arrival; every change is handed out once.
#[derive(Debug)]
pub struct Timeline {
    pub(super) rows: Rows,
    pub(super) turn: Turn,
    pub(super) messages: HashMap<MessageId, Known>,
    pub(super) typing: bool,
    pub(super) running: bool,
    /// Live texts are shown while they grow.
    pub(super) streaming: bool,
    /// Texts that grow unseen, because streaming is off.
    pub(super) held: Vec<Held>,
    /// What follows is history.
    pub(super) syncing: Option<u64>,
    /// The adapter names its chat: a frame without one is about the connection.
    named: bool,
    seq: Option<u64>,
    /// There is more before the first row.
    pub(super) before_seq: Option<u64>,
    pub(super) places: Places,
    /// Something is missing: only a sync from the beginning helps.
    gap: bool,
    gap_syncs: u8,
}

/// A message that has a row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    pub(super) key: ItemKey,
    /// Its end was said, not only assumed: no update can change it.
    pub(super) complete: bool,
    /// It was live when the connection was lost: an older snapshot of it may come first.
    pub(super) resumed: bool,
}

/// A text that grows unseen.
#[derive(Debug)]
pub(super) struct Held {
    pub(super) id: MessageId,
    pub(super) text: String,
    pub(super) reasoning: String,
}

impl Default for Timeline {
    fn default() -> Self {
        Self::new()
    }
}

impl Timeline {
    /// An empty chat, streaming on.
    pub fn new() -> Self {
        Self {
            rows: Rows::default(),
            turn: Turn::default(),
            messages: HashMap::new(),
            typing: false,
            running: false,
            streaming: true,
            held: Vec::new(),
            syncing: None,
            named: false,
            seq: None,
            before_seq: None,
            places: Places::default(),
            gap: false,
            gap_syncs: 0,
        }
    }

    /// The rows as they are now.
    pub fn items(&self) -> &[Item] {
        self.rows.items()
    }

    /// A turn runs.
    pub fn running(&self) -> bool {
        self.running
    }

    /// What to ask for in `subscribe`: everything after this number; all of it when `None`.
    pub fn after_seq(&self) -> Option<u64> {
        if self.gap { None } else { self.seq }
    }

    /// Takes a frame of this chat and says what it changes.
    pub fn apply(&mut self, envelope: &Envelope) -> Vec<Change> {
        self.named |= envelope.chat.is_some();
        // An acknowledgement carries the number of the message that it is about, which may be old or still to come.
        let reply = matches!(envelope.frame, ServerFrame::Ack { .. });
        if reply || self.is_new(envelope.seq) {
            match &envelope.frame {
                ServerFrame::Error { code, text, re } => {
                    let about_turn = re.is_none() && envelope.chat.is_some() == self.named;
                    self.error(code, text, re.as_deref(), about_turn);
                }
                ServerFrame::Ack { client_id, message_id } => self.ack(client_id, message_id, envelope.seq),
                frame => self.frame(frame),
            }
        }
        let changes = self.rows.take();
        if !reply {
            self.places.note(envelope.seq, &changes);
        }
        changes
    }

    /// Turns streaming on or off. Off: texts are shown when they are complete.
    pub fn set_streaming(&mut self, on: bool) -> Vec<Change> {
        self.streaming = on;
        if on {
            self.show_held();
        }
        self.rows.take()
    }

    /// The socket is gone. A chat without numbers cannot be resumed: what was open there is lost.
    pub fn connection_lost(&mut self) -> Vec<Change> {
        self.syncing = None;
        self.set_typing(false);
        match self.seq {
            None if self.turn.open => self.lose(),
            _ => self.expect_older(),
        }
        self.rows.take()
    }

    /// The adapter says that no turn runs here although one is open: its end was missed.
    pub fn no_turn_runs(&mut self) -> Vec<Change> {
        if self.turn.open {
            self.lose();
        }
        self.rows.take()
    }

    fn lose(&mut self) {
        self.close(TurnStatus::Lost);
        self.tell_end(&End {
            status: TurnStatus::Lost,
            exit_code: None,
            error: None,
            model: None,
            tokens: None,
            duration_ms: None,
        });
    }

    /// Whether a frame with this number is news; notices when one before it is missing.
    fn is_new(&mut self, seq: Option<u64>) -> bool {
        let Some(seq) = seq else { return true };
        if self.seq.is_some_and(|last| seq <= last) {
            return false;
        }
        // In a sync numbers jump: what was compacted away has none.
        let jumped = self.syncing.is_none() && self.seq.is_some_and(|last| seq > last + 1);
        if jumped && self.gap_syncs < MAX_GAP_SYNCS && !self.gap {
            self.gap_syncs += 1;
            self.missing();
        }
        self.seq = Some(seq);
        true
    }

    /// The frame with this number is still to come.
    pub(super) fn awaits(&self, seq: u64) -> bool {
        self.seq.is_none_or(|last| seq > last)
    }

    /// Something is missing. Said once until a sync begins.
    pub(super) fn missing(&mut self) {
        if !self.gap {
            self.gap = true;
            self.rows.say(Change::Resync);
        }
    }

    fn frame(&mut self, frame: &ServerFrame) {
        match frame {
            ServerFrame::SyncBegin { reset, to_seq, before_seq } => {
                self.sync_begin(*reset, *to_seq, *before_seq);
            }
            ServerFrame::HistoryPage { before_seq, frames } => self.page(*before_seq, frames),
            ServerFrame::SyncEnd => self.sync_end(),
            ServerFrame::UserMessage { message_id, client_id, text, attachments, .. } => {
                self.user_message(message_id, client_id.as_ref(), text, attachments);
            }
            ServerFrame::File { message_id, file, caption } => {
                self.file(FileItem {
                    message_id: message_id.clone(),
                    file: file.clone(),
                    caption: caption.clone(),
                });
            }
            ServerFrame::TurnStart { turn } => self.turn_start(turn),
            ServerFrame::TurnEnd { turn, status, exit_code, error, model, tokens, duration_ms } => {
                let end = End {
                    status: *status,
                    exit_code: *exit_code,
                    error: error.as_deref(),
                    model: model.as_deref(),
                    tokens: *tokens,
                    duration_ms: *duration_ms,
                };
                self.turn_end(turn, &end);
            }
            ServerFrame::Typing { on } => self.typing_frame(*on),
            ServerFrame::ToolStart { .. }
            | ServerFrame::ToolProgress { .. }
            | ServerFrame::ToolEnd { .. } => {
                self.tool_frame(frame);
            }
            ServerFrame::Notice { .. } | ServerFrame::Ask { .. } | ServerFrame::AskClosed { .. } => {
                self.notice_frame(frame);
            }
            // About the connection or the list of chats, or from a later version.
            ServerFrame::Hello { .. }
            | ServerFrame::BackendUpdated { .. }
            | ServerFrame::SearchResult { .. }
            | ServerFrame::ChatUpdated { .. }
            | ServerFrame::ChatRemoved
            | ServerFrame::Pong { .. }
            | ServerFrame::Ack { .. }
            | ServerFrame::Unknown { .. } => {}
            _ => self.message_frame(frame),
        }
    }

    fn sync_begin(&mut self, reset: bool, to_seq: u64, before_seq: Option<u64>) {
        self.syncing = Some(to_seq);
        self.gap = false;
        if reset {
            self.reset();
            self.before_seq = before_seq;
        }
    }

    /// Everything goes but what only this device has.
    fn reset(&mut self) {
        self.seq = None;
        self.places = Places::default();
        self.turn = Turn::default();
        self.messages.clear();
        self.held.clear();
        for message in self.rows.clear() {
            self.rows.push_last(super::ItemKind::User(message));
        }
        self.set_typing(false);
        self.set_running(false);
    }

    fn sync_end(&mut self) {
        if let Some(to_seq) = self.syncing.take() {
            self.seq = self.seq.max(Some(to_seq));
        }
    }
}
