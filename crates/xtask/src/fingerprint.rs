//! One number for everything the built app depends on: the same number means the same app. Content counts, not times, so
//! that a fresh clone or a change of branch and back builds nothing twice.

use anyhow::{Context, Result};
use sha2::{Digest, Sha256};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// What the app is made of, below the checkout. Eight of our own sources count: they write part of the result.
const INPUTS: [&str; 22] = [
    "src",
    "style",
    "public",
    "modules",
    "crates/core/src",
    "crates/core/Cargo.toml",
    "crates/desk",
    "crates/small",
    "crates/xtask/src/compress.rs",
    "crates/xtask/src/desk.rs",
    "crates/xtask/src/glue.rs",
    "crates/xtask/src/modules.rs",
    "crates/xtask/src/order.rs",
    "crates/xtask/src/split.rs",
    "crates/xtask/src/stylesheet.rs",
    "crates/xtask/src/wasm.rs",
    ".cargo/config.toml",
    "Cargo.lock",
    "Cargo.toml",
    "Trunk.toml",
    "build.rs",
    "index.html",
];

/// The fingerprint of the app's sources under `root`, and of `context`: the compiler and the tools.
pub(crate) fn of_app(root: &Path, context: &str) -> Result<String> {
    of(root, &INPUTS, context)
}

/// The fingerprint of the files and folders `inputs` under `root`, and of `context`.
pub(crate) fn of(root: &Path, inputs: &[&str], context: &str) -> Result<String> {
    let mut files = Vec::new();
    for input in inputs {
        collect(&root.join(input), &mut files)?;
    }
    files.sort();
    let mut hash = Sha256::new();
    let mut add = |part: &[u8]| {
        // The length keeps "ab" + "c" and "a" + "bc" apart.
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    };
    add(context.as_bytes());
    for file in &files {
        let name = file.strip_prefix(root).unwrap_or(file);
        add(name.to_string_lossy().as_bytes());
        add(&fs::read(file).with_context(|| format!("cannot read {}", file.display()))?);
    }
    Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Adds the file, or every file below the folder, but no packages that somebody's npm has put there. A missing input is an input too: it adds nothing.
fn collect(path: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    if path.is_file() {
        files.push(path.to_path_buf());
    } else if path.is_dir() && !path.ends_with("node_modules") {
        for entry in fs::read_dir(path).with_context(|| format!("cannot read {}", path.display()))? {
            collect(&entry?.path(), files)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder with these files, and its fingerprint over `src` and `one.txt`.
    fn fingerprint(name: &str, files: &[(&str, &str)], context: &str) -> String {
        let root = std::env::temp_dir().join(format!("iris-fingerprint-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&root);
        for (path, text) in files {
            let path = root.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let result = of(&root, &["src", "one.txt", "missing"], context).unwrap();
        fs::remove_dir_all(&root).unwrap();
        result
    }

    #[test]
    fn the_same_content_has_the_same_fingerprint_wherever_it_lies() {
        let files = [("src/a.rs", "a"), ("src/deep/b.rs", "b"), ("one.txt", "1")];
        assert_eq!(fingerprint("first", &files, "x"), fingerprint("second", &files, "x"));
    }

    #[test]
    fn content_name_place_and_context_all_count() {
        let base = fingerprint("base", &[("src/a.rs", "a"), ("one.txt", "1")], "x");
        let changed = [
            fingerprint("content", &[("src/a.rs", "b"), ("one.txt", "1")], "x"),
            fingerprint("name", &[("src/c.rs", "a"), ("one.txt", "1")], "x"),
            fingerprint("place", &[("src/in/a.rs", "a"), ("one.txt", "1")], "x"),
            fingerprint("gone", &[("src/a.rs", "a")], "x"),
            fingerprint("context", &[("src/a.rs", "a"), ("one.txt", "1")], "y"),
        ];
        for other in changed {
            assert_ne!(base, other);
        }
    }

    #[test]
    fn every_input_of_the_app_exists() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        for input in INPUTS {
            assert!(root.join(input).exists(), "{input}");
        }
    }

    #[test]
    fn what_is_not_an_input_does_not_count() {
        let others = [("src/a.rs", "a"), ("docs/page.md", "text"), ("src/node_modules/b.js", "b")];
        let with = fingerprint("with", &others, "x");
        assert_eq!(with, fingerprint("without", &[("src/a.rs", "a")], "x"));
    }
}
