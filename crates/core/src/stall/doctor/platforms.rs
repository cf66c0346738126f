//! What Hermes knows about its chat platforms before anybody configures one.

use serde::{Deserialize, Serialize};

/// Whether a platform can change a message that is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Edits {
    /// It can: a reply grows in place.
    Yes,
    /// It cannot: there is nothing to stream into.
    No,
    /// It cannot, but has a stream of its own.
    Native,
    /// A plugin's platform: its own business.
    Unknown,
}

/// A platform's own defaults.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Defaults {
    /// Whether it edits.
    pub edits: Edits,
    /// Whether it streams where nobody said so; `None` follows the gateway's switch.
    pub streaming: Option<bool>,
}

/// The built-in ones.
pub(super) const NAMES: [&str; 20] = [
    "telegram",
    "discord",
    "slack",
    "mattermost",
    "matrix",
    "feishu",
    "buzz",
    "signal",
    "whatsapp",
    "whatsapp_cloud",
    "photon",
    "bluebubbles",
    "weixin",
    "wecom",
    "wecom_callback",
    "dingtalk",
    "email",
    "sms",
    "webhook",
    "api_server",
];

/// The defaults of `platform`.
pub(super) fn defaults(platform: &str) -> Defaults {
    match platform {
        "telegram" | "discord" | "slack" | "mattermost" | "matrix" | "feishu" | "buzz" | "whatsapp" => {
            Defaults { edits: Edits::Yes, streaming: None }
        }
        "api_server" => Defaults { edits: Edits::Native, streaming: None },
        "wecom" => Defaults { edits: Edits::Native, streaming: Some(true) },
        "signal" | "whatsapp_cloud" | "photon" | "bluebubbles" | "weixin" | "wecom_callback" | "dingtalk"
        | "email" | "sms" | "webhook" => Defaults { edits: Edits::No, streaming: Some(false) },
        // The adapter of Iris edits; of other plugins nothing is known.
        "iris" => Defaults { edits: Edits::Yes, streaming: None },
        _ => Defaults { edits: Edits::Unknown, streaming: None },
    }
}
