//! What cargo has compiled for a browser becomes what a browser runs: wasm-bindgen writes the glue, wasm-opt makes it small.

use crate::{
    modules::Form,
    paths::Paths,
    process::{self, Echo, Step},
    tools,
    wasm_target::TARGET,
};
use anyhow::Result;
use std::{
    path::{Path, PathBuf},
    process::Command,
};

/// The features that rustc has on by default; a stripped file does not say so to wasm-opt.
pub(crate) const FEATURES: &str = "--enable-bulk-memory --enable-multivalue --enable-mutable-globals \
    --enable-nontrapping-float-to-int --enable-reference-types --enable-sign-ext";

/// One of the page's programs, for the messages.
pub(crate) struct Program {
    /// "the app".
    pub(crate) name: &'static str,
    /// How long it takes to make it small.
    pub(crate) takes: &'static str,
    /// What wasm-opt is to do after its `-Oz`.
    pub(crate) passes: &'static str,
}

/// The folder in which cargo leaves what it has built.
pub(crate) fn built(paths: &Paths, form: Form) -> PathBuf {
    paths.target.join(TARGET).join(profile(form))
}

/// The profile of the programs that browsers run, and the name of its folder.
pub(crate) fn profile(form: Form) -> &'static str {
    match form {
        Form::Development => "debug",
        Form::Release => "web",
    }
}

/// Writes `NAME.js` and `NAME_bg.wasm` into `folder`.
pub(crate) fn bind(
    paths: &Paths,
    program: &Program,
    file: &Path,
    folder: &Path,
    name: &str,
    form: Form,
) -> Result<()> {
    let title = format!("Connecting {} with the browser", program.name);
    let step = Step {
        name: &title,
        takes: "",
        remedy: "the lines above; they are wasm-bindgen's",
        echo: Echo::Progress,
    };
    let mut command = Command::new(tools::program(paths, &tools::WASM_BINDGEN));
    // What the linker exports is what the second part of a program imports.
    command.args([
        "--target",
        "web",
        "--no-typescript",
        "--keep-lld-exports",
        "--out-name",
        name,
        "--out-dir",
    ]);
    command.arg(folder).arg(match form {
        Form::Development => "--debug",
        Form::Release => "--remove-name-section",
    });
    command.arg(file);
    process::run(&step, command).map(drop)
}

/// Rewrites the file.
pub(crate) fn optimise(paths: &Paths, program: &Program, file: &Path) -> Result<()> {
    let title = format!("Making {} smaller", program.name);
    let step = Step {
        name: &title,
        takes: program.takes,
        remedy: "the lines above; they are wasm-opt's",
        echo: Echo::Progress,
    };
    let mut command = Command::new(tools::program(paths, &tools::BINARYEN));
    command.args(FEATURES.split_whitespace()).arg("-Oz").args(program.passes.split_whitespace());
    command.args(["--strip-debug", "--strip-producers"]).arg(file).arg("-o").arg(file);
    process::run(&step, command).map(drop)
}
