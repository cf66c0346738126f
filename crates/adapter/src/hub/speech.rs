//! How a socket says what a text grew by: as a whole frame, or as a continuation where its last message allows it. Only the
//! socket knows what it said last: chats, news and answers meet there.

use std::sync::Arc;

use iris_core::protocol::codec::Growth;

/// What a socket said last, as far as that matters for what it says next.
#[derive(Debug)]
pub struct Speech {
    /// The device takes continuations.
    continues: bool,
    /// The append that was said last, if nothing was said since.
    last: Option<Arc<Growth>>,
}

impl Speech {
    /// Nothing was said yet.
    pub fn new(continues: bool) -> Self {
        Self { continues, last: None }
    }

    /// An append is said: how.
    pub fn grows<'a>(&mut self, growth: &'a Arc<Growth>) -> &'a str {
        let last = self.last.replace(growth.clone());
        let follows = last.is_some_and(|last| last.after == growth.before);
        if follows && self.continues { &growth.short } else { &growth.whole }
    }

    /// Something else is said.
    pub fn says_else(&mut self) {
        self.last = None;
    }
}

#[cfg(test)]
pub(super) mod tests;
