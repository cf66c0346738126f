//! The ids that a machine gives: a prefix, a letter for the kind, a count. The same calls always get the same ids.

use iris_core::ids::{AskId, MessageId, TurnId};

/// The counters of one machine.
#[derive(Debug)]
pub(super) struct Ids {
    prefix: String,
    messages: u32,
    turns: u32,
    asks: u32,
}

impl Ids {
    pub(super) fn new(prefix: String) -> Self {
        Self { prefix, messages: 0, turns: 0, asks: 0 }
    }

    pub(super) fn message(&mut self) -> MessageId {
        self.messages += 1;
        MessageId(format!("{}-m{}", self.prefix, self.messages))
    }

    pub(super) fn turn(&mut self) -> TurnId {
        self.turns += 1;
        TurnId(format!("{}-t{}", self.prefix, self.turns))
    }

    pub(super) fn ask(&mut self) -> AskId {
        self.asks += 1;
        AskId(format!("{}-a{}", self.prefix, self.asks))
    }
}
