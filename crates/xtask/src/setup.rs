//! `cargo xtask setup`: everything any command needs, installed ahead of time.

use crate::{apt, hermes, modules, paths::Paths, tools, wasm_target};
use anyhow::Result;

/// Installs what is missing; says so when nothing is.
pub(crate) fn everything(paths: &Paths) -> Result<()> {
    wasm_target::ensure(paths)?;
    tools::ensure(paths, &tools::ALL)?;
    modules::ensure(paths)?;
    apt::browser(paths)?;
    hermes::ensure(paths)?;
    println!("everything is there; the tools are in {}", paths.cache.display());
    Ok(())
}
