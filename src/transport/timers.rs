//! The connection's timers: each has an id, and setting one again moves it.

use std::collections::HashMap;
use std::hash::Hash;

use crate::browser::Timeout;

/// Timeouts by id. Dropping this clears all of them.
pub(super) struct Timers<Id>(HashMap<Id, Timeout>);

impl<Id> Default for Timers<Id> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

impl<Id: Copy + Eq + Hash> Timers<Id> {
    /// Calls after so many milliseconds, unless this id is set again or cleared before.
    pub(super) fn set(&mut self, id: Id, delay_ms: f64, call: impl FnMut() + 'static) {
        self.0.insert(id, Timeout::new(delay_ms, call));
    }

    /// Forgets this timer.
    pub(super) fn clear(&mut self, id: Id) {
        self.0.remove(&id);
    }
}
