//! How a socket ends: the code and the words of its close frame, and the patience to let them arrive.

use std::{error::Error, time::Duration};

use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::{Error as WireError, error::CapacityError};

use crate::guard::door::Outside;

/// A closed socket has this long to close at the other end too.
const GOODBYE_WITHIN: Duration = Duration::from_secs(1);

/// Why a socket is closed.
pub(super) struct Bye {
    code: u16,
    reason: &'static str,
}

impl Bye {
    /// It closed itself, or answers no more.
    pub(super) const GONE: Self = Self { code: 0, reason: "" };
    pub(super) const NO_HELLO: Self =
        Self { code: close_code::POLICY, reason: "say hello first, within 5 seconds" };
    pub(super) const PROTOCOL: Self = Self {
        code: close_code::POLICY,
        reason: "this Iris speaks another protocol version: reload the app",
    };
    pub(super) const REVOKED: Self =
        Self { code: close_code::POLICY, reason: "not paired any more: pair this device again" };
    pub(super) const STOPPING: Self = Self { code: close_code::AWAY, reason: "Iris is stopping" };
    pub(super) const TOO_LONG: Self =
        Self { code: close_code::SIZE, reason: "a frame has at most 65536 bytes" };
    pub(super) const NOT_TEXT: Self = Self { code: close_code::INVALID, reason: "not UTF-8" };
    pub(super) const BROKEN: Self = Self { code: close_code::PROTOCOL, reason: "not a WebSocket message" };
    pub(super) const TOO_MANY: Self = Self { code: close_code::POLICY, reason: "too many frames" };
    pub(super) const OFFENCES: Self =
        Self { code: close_code::POLICY, reason: "too many frames that cannot be read" };

    /// Closes, and waits a moment for the other side to do the same: a socket that is dropped with unread bytes in it,
    /// or with the answer to a close unsent, looks broken over there, and the reason is lost.
    pub(super) async fn say(self, socket: &mut WebSocket) {
        let goodbye = async {
            if self.code != 0 {
                let frame = CloseFrame { code: self.code, reason: self.reason.into() };
                socket.send(Message::Close(Some(frame))).await?;
            }
            while let Some(message) = socket.recv().await {
                message?;
            }
            Ok::<_, axum::Error>(())
        };
        let _ = timeout(GOODBYE_WITHIN, goodbye).await;
    }

    /// What to say to somebody who is not let in.
    pub(super) fn outside(why: &Outside) -> Self {
        let (code, reason) = match why {
            Outside::NoToken => (close_code::POLICY, "not paired: open a pairing link on this device"),
            Outside::Unknown | Outside::BadCode => {
                (close_code::POLICY, "not paired, or not any more: open a new pairing link on this device")
            }
            Outside::Wait(_) => {
                (close_code::POLICY, "not paired, and there were too many wrong attempts: wait a minute")
            }
            Outside::TooManySockets => (close_code::AGAIN, "this device has too many connections to Iris"),
            Outside::Trouble(_) => (close_code::ERROR, "Iris cannot read its list of devices"),
        };
        Self { code, reason }
    }

    /// What to say after the wire broke in this way.
    pub(super) fn after(error: &axum::Error) -> Self {
        match error.source().and_then(|source| source.downcast_ref::<WireError>()) {
            Some(WireError::Capacity(CapacityError::MessageTooLong { .. })) => Bye::TOO_LONG,
            Some(WireError::Utf8(_)) => Bye::NOT_TEXT,
            Some(WireError::Protocol(_)) => Bye::BROKEN,
            _ => Bye::GONE,
        }
    }

    /// The close code; 0 where nothing is said.
    pub(super) fn code(&self) -> u16 {
        self.code
    }
}
