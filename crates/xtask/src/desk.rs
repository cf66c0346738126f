//! The page's second program, `crates/desk`: compiled, given its glue by wasm-bindgen, and made as small as the app's file.
//! `modules.rs` bundles the result with the JavaScript that loads it.

use crate::{
    fingerprint, glue,
    modules::Form,
    paths::Paths,
    process::{self, Echo, Step},
    tools,
    wasm_target::{self, TARGET},
};
use anyhow::{Context, Result};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

const PACKAGE: &str = "iris-desk";
/// What cargo makes of it.
const BUILT: &str = "iris_desk.wasm";
/// What is made of that: `desk.js` and `desk_bg.wasm`.
const NAME: &str = "desk";
/// The features are those of the app's file, in index.html. The runs that make that one smaller still take minutes, and gain
/// little where nobody waits for the first load.
const FEATURES: &str = "--enable-bulk-memory --enable-multivalue --enable-mutable-globals \
    --enable-nontrapping-float-to-int --enable-reference-types --enable-sign-ext";
/// Where the fingerprint of a finished result is kept.
const STAMP: &str = ".fingerprint";

/// Compiles the program, and returns the folder with `desk.js` and `desk_bg.wasm`. What is there and was made of the same
/// file stays.
pub(crate) fn build(paths: &Paths, form: Form) -> Result<PathBuf> {
    let built = compile(paths, form)?;
    let folder = paths.target.join(NAME).join(profile(form));
    let context = format!("{} {} {FEATURES}", tools::WASM_BINDGEN.version, tools::BINARYEN.version);
    let fingerprint = fingerprint::of(&built, &[BUILT], &context)?;
    if fs::read_to_string(folder.join(STAMP)).is_ok_and(|old| old == fingerprint) {
        return Ok(folder);
    }
    let _ = fs::remove_dir_all(&folder);
    bind(paths, &built.join(BUILT), &folder, form)?;
    if form == Form::Release {
        optimise(paths, &folder.join(format!("{NAME}_bg.wasm")))?;
        glue::shrink(&folder)?;
    }
    fs::write(folder.join(STAMP), fingerprint).context("cannot write beside the desk")?;
    Ok(folder)
}

/// The name of the folder in which cargo leaves what it has built.
fn profile(form: Form) -> &'static str {
    match form {
        Form::Development => "debug",
        Form::Release => "web",
    }
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
        command.args(["--profile", profile(form)]);
    }
    wasm_target::ensure(paths)?.apply(&mut command);
    process::run(&step, command)?;
    Ok(paths.target.join(TARGET).join(profile(form)))
}

fn bind(paths: &Paths, file: &Path, folder: &Path, form: Form) -> Result<()> {
    let step = Step {
        name: "Connecting the desk with the browser",
        takes: "",
        remedy: "the lines above; they are wasm-bindgen's",
        echo: Echo::Progress,
    };
    let mut command = Command::new(tools::program(paths, &tools::WASM_BINDGEN));
    command.args(["--target", "web", "--no-typescript", "--out-name", NAME, "--out-dir"]).arg(folder);
    if form == Form::Development {
        command.arg("--debug");
    }
    command.arg(file);
    process::run(&step, command).map(drop)
}

fn optimise(paths: &Paths, file: &Path) -> Result<()> {
    let step = Step {
        name: "Making the desk smaller",
        takes: "seconds",
        remedy: "the lines above; they are wasm-opt's",
        echo: Echo::Progress,
    };
    let mut command = Command::new(tools::program(paths, &tools::BINARYEN));
    command.arg("-Oz").args(FEATURES.split_whitespace()).arg(file).arg("-o").arg(file);
    process::run(&step, command).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_desk_has_the_features_that_the_app_has() {
        let page = include_str!("../../../index.html");
        assert!(page.contains(&format!("data-wasm-opt-params=\"{FEATURES} ")), "index.html has others");
    }
}
