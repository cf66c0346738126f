//! Randomness. `crypto.randomUUID` exists only on secure origins; a phone may reach the adapter over plain HTTP.

use std::fmt::Write;

/// A number from 0 up to, not including, 1: for jitter, not for secrets.
pub fn random_unit() -> f64 {
    js_sys::Math::random()
}

/// An id that no other device will make: 128 random bits in hex.
pub fn random_id() -> String {
    let mut bytes = [0_u8; 16];
    let filled = web_sys::window()
        .and_then(|window| window.crypto().ok())
        .is_some_and(|crypto| crypto.get_random_values_with_u8_array(&mut bytes).is_ok());
    if !filled {
        bytes.fill_with(|| (random_unit() * 256.0) as u8);
    }
    bytes.iter().fold(String::with_capacity(32), |mut id, byte| {
        let _ = write!(id, "{byte:02x}");
        id
    })
}
