//! [`Open`]: what of a chat is open after some frames. Owns the question where a transcript may be cut without parting what
//! belongs together: between turns, or inside one before a text, while nothing but the turn itself is open.

use crate::ids::{AskId, MessageId, ToolIndex, TurnId};
use crate::protocol::frame::ServerFrame;

/// What is open.
#[derive(Clone, Debug, Default)]
pub(super) struct Open {
    turn: Option<TurnId>,
    /// Something of a turn came that nobody gave an id.
    nameless: bool,
    texts: Vec<MessageId>,
    tools: Vec<ToolIndex>,
    asks: Vec<AskId>,
}

impl Open {
    /// The turn that is open.
    pub(super) fn turn(&self) -> Option<&TurnId> {
        self.turn.as_ref()
    }

    /// Something is: the recording ends too early.
    pub(super) fn any(&self) -> bool {
        self.turn.is_some() || self.nameless
    }

    /// Whether what stands before this frame and what begins with it can be shown apart.
    pub(super) fn cuts_before(&self, frame: &ServerFrame) -> bool {
        let begins = match frame {
            // The end of a turn says something of its last answer, so one of the two is not without the other.
            ServerFrame::UserMessage { .. } | ServerFrame::TurnStart { .. } => self.turn.is_none(),
            _ => text_of(frame).is_some() || matches!(frame, ServerFrame::Message { .. }),
        };
        let quiet = self.texts.is_empty() && self.tools.is_empty() && self.asks.is_empty();
        begins && quiet && !self.nameless
    }

    /// Takes the next frame.
    pub(super) fn apply(&mut self, frame: &ServerFrame) {
        if let Some(id) = text_of(frame) {
            if !self.texts.contains(id) {
                self.texts.push(id.clone());
            }
            self.nameless |= self.turn.is_none();
        }
        match frame {
            ServerFrame::TurnStart { turn } => *self = Self { turn: Some(turn.clone()), ..Self::default() },
            ServerFrame::TurnEnd { .. } | ServerFrame::Error { .. } => *self = Self::default(),
            ServerFrame::Typing { on } => match (on, &self.turn) {
                (true, None) => self.nameless = true,
                (false, None) => *self = Self::default(),
                _ => {}
            },
            ServerFrame::MessageStop { message_id, .. }
            | ServerFrame::Message { message_id, .. }
            | ServerFrame::Commentary { message_id, .. } => self.texts.retain(|text| text != message_id),
            ServerFrame::ToolStart { index, .. } => {
                self.tools.push(*index);
                self.nameless |= self.turn.is_none();
            }
            ServerFrame::ToolEnd { index, .. } => self.tools.retain(|tool| tool != index),
            ServerFrame::Ask { ask_id, .. } => self.asks.push(ask_id.clone()),
            ServerFrame::AskClosed { ask_id, .. } => self.asks.retain(|ask| ask != ask_id),
            _ => {}
        }
    }
}

/// The message that the frame lets grow.
pub(super) fn text_of(frame: &ServerFrame) -> Option<&MessageId> {
    match frame {
        ServerFrame::MessageStart { message_id, .. }
        | ServerFrame::MessageUpdate { message_id, .. }
        | ServerFrame::MessageAppend { message_id, .. }
        | ServerFrame::ReasoningUpdate { message_id, .. }
        | ServerFrame::ReasoningAppend { message_id, .. } => Some(message_id),
        _ => None,
    }
}
