//! The page's second program, `crates/desk`: compiled, given its glue by wasm-bindgen, and made as small as the app's file.
//! `modules.rs` bundles the result with the JavaScript that loads it.

use crate::{
    fingerprint, glue,
    modules::Form,
    paths::Paths,
    process::{self, Echo, Step},
    tools,
    wasm::{self, FEATURES, Program},
    wasm_target::{self, TARGET},
};
use anyhow::{Context, Result};
use std::{fs, path::PathBuf, process::Command};

const PACKAGE: &str = "iris-desk";
/// What cargo makes of it.
const BUILT: &str = "iris_desk.wasm";
/// What is made of that: `desk.js` and `desk_bg.wasm`.
const NAME: &str = "desk";
/// The runs that make the app smaller still take minutes, and gain little where nobody waits for the first load.
const PROGRAM: Program = Program { name: "the desk", takes: "seconds", passes: "" };
/// Where the fingerprint of a finished result is kept.
const STAMP: &str = ".fingerprint";

/// Compiles the program, and returns the folder with `desk.js` and `desk_bg.wasm`. What is there and was made of the same
/// file stays.
pub(crate) fn build(paths: &Paths, form: Form) -> Result<PathBuf> {
    let built = compile(paths, form)?;
    let folder = paths.target.join(NAME).join(wasm::profile(form));
    let context = format!("{} {} {FEATURES}", tools::WASM_BINDGEN.version, tools::BINARYEN.version);
    let fingerprint = fingerprint::of(&built, &[BUILT], &context)?;
    if fs::read_to_string(folder.join(STAMP)).is_ok_and(|old| old == fingerprint) {
        return Ok(folder);
    }
    let _ = fs::remove_dir_all(&folder);
    wasm::bind(paths, &PROGRAM, &built.join(BUILT), &folder, NAME, form)?;
    if form == Form::Release {
        wasm::optimise(paths, &PROGRAM, &folder.join(format!("{NAME}_bg.wasm")))?;
        glue::shrink(&folder)?;
    }
    fs::write(folder.join(STAMP), fingerprint).context("cannot write beside the desk")?;
    Ok(folder)
}

/// The folder with the compiled file. The dependencies are the app's, which cargo has compiled for it.
fn compile(paths: &Paths, form: Form) -> Result<PathBuf> {
    let step = Step {
        name: "Building the desk",
        takes: "about half a minute",
        remedy: "the lines above; they are rustc's",
        echo: Echo::Progress,
    };
    let mut command = Command::new("cargo");
    command.current_dir(&paths.root).args(["build", "--package", PACKAGE, "--lib", "--target", TARGET]);
    command.arg("--target-dir").arg(&paths.target);
    if form == Form::Release {
        command.args(["--profile", wasm::profile(form)]);
    }
    wasm_target::ensure(paths)?.apply(&mut command);
    process::run(&step, command)?;
    Ok(wasm::built(paths, form))
}
