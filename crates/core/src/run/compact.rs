//! Frames of the past in their compacted form: what a text was while it grew goes, what became of it stays. The rows that
//! they make are the same.

use std::mem;

use super::checkpoint::Checkpoint;
use super::player::Played;
use crate::ids::{MessageId, TurnId};
use crate::protocol::frame::{Envelope, ServerFrame};

/// Frames that are compacted while they come.
#[derive(Clone, Debug, Default)]
pub(super) struct Compact {
    frames: Vec<Played>,
    /// A turn with an id is open: its end is said. One without ends when the agent rests, so that is told in its place.
    named: bool,
    typing: Option<bool>,
}

impl Compact {
    /// Frames that follow a checkpoint. Where that stands inside a turn, the turn opens again; it began at that time of
    /// the run.
    pub(super) fn after(point: &Checkpoint, began_ms: u64) -> Self {
        let open = |turn: &TurnId| {
            let frame = ServerFrame::TurnStart { turn: turn.clone() };
            Played { at_ms: began_ms, frame: Envelope { chat: None, seq: None, frame } }
        };
        let frames: Vec<Played> = point.decoder.turn().map(open).into_iter().collect();
        let named = !frames.is_empty();
        Self { named, typing: named.then_some(true), frames }
    }

    pub(super) fn push(&mut self, at_ms: u64, envelope: Envelope) {
        match &envelope.frame {
            ServerFrame::Typing { on } if self.named => {
                self.typing = Some(*on);
                return;
            }
            ServerFrame::TurnStart { .. } => self.named = true,
            ServerFrame::TurnEnd { .. } => self.named = false,
            _ => {}
        }
        if let ServerFrame::MessageStop { message_id, final_text: Some(_), .. } = &envelope.frame {
            while self.frames.last().is_some_and(|last| is_text_of(&last.frame.frame, message_id)) {
                self.frames.pop();
            }
        }
        if let Some(last) = self.frames.last_mut()
            && merge(&mut last.frame.frame, &envelope.frame)
        {
            (last.at_ms, last.frame.seq) = (at_ms, envelope.seq);
            return;
        }
        self.frames.push(Played { at_ms, frame: envelope });
    }

    /// What is left, and whether the agent is at work, if that was said.
    pub(super) fn take(&mut self) -> (Vec<Played>, Option<bool>) {
        (mem::take(&mut self.frames), self.typing.take())
    }
}

fn is_text_of(frame: &ServerFrame, id: &MessageId) -> bool {
    match frame {
        ServerFrame::MessageStart { message_id, .. }
        | ServerFrame::MessageUpdate { message_id, .. }
        | ServerFrame::MessageAppend { message_id, .. } => message_id == id,
        _ => false,
    }
}

/// Puts two frames of one growing text into the first; `false` if they are none.
fn merge(last: &mut ServerFrame, next: &ServerFrame) -> bool {
    use ServerFrame as F;
    match (last, next) {
        (F::MessageUpdate { message_id, text }, F::MessageAppend { message_id: id, at, text: more })
        | (F::ReasoningUpdate { message_id, text }, F::ReasoningAppend { message_id: id, at, text: more })
            if message_id == id && *at == text.len() as u64 =>
        {
            text.push_str(more);
            true
        }
        (
            F::MessageAppend { message_id, at, text },
            F::MessageAppend { message_id: id, at: then, text: more },
        )
        | (
            F::ReasoningAppend { message_id, at, text },
            F::ReasoningAppend { message_id: id, at: then, text: more },
        ) if message_id == id && *then == at.saturating_add(text.len() as u64) => {
            text.push_str(more);
            true
        }
        (F::MessageUpdate { message_id, text }, F::MessageUpdate { message_id: id, text: now })
        | (F::ReasoningUpdate { message_id, text }, F::ReasoningUpdate { message_id: id, text: now })
            if message_id == id =>
        {
            text.clone_from(now);
            true
        }
        _ => false,
    }
}
