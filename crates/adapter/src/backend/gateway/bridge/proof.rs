//! How both sides of the bridge prove that they know its token without sending it: a keyed hash over a fresh number of
//! each. Whoever else listens on the port, or connects to it, learns nothing that could be used.

use hmac::{Hmac, Mac};
use sha2::Sha256;
use subtle::ConstantTimeEq;

/// Bytes of a nonce.
const NONCE_BYTES: usize = 16;

/// Who proves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// The plugin.
    Plugin,
    /// The adapter.
    Adapter,
}

/// The two fresh numbers of one connection.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nonces<'a> {
    /// The adapter's.
    pub(super) adapter: &'a str,
    /// The plugin's.
    pub(super) plugin: &'a str,
}

/// What only who knows the token can say.
pub(super) fn proof(token: &str, side: Side, nonces: Nonces<'_>) -> String {
    let side = match side {
        Side::Plugin => "plugin",
        Side::Adapter => "adapter",
    };
    // A key of any length will do.
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(token.as_bytes()) else { return String::new() };
    mac.update(format!("{side}:{}:{}", nonces.adapter, nonces.plugin).as_bytes());
    hex(&mac.finalize().into_bytes())
}

/// Whether the plugin proved itself; takes as long for a wrong proof as for a right one.
pub(super) fn proves(given: &str, token: &str, nonces: Nonces<'_>) -> bool {
    let expected = proof(token, Side::Plugin, nonces);
    !expected.is_empty() && bool::from(expected.as_bytes().ct_eq(given.as_bytes()))
}

/// A fresh number.
pub(super) fn nonce() -> Result<String, getrandom::Error> {
    let mut bytes = [0; NONCE_BYTES];
    getrandom::fill(&mut bytes)?;
    Ok(hex(&bytes))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONCES: Nonces<'static> = Nonces { adapter: "aa", plugin: "bb" };

    #[test]
    fn a_proof_is_the_one_that_the_plugin_computes() {
        // hmac.new(b"token", b"plugin:aa:bb", hashlib.sha256).hexdigest()
        let expected = "7c868ba7a48943c8268bad3fd38159495d36ef5d437010233eadde3eacb5e456";
        assert_eq!(proof("token", Side::Plugin, NONCES), expected);
        assert!(proves(&proof("token", Side::Plugin, NONCES), "token", NONCES));
    }

    #[test]
    fn another_token_side_or_nonce_proves_nothing() {
        let given = proof("token", Side::Plugin, NONCES);
        assert!(!proves(&given, "other", NONCES));
        assert!(!proves(&proof("token", Side::Adapter, NONCES), "token", NONCES));
        assert!(!proves(&given, "token", Nonces { adapter: "ab", plugin: "bb" }));
        assert!(!proves("", "token", NONCES));
    }

    #[test]
    fn no_two_nonces_are_the_same() {
        assert_ne!(nonce().unwrap(), nonce().unwrap());
    }
}
