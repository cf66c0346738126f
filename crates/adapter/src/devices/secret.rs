//! A random secret of 256 bits: a pairing code or a device's token. It can be shown once and is kept only as a hash.

use std::fmt;

use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

/// Nothing longer is even hashed.
const MAX_CHARS: usize = 256;

/// A secret in its readable form. It has no `Display`, so that it gets nowhere by accident.
#[derive(Clone)]
pub struct Secret(String);

/// What is kept of a secret. A fast hash will do: there is nothing to guess in 256 random bits.
#[derive(Clone, Copy)]
pub(super) struct Hash([u8; 32]);

impl Secret {
    /// A new one.
    pub(super) fn random() -> Result<Self, getrandom::Error> {
        random_hex::<32>().map(Self)
    }

    /// What somebody says is one. `None`: it is too long to be looked at.
    pub(super) fn claimed(text: &str) -> Option<Self> {
        (text.len() <= MAX_CHARS).then(|| Self(text.to_owned()))
    }

    pub(super) fn hash(&self) -> Hash {
        Hash(Sha256::digest(self.0.as_bytes()).into())
    }

    /// The secret itself, for the one who may have it.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

impl Hash {
    pub(super) fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    pub(super) fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Equality in a time that does not depend on where the two differ.
    pub(super) fn is(&self, other: &Self) -> bool {
        self.0.ct_eq(&other.0).into()
    }
}

/// `N` random bytes in hexadecimal.
pub(crate) fn random_hex<const N: usize>() -> Result<String, getrandom::Error> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_differ_have_256_bits_and_do_not_print() {
        let (one, other) = (Secret::random().unwrap(), Secret::random().unwrap());
        assert_eq!(one.reveal().len(), 64);
        assert!(one.hash().is(&one.hash()) && !one.hash().is(&other.hash()));
        assert!(!format!("{one:?}").contains(one.reveal()));
    }

    #[test]
    fn a_claim_of_any_other_length_is_simply_another_secret() {
        let real = Secret::random().unwrap();
        for claim in ["", "x", real.reveal().split_at(1).1, &format!("{}0", real.reveal()), &"é".repeat(100)]
        {
            assert!(!Secret::claimed(claim).unwrap().hash().is(&real.hash()), "{claim}");
        }
        assert!(Secret::claimed(&"x".repeat(257)).is_none());
    }
}
