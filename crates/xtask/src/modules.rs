//! The modules that the app loads when it first needs them: each folder of `modules/` with an `index.js` becomes
//! `dist/modules/FOLDER.js`, and the parts that it imports later lie in `dist/modules/FOLDER/`. The one that is
//! WebAssembly, `iris-desk`, comes from `desk.rs`.

use crate::{
    desk,
    npm::{self, Packages},
    paths::Paths,
    process::{self, Echo, Finished, Step},
};
use anyhow::{Context, Result, ensure};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// The folder of the sources, and its name beside the app.
const FOLDER: &str = "modules";
/// The oldest JavaScript that runs the app's WebAssembly and colours code.
const TARGET: &str = "--target=es2022";
const REMEDY: &str = "the lines above; they are esbuild's";

/// How a bundle is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// For reading in the browser's tools.
    Development,
    /// For the wire.
    Release,
}

/// Installs what bundling needs.
pub(crate) fn ensure(paths: &Paths) -> Result<Packages> {
    npm::ensure(paths, FOLDER)
}

/// Writes every module into `output`, the folder that is served, with the licences of what they are made of.
pub(crate) fn bundle(paths: &Paths, output: &Path, form: Form) -> Result<()> {
    let packages = ensure(paths)?;
    let desk = desk::build(paths, form)?;
    let output = output.join(FOLDER);
    for name in names(&paths.root.join(FOLDER))? {
        let title = format!("Bundling modules/{name}");
        let step = Step { name: &title, takes: "", remedy: REMEDY, echo: Echo::Progress };
        let mut command = esbuild(paths, &packages, &name, &output, form);
        command.arg(format!("--alias:iris-desk={}", desk.display()));
        process::run(&step, command)?;
    }
    let texts = [own_licences(&paths.root.join(FOLDER))?, licences(&packages.shipped()?)?].concat();
    fs::write(output.join("LICENSES.txt"), texts).context("cannot write the licences")
}

/// The parts have a checksum in their names, because they belong to one build; the app asks for the first file by its name.
fn esbuild(paths: &Paths, packages: &Packages, name: &str, output: &Path, form: Form) -> Command {
    let mut command = packages.esbuild();
    command.current_dir(&paths.root);
    command.arg(format!("{name}={FOLDER}/{name}/index.js"));
    command.args([
        "--bundle",
        "--splitting",
        "--format=esm",
        "--entry-names=[name]",
        TARGET,
        "--loader:.css=text",
        "--loader:.wasm=file",
        "--loader:.woff2=file",
    ]);
    command.args(["--charset=utf8", "--legal-comments=none", "--log-level=warning"]);
    command.arg(format!("--chunk-names={name}/[name]-[hash]"));
    command.arg(format!("--asset-names={name}/[name]-[hash]"));
    command.arg(format!("--outdir={}", output.display()));
    if form == Form::Release {
        command.arg("--minify");
    }
    command
}

/// The folders that are modules.
fn names(folder: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let entry = entry?;
        if entry.path().join("index.js").is_file() {
            names.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    names.sort();
    ensure!(!names.is_empty(), "there is no module in {}", folder.display());
    Ok(names)
}

/// The licence texts of what lies beside our own sources and was made by others: a font.
fn own_licences(folder: &Path) -> Result<String> {
    let mut text = String::new();
    for name in names(folder)? {
        let files =
            fs::read_dir(folder.join(&name)).with_context(|| format!("cannot read modules/{name}"))?;
        let mut licences: Vec<_> =
            files.flatten().map(|entry| entry.path()).filter(|path| is_licence(path)).collect();
        licences.sort();
        for licence in licences {
            text.push_str(&format!("modules/{name}\n\n{}\n\n", fs::read_to_string(licence)?.trim()));
        }
    }
    Ok(text)
}

/// The licence texts of the packages, which their licences want to travel along.
fn licences(packages: &[PathBuf]) -> Result<String> {
    let mut text = String::new();
    for package in packages {
        let name: Vec<_> = package.iter().rev().take_while(|part| *part != "node_modules").collect();
        let name: PathBuf = name.into_iter().rev().collect();
        let files = fs::read_dir(package).with_context(|| format!("cannot read {}", package.display()))?;
        let mut licences: Vec<PathBuf> =
            files.flatten().map(|entry| entry.path()).filter(|path| is_licence(path)).collect();
        licences.sort();
        ensure!(!licences.is_empty(), "{} comes without the text of its licence", name.display());
        for licence in licences {
            text.push_str(&format!("{}\n\n{}\n\n", name.display(), fs::read_to_string(licence)?.trim()));
        }
    }
    Ok(text)
}

fn is_licence(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy().to_uppercase()).unwrap_or_default();
    ["LICENSE", "LICENCE", "COPYING"].iter().any(|word| name.starts_with(word))
}

/// Runs the modules' own tests (`modules/*/*.test.js`) in Node.
pub(crate) fn test(paths: &Paths) -> Result<Finished> {
    let packages = ensure(paths)?;
    // Bundled first: Node looks for packages beside the importing file only, and ours are in the cache.
    let output = paths.target.join("modules-test");
    let _ = fs::remove_dir_all(&output);
    let tests = tests(&paths.root.join(FOLDER))?;
    let mut bundle = packages.esbuild();
    bundle.current_dir(&paths.root).args([
        "--bundle",
        "--platform=node",
        "--format=esm",
        "--splitting",
        "--loader:.css=text",
    ]);
    bundle.args(["--sourcemap=inline", "--log-level=warning", "--out-extension:.js=.mjs"]);
    bundle.arg(format!("--outdir={}", output.display())).args(&tests);
    let step = Step { name: "Bundling the modules' tests", takes: "", remedy: REMEDY, echo: Echo::Progress };
    process::run(&step, bundle)?;
    let step =
        Step { name: "Testing the modules in Node", takes: "", remedy: "the lines above", echo: Echo::Lines };
    let mut command = packages.node();
    command.args(["--enable-source-maps", "--test", "--test-reporter=spec"]).current_dir(&output);
    process::observe(&step, command)
}

fn tests(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut tests = Vec::new();
    for name in names(folder)? {
        for entry in fs::read_dir(folder.join(name))? {
            let path = entry?.path();
            if path.file_name().is_some_and(|name| name.to_string_lossy().ends_with(".test.js")) {
                tests.push(path);
            }
        }
    }
    tests.sort();
    Ok(tests)
}
