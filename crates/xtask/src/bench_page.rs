//! Builds the page of `tests/bench/`: the renderers of others in one bundle, and Iris' own as WebAssembly, built, bound and
//! optimised exactly as the app.

use crate::{
    modules::Form,
    npm,
    paths::Paths,
    process::{self, Echo, Step},
    split, stylesheet, tools,
    wasm::{self, Program},
    wasm_target::{self, TARGET},
};
use anyhow::{Context, Result};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// The sources: the page, the locked packages, Iris' renderer.
const FOLDER: &str = "tests/bench";
/// The crate whose functions the page calls.
const CRATE: &str = "bench-iris";
/// What it is called as a file.
const FILE: &str = "bench_iris";
/// Made small as the app is.
const PROGRAM: Program = Program { name: "Iris' renderer", ..split::APP };

/// Entries of the bundle: the page, and those peers that have a stylesheet, so that it keeps their name.
const ENTRIES: [&str; 3] = ["main.js", "peers/incremark.js", "peers/markstream-vue.js"];
/// Packages that a peer would use if they were there. None of them is.
const OPTIONAL: [&str; 7] = [
    "mermaid",
    "katex",
    "stream-diffs",
    "stream-diffs/*",
    "@terrastruct/d2",
    "@antv/infographic",
    "vue-i18n",
];
/// What the bundlers that the peers are written for would set in a build for production.
const DEFINES: [&str; 4] = [
    "process.env.NODE_ENV=\"production\"",
    "__VUE_OPTIONS_API__=true",
    "__VUE_PROD_DEVTOOLS__=false",
    "__VUE_PROD_HYDRATION_MISMATCH_DETAILS__=false",
];

/// Builds everything into a folder that can be served.
pub(crate) fn build(paths: &Paths) -> Result<PathBuf> {
    let site = paths.target.join("bench-page");
    let _ = fs::remove_dir_all(&site);
    fs::create_dir_all(&site).with_context(|| format!("cannot make {}", site.display()))?;
    let page = paths.root.join(FOLDER).join("page");
    for name in ["index.html", "page.css"] {
        fs::copy(page.join(name), site.join(name)).with_context(|| format!("cannot copy {name}"))?;
    }
    bundle(paths, &page, &site)?;
    stylesheet::bundle(&paths.root.join("style"), &site.join("iris.css"))?;
    iris(paths, &site.join("iris"))?;
    Ok(site)
}

fn bundle(paths: &Paths, page: &Path, site: &Path) -> Result<()> {
    let packages = npm::ensure(paths, FOLDER)?;
    let step = Step {
        name: "Bundling the other renderers",
        takes: "",
        remedy: "the lines above; they are esbuild's",
        echo: Echo::Progress,
    };
    let mut command = packages.esbuild();
    command.current_dir(page).args(ENTRIES);
    command.args([
        "--bundle",
        "--splitting",
        "--format=esm",
        "--minify",
        "--outbase=.",
        "--log-level=warning",
    ]);
    // The glue of the WebAssembly is no part of the bundle: a script of its own, beside it.
    command.args(OPTIONAL.map(|name| format!("--external:{name}")));
    command.args(DEFINES.map(|define| format!("--define:{define}")));
    command.args(["woff2", "woff", "ttf"].map(|suffix| format!("--loader:.{suffix}=empty")));
    command.arg(format!("--outdir={}", site.join("bundle").display()));
    process::run(&step, command).map(drop)
}

fn iris(paths: &Paths, output: &Path) -> Result<()> {
    let toolchain = wasm_target::ensure(paths)?;
    tools::ensure(paths, &tools::FOR_BUILD)?;
    let mut command = Command::new("cargo");
    command.args([
        "build",
        "--package",
        CRATE,
        "--profile",
        wasm::profile(Form::Release),
        "--target",
        TARGET,
    ]);
    command.current_dir(&paths.root);
    toolchain.apply(&mut command);
    let step = Step {
        name: "Building Iris' renderer",
        takes: "about 3 minutes the first time",
        remedy: "the lines above",
        echo: Echo::Progress,
    };
    process::run(&step, command)?;
    let built = wasm::built(paths, Form::Release).join(format!("{FILE}.wasm"));
    wasm::bind(paths, &PROGRAM, &built, output, FILE, Form::Release)?;
    wasm::optimise(paths, &PROGRAM, &output.join(format!("{FILE}_bg.wasm")))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_lock_names_no_registry() {
        let lock = include_str!("../../../tests/bench/package-lock.json");
        assert!(!lock.contains("\"resolved\""), "write it with tests/bench/.npmrc beside it");
    }
}
