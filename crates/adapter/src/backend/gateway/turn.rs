//! The turn machine.

use iris_core::protocol::ServerFrame;

use super::calls::Call;

/// Turns the calls that Hermes makes for one chat into frames.
#[derive(Debug)]
pub struct Machine {
    prefix: String,
}

impl Machine {
    /// A machine whose ids all begin with `prefix`, which must differ for any two machines of a chat.
    pub fn new(prefix: impl Into<String>) -> Self {
        Self { prefix: prefix.into() }
    }

    /// Takes one call, made at `t_ms`, and says what it means.
    pub fn call(&mut self, t_ms: u64, call: &Call) -> Vec<ServerFrame> {
        let _ = (t_ms, call, &self.prefix);
        Vec::new()
    }

    /// Hermes is gone: closes everything, the turn as `lost`.
    pub fn lost(&mut self, t_ms: u64) -> Vec<ServerFrame> {
        let _ = t_ms;
        Vec::new()
    }
}
