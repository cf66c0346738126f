//! What must hold for any input at all. Each target takes bytes, and panics when something does not hold.
//!
//! A target knows nothing of what chooses its bytes: the test `kept` gives it the inputs in `corpus/`, and the
//! program `fuzzer` those that libFuzzer finds (`cargo xtask fuzz`).

// A finding is a panic.
#![allow(clippy::panic)]

mod bytes;
mod document;
mod frames;
mod quadratic;
mod safe_url;

/// One property, to be tried with any bytes.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Its name on the command line, and that of its folder in `corpus/`.
    pub name: &'static str,
    /// Tries one input.
    pub run: fn(&[u8]),
}

/// All targets.
pub const TARGETS: [Target; 4] = [
    Target { name: "document", run: document::run },
    Target { name: "quadratic", run: quadratic::run },
    Target { name: "safe-url", run: safe_url::run },
    Target { name: "frames", run: frames::run },
];

/// The target of this name.
pub fn target(name: &str) -> Option<Target> {
    TARGETS.into_iter().find(|target| target.name == name)
}
