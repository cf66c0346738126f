//! The tools the project is built and tested with, one folder a version in the cache. Installs what is missing, so that
//! an interrupted installation never looks complete; changes nothing global.

use crate::{
    lock,
    paths::Paths,
    process::{self, Echo, Step},
};
use anyhow::{Context, Result, bail};
use std::{
    env,
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// Where a tool comes from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    /// Built from source with `cargo install`.
    Crates,
    /// Installed with npm.
    Npm,
}

/// A tool at one version.
pub(crate) struct Tool {
    /// The package that has it.
    package: &'static str,
    pub(crate) version: &'static str,
    /// The program that is called.
    program: &'static str,
    source: Source,
    /// How long the installation takes on two cores.
    takes: &'static str,
}

pub(crate) const TRUNK: Tool = Tool {
    package: "trunk",
    version: "0.21.14",
    program: "trunk",
    source: Source::Crates,
    takes: "from source, about 4 minutes, once",
};

/// Must be the version of the `wasm-bindgen` crate, or it refuses to work. A test below holds them together.
pub(crate) const WASM_BINDGEN: Tool = Tool {
    package: "wasm-bindgen-cli",
    version: "0.2.129",
    program: "wasm-bindgen",
    source: Source::Crates,
    takes: "from source, about 1 minute, once",
};

pub(crate) const WASM_PACK: Tool = Tool {
    package: "wasm-pack",
    version: "0.15.1",
    program: "wasm-pack",
    source: Source::Crates,
    takes: "from source, about 1 minute, once",
};

pub(crate) const CARGO_DENY: Tool = Tool {
    package: "cargo-deny",
    version: "0.20.2",
    program: "cargo-deny",
    source: Source::Crates,
    takes: "from source, about 2 minutes, once",
};

/// `wasm-opt`; the one Debian has is too old for today's Rust.
pub(crate) const BINARYEN: Tool = Tool {
    package: "binaryen",
    version: "132.0.0",
    program: "wasm-opt",
    source: Source::Npm,
    takes: "seconds, once",
};

/// What building the app needs; the quick one first, so that a machine without Node says so at once.
pub(crate) const FOR_BUILD: [&Tool; 3] = [&BINARYEN, &TRUNK, &WASM_BINDGEN];

/// Everything there is.
pub(crate) const ALL: [&Tool; 5] = [&BINARYEN, &TRUNK, &WASM_BINDGEN, &WASM_PACK, &CARGO_DENY];

/// Written into a tool's folder when its program has answered with the right version.
const COMPLETE: &str = ".complete";

impl Tool {
    fn title(&self) -> String {
        format!("{} {}", self.package, self.version)
    }

    fn folder(&self, paths: &Paths) -> PathBuf {
        paths.cache.join("tools").join(format!("{}-{}", self.package, self.version))
    }

    /// Where the programs are, inside the tool's folder.
    fn programs(&self) -> &'static str {
        match self.source {
            Source::Crates => "bin",
            Source::Npm => "node_modules/.bin",
        }
    }

    /// Whether the program in `folder` runs and is the version we want.
    fn works(&self, folder: &Path) -> bool {
        let program = folder.join(self.programs()).join(self.program);
        let Ok(output) = Command::new(program).arg("--version").output() else { return false };
        output.status.success() && says_version(&String::from_utf8_lossy(&output.stdout), self.version)
    }

    fn install_command(&self, paths: &Paths, folder: &Path) -> Command {
        match self.source {
            Source::Crates => {
                let mut command = Command::new("cargo");
                command
                    .args(["install", self.package, "--locked", "--version", self.version, "--root"])
                    .arg(folder);
                // A tool runs for seconds: the time goes into building it.
                command.env("CARGO_PROFILE_RELEASE_LTO", "off");
                command.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1");
                command.env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16");
                command.env("CARGO_TARGET_DIR", build_folder(paths));
                // Our own .cargo/config.toml is for the app, not for the tools.
                command.current_dir(&paths.cache);
                command
            }
            Source::Npm => {
                let mut command = Command::new("npm");
                command.args(["install", "--no-audit", "--no-fund", "--prefix"]).arg(folder);
                command.arg(format!("{}@{}", self.package, self.version));
                command
            }
        }
    }

    fn remedy(&self) -> &'static str {
        match self.source {
            Source::Crates => {
                "a C compiler (cc) and a way to the crates registry; then the same command again goes on"
            }
            Source::Npm => "Node with npm and a way to its registry; then the same command again",
        }
    }
}

/// Installs those of `tools` that are missing. A second call does nothing.
pub(crate) fn ensure(paths: &Paths, tools: &[&Tool]) -> Result<()> {
    let missing: Vec<_> = tools.iter().filter(|tool| !tool.folder(paths).join(COMPLETE).is_file()).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let _lock = lock::acquire(&paths.cache.join("install.lock"), "the folder of tools")?;
    for tool in missing {
        install(paths, tool)?;
    }
    // The intermediate files are large, and of no use after the last tool.
    let _ = fs::remove_dir_all(build_folder(paths));
    Ok(())
}

fn install(paths: &Paths, tool: &Tool) -> Result<()> {
    let folder = tool.folder(paths);
    if tool.works(&folder) {
        return mark(&folder);
    }
    let partial = folder.with_file_name(format!("{}-{}.partial", tool.package, tool.version));
    let _ = fs::remove_dir_all(&partial);
    fs::create_dir_all(&partial).with_context(|| format!("cannot make {}", partial.display()))?;
    let name = format!("Installing {} into {}", tool.title(), paths.cache.display());
    let step = Step { name: &name, takes: tool.takes, remedy: tool.remedy(), echo: Echo::Progress };
    process::run(&step, tool.install_command(paths, &partial))?;
    if !tool.works(&partial) {
        bail!(
            "{} was installed but does not answer with its version; delete {}",
            tool.title(),
            partial.display()
        );
    }
    let _ = fs::remove_dir_all(&folder);
    fs::rename(&partial, &folder).with_context(|| format!("cannot make {}", folder.display()))?;
    mark(&folder)
}

fn mark(folder: &Path) -> Result<()> {
    fs::write(folder.join(COMPLETE), "").with_context(|| format!("cannot write into {}", folder.display()))
}

fn build_folder(paths: &Paths) -> PathBuf {
    paths.cache.join("build")
}

/// `PATH` for a child: the tools first, then everything that was there.
pub(crate) fn path_with(paths: &Paths, tools: &[&Tool]) -> Result<OsString> {
    let old = env::var_os("PATH").unwrap_or_default();
    let folders =
        tools.iter().map(|tool| tool.folder(paths).join(tool.programs())).chain(env::split_paths(&old));
    env::join_paths(folders)
        .context("the folder of tools has a character that PATH cannot hold; set IRIS_CACHE")
}

/// The full path of a tool's program.
pub(crate) fn program(paths: &Paths, tool: &Tool) -> PathBuf {
    tool.folder(paths).join(tool.programs()).join(tool.program)
}

/// The first program of one of these names on `PATH`.
pub(crate) fn find_on_path(names: &[&str]) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    names
        .iter()
        .flat_map(|name| env::split_paths(&path).map(move |folder| folder.join(name)))
        .find(|candidate| candidate.is_file())
}

/// Whether what `--version` printed names `version`. Binaryen says 132 where npm says 132.0.0.
fn says_version(output: &str, version: &str) -> bool {
    output
        .split(|c: char| !(c.is_ascii_alphanumeric() || c == '.' || c == '-' || c == '+'))
        .any(|word| same_version(word.trim_start_matches('v'), version))
}

fn same_version(left: &str, right: &str) -> bool {
    fn significant(version: &str) -> &str {
        let mut version = version;
        while let Some(shorter) = version.strip_suffix(".0") {
            version = shorter;
        }
        version
    }
    !left.is_empty() && significant(left) == significant(right)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_found_in_what_a_tool_prints() {
        let check = |output: &str, version: &str, expected: bool| {
            assert_eq!(says_version(output, version), expected, "{output:?} {version}");
        };
        check("trunk 0.21.14\n", "0.21.14", true);
        check("trunk 0.21.1\n", "0.21.14", false);
        check("trunk 0.21.14-alpha.1\n", "0.21.14", false);
        check("wasm-opt version 132 (version_132)\n", "132.0.0", true);
        check("wasm-opt version 108\n", "132.0.0", false);
        check("v0.15.1", "0.15.1", true);
        check("", "0.15.1", false);
    }

    #[test]
    fn trailing_zeros_do_not_make_another_version() {
        assert!(same_version("132", "132.0.0"));
        assert!(same_version("1.20.0", "1.20"));
        assert!(!same_version("1.2", "1.20"));
        assert!(!same_version("10", "1"));
    }

    #[test]
    fn the_bindgen_tool_has_the_version_of_the_crate() {
        let lock = include_str!("../../../Cargo.lock");
        let entry = format!("name = \"wasm-bindgen\"\nversion = \"{}\"", WASM_BINDGEN.version);
        assert!(
            lock.replace("\r\n", "\n").contains(&entry),
            "Cargo.lock has another wasm-bindgen than {entry}"
        );
    }

    #[test]
    fn trunk_is_told_the_version_that_is_installed() {
        let config = include_str!("../../../Trunk.toml");
        assert!(config.contains(&format!("wasm_bindgen = \"{}\"", WASM_BINDGEN.version)));
    }
}
