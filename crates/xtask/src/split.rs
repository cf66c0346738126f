//! Cuts the app's WebAssembly in two: what the first load needs, and the views of `src/components/later.rs`, with all that
//! nothing else calls.
//!
//! `wasm_split_cli_support` does it, which Leptos has for this, by the linker's notes on what uses what. It must come before
//! wasm-bindgen, which Trunk runs by itself on the whole file: so wasm-bindgen runs again here, and wasm-opt only here. The
//! script that loads the second part would be one more file to wait for: it becomes a part of the glue.

use crate::{
    modules::Form,
    paths::Paths,
    wasm::{self, Program},
};
use anyhow::{Context, Result, anyhow, ensure};
use std::{fs, path::Path};

/// How the name of the second part ends.
pub(crate) const PART: &str = "_later.wasm";

/// What cargo has built.
const BUILT: &str = "iris.wasm";
/// The name that the app gives its second part, as the library writes it into a file's name.
const CUT_OFF: &str = "split_later.wasm";
/// The library's script.
const LOADER: &str = "./__wasm_split.js";

/// The second run, on control flow laid anew, makes the file smaller again. The two passes left out make it larger.
pub(crate) const APP: Program = Program {
    name: "the app",
    takes: "about 2 minutes",
    passes: "--skip-pass=memory-packing --skip-pass=inlining-optimizing --converge --flatten --rereloop -Oz",
};
const SECOND: Program = Program { name: "the app's second part", takes: "seconds", ..APP };

/// Replaces the pair of files in the folder that Trunk has filled, and puts the second part beside them.
pub(crate) fn cut(paths: &Paths, folder: &Path, form: Form) -> Result<()> {
    let stem = stem(folder)?;
    let halves = paths.target.join("split").join(wasm::profile(form));
    let _ = fs::remove_dir_all(&halves);
    let whole = wasm::built(paths, form).join(BUILT);
    let whole = fs::read(&whole).with_context(|| format!("cannot read {}", whole.display()))?;
    let first = halves.join(BUILT);
    split(&whole, &halves, &first)?;
    wasm::bind(paths, &APP, &first, folder, &stem, form)?;
    let part = format!("{stem}{PART}");
    fs::copy(halves.join(CUT_OFF), folder.join(&part))
        .context("there is no second part: does the app mark any?")?;
    let script = folder.join(format!("{stem}.js"));
    let loader = fs::read_to_string(halves.join(LOADER))?;
    fs::write(&script, with_loader(&fs::read_to_string(&script)?, &loader, &part)?)?;
    if form == Form::Release {
        wasm::optimise(paths, &APP, &folder.join(format!("{stem}_bg.wasm")))?;
        wasm::optimise(paths, &SECOND, &folder.join(&part))?;
    }
    Ok(())
}

/// `iris-0123456789abcdef`, of which Trunk has made the files' names.
fn stem(folder: &Path) -> Result<String> {
    let files = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let names =
        files.map(|file| Ok(file?.file_name().to_string_lossy().into_owned())).collect::<Result<Vec<_>>>()?;
    let stem = names.iter().find_map(|name| name.strip_suffix("_bg.wasm"));
    stem.map(str::to_owned).with_context(|| format!("Trunk has left no wasm file in {}", folder.display()))
}

fn split(whole: &[u8], halves: &Path, first: &Path) -> Result<()> {
    let mut options = wasm_split_cli_support::Options::new(whole);
    options.output_dir = halves;
    options.main_out_path = first;
    options.link_name = LOADER;
    let done = wasm_split_cli_support::transform(options).map_err(|error| anyhow!("{error:#}"))?;
    ensure!(done.split_modules.len() == 1, "the app is in {} parts, not two", done.split_modules.len() + 1);
    Ok(())
}

/// The glue with the loader in place of its import.
fn with_loader(glue: &str, loader: &str, part: &str) -> Result<String> {
    let import = glue
        .lines()
        .find(|line| line.starts_with("import ") && line.contains(LOADER))
        .context("the glue does not import the loader")?;
    let name = import.split_whitespace().nth(3).filter(|_| import.starts_with("import * as "));
    let name = name.with_context(|| format!("the glue imports the loader in another way: {import}"))?;
    let (mut text, mut exported) = (String::new(), Vec::new());
    for line in loader.lines() {
        let own = line.strip_prefix("export const ");
        exported.extend(own.and_then(|own| own.split_whitespace().next()));
        // The glue itself has what the loader imports.
        if !line.starts_with("import ") {
            text.push_str(line.strip_prefix("export ").unwrap_or(line));
            text.push('\n');
        }
    }
    ensure!(!exported.is_empty() && text.contains(CUT_OFF), "the loader loads nothing");
    let loader = text.replace(CUT_OFF, part);
    Ok(format!("{}{loader}const {name} = {{ {} }};\n", glue.replacen(import, "", 1), exported.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCRIPT: &str = "import { initSync } from \"./main.js\";\nfunction load(url) { return initSync(url); }\n\
        export const __wasm_split_load_later = load(\"./split_later.wasm\");\n";

    #[test]
    fn the_loader_becomes_a_part_of_the_glue() {
        let glue = "import * as import1 from \"./__wasm_split.js\"\nfunction f() { return { \"x\": import1 }; }\nexport { f };\n";
        let text = with_loader(glue, SCRIPT, "iris-1_later.wasm").unwrap();
        assert_eq!(
            text,
            "\nfunction f() { return { \"x\": import1 }; }\nexport { f };\n\
            function load(url) { return initSync(url); }\n\
            const __wasm_split_load_later = load(\"./iris-1_later.wasm\");\n\
            const import1 = { __wasm_split_load_later };\n"
        );
    }

    #[test]
    fn a_glue_or_a_loader_of_another_form_stops_the_build() {
        let glue = "import * as import1 from \"./__wasm_split.js\"\n";
        for (glue, loader) in [
            ("let a;\n", SCRIPT),
            ("import { load } from \"./__wasm_split.js\"\n", SCRIPT),
            (glue, "const a = 1;\n"),
            (glue, "export const a = load(\"./other.wasm\");\n"),
        ] {
            assert!(with_loader(glue, loader, "part").is_err(), "{glue}{loader}");
        }
    }
}
