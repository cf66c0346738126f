//! The ids of the wire and of the timeline, one newtype each, so that none is taken for another.

use serde::{Deserialize, Serialize};

macro_rules! text_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub String);

        impl $name {
            /// The id as it stands on the wire.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl From<&str> for $name {
            fn from(id: &str) -> Self {
                Self(id.to_owned())
            }
        }

        impl From<String> for $name {
            fn from(id: String) -> Self {
                Self(id)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

text_id! {
    /// One conversation; opaque, made by the adapter.
    ChatId
}
text_id! {
    /// One message of a chat; opaque, made by the adapter, unique within its chat.
    MessageId
}
text_id! {
    /// A message or request that the app made, before the adapter has an id for it; unique within a device.
    ClientId
}
text_id! {
    /// One question of the agent (approval, clarification) that waits for an answer.
    AskId
}
text_id! {
    /// One file that the adapter keeps: what a user attached, or what the agent sent. Opaque, made by the adapter.
    FileId
}
text_id! {
    /// One turn of the agent: everything between a message of the user and the agent's rest.
    TurnId
}

/// A tool call's number within its turn, from 1; joins `tool.start` to `tool.end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ToolIndex(pub u32);
