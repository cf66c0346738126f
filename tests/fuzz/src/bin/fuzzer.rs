//! libFuzzer around one target, which `IRIS_FUZZ_TARGET` names. `cargo xtask fuzz` builds and runs it.

#![no_main]

use std::sync::OnceLock;

static TARGET: OnceLock<fuzz::Target> = OnceLock::new();

fn chosen() -> fuzz::Target {
    let name = std::env::var("IRIS_FUZZ_TARGET").unwrap_or_default();
    fuzz::target(&name).unwrap_or_else(|| {
        eprintln!("IRIS_FUZZ_TARGET names no target: {name:?}");
        std::process::exit(2)
    })
}

libfuzzer_sys::fuzz_target!(|data: &[u8]| (TARGET.get_or_init(chosen).run)(data));
