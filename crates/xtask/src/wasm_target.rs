//! The standard library for `wasm32-unknown-unknown`: finds a toolchain that has it, or gets one. `rustup target add`
//! first; on a Debian machine that cannot download it, Debian's compiler and sources build it.

use crate::{
    apt,
    paths::Paths,
    process::{self, Echo, Step},
    tools,
};
use anyhow::{Context, Result, bail};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// The target of the app.
pub(crate) const TARGET: &str = "wasm32-unknown-unknown";

/// The name under which rustup knows Debian's toolchain.
const LINKED: &str = "iris-wasm";

/// Which toolchain compiles for the browser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Toolchain {
    /// The one everything else is compiled with.
    Default,
    /// Debian's, linked into rustup; it has no clippy.
    Debian,
}

impl Toolchain {
    /// Makes a command use this toolchain.
    pub(crate) fn apply(self, command: &mut Command) {
        if self == Self::Debian {
            command.env("RUSTUP_TOOLCHAIN", LINKED);
        }
    }
}

/// Finds or makes a toolchain that compiles for the browser.
pub(crate) fn ensure(paths: &Paths) -> Result<Toolchain> {
    if let Some(found) =
        [Toolchain::Default, Toolchain::Debian].into_iter().find(|toolchain| has_target(*toolchain))
    {
        return Ok(found);
    }
    match rustup_target_add() {
        Ok(()) if has_target(Toolchain::Default) => return Ok(Toolchain::Default),
        Ok(()) => println!("  rustup has the target, but the compiler in use does not"),
        Err(error) => println!("  {error:#}"),
    }
    if tools::find_on_path(&["apt-get"]).is_none() || tools::find_on_path(&["rustup"]).is_none() {
        bail!("no compiler for {TARGET}: run `rustup target add {TARGET}`, or install Rust with rustup");
    }
    println!("  it cannot be downloaded: Debian's compiler and sources will do");
    build_with_debian(paths)?;
    if has_target(Toolchain::Debian) {
        return Ok(Toolchain::Debian);
    }
    bail!("Debian's compiler was prepared but does not find the standard library for {TARGET}")
}

/// Whether the toolchain has a standard library for the browser.
fn has_target(toolchain: Toolchain) -> bool {
    let mut command = Command::new("rustc");
    command.args(["--print", "target-libdir", "--target", TARGET]);
    toolchain.apply(&mut command);
    let Ok(answer) = command.output() else { return false };
    answer.status.success() && has_std(Path::new(String::from_utf8_lossy(&answer.stdout).trim()))
}

fn has_std(folder: &Path) -> bool {
    let Ok(entries) = fs::read_dir(folder) else { return false };
    entries.flatten().any(|entry| entry.file_name().to_string_lossy().starts_with("libstd-"))
}

fn rustup_target_add() -> Result<()> {
    let name = format!("Adding the target {TARGET}");
    let step = Step {
        name: &name,
        takes: "seconds",
        remedy: "a way to Rust's download server",
        echo: Echo::Progress,
    };
    let mut command = Command::new("rustup");
    command.args(["target", "add", TARGET]);
    process::run(&step, command).map(drop)
}

/// Debian has the sources of its standard library, which its compiler builds for the browser in under a minute.
fn build_with_debian(paths: &Paths) -> Result<()> {
    let base = ["rustc-web", "cargo-web", "rust-web-src", "libstd-rust-web-dev"];
    apt::install(paths, base.to_vec())?;
    let llvm = llvm_major(&capture(Command::new("/usr/bin/rustc").arg("-vV"))?)
        .context("rustc names no LLVM version")?;
    let linker = format!("lld-{llvm}");
    apt::install(paths, vec![&linker])?;
    if !apt::is_root() {
        bail!("preparing Debian's compiler for {TARGET} writes below /usr: run this once as root");
    }
    let sysroot = PathBuf::from(capture(Command::new("/usr/bin/rustc").args(["--print", "sysroot"]))?.trim());
    copy_std(&build_std(paths)?, &sysroot.join("lib/rustlib").join(TARGET).join("lib"))?;
    link_linker(&linker, &sysroot)?;
    capture(Command::new("rustup").args(["toolchain", "link", LINKED]).arg(&sysroot)).map(drop)
}

/// Builds `std` for the browser as a dependency of an empty crate, and returns the folder with its libraries.
fn build_std(paths: &Paths) -> Result<PathBuf> {
    let folder = paths.cache.join("wasm-std");
    fs::create_dir_all(folder.join("src"))?;
    fs::write(folder.join("src/lib.rs"), "")?;
    fs::write(
        folder.join("Cargo.toml"),
        "[package]\nname = \"throwaway\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n[workspace]\n",
    )?;
    let name = format!("Building the standard library for {TARGET}");
    let remedy = "an x86-64 or arm64 Debian 12 or later with its security updates";
    let step = Step { name: &name, takes: "about 1 minute, once", remedy, echo: Echo::Progress };
    let target = folder.join("target");
    let mut command = Command::new("/usr/bin/cargo");
    command.current_dir(&folder).args([
        "build",
        "--release",
        "--target",
        TARGET,
        "-Zbuild-std=std,panic_abort,test",
    ]);
    command.env("RUSTC", "/usr/bin/rustc").env("CARGO_TARGET_DIR", &target);
    // The first lets a released compiler build its own library; without the second the app's LTO finds no bitcode.
    command.env("RUSTC_BOOTSTRAP", "1").env("RUSTFLAGS", "-Cembed-bitcode=yes");
    command.env_remove("CARGO_ENCODED_RUSTFLAGS").env_remove("RUSTUP_TOOLCHAIN");
    process::run(&step, command)?;
    Ok(target.join(TARGET).join("release/deps"))
}

fn copy_std(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to).with_context(|| format!("cannot make {}", to.display()))?;
    for entry in fs::read_dir(from).with_context(|| format!("cannot read {}", from.display()))? {
        let entry = entry?;
        let name = entry.file_name();
        if is_std_library(&name.to_string_lossy()) {
            fs::copy(entry.path(), to.join(&name))
                .with_context(|| format!("cannot write into {}", to.display()))?;
        }
    }
    Ok(())
}

fn is_std_library(name: &str) -> bool {
    name.ends_with(".rlib") && !name.starts_with("libthrowaway-")
}

/// rustc looks for its linker as `rust-lld` beside its libraries.
fn link_linker(linker: &str, sysroot: &Path) -> Result<()> {
    let host = host(&capture(Command::new("/usr/bin/rustc").arg("-vV"))?).context("rustc names no host")?;
    let folder = sysroot.join("lib/rustlib").join(host).join("bin");
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let program = tools::find_on_path(&[linker]).with_context(|| format!("{linker} is not on PATH"))?;
    capture(Command::new("ln").arg("-sf").arg(program).arg(folder.join("rust-lld"))).map(drop)
}

fn capture(command: &mut Command) -> Result<String> {
    let answer =
        command.output().with_context(|| format!("cannot start {}", command.get_program().display()))?;
    if !answer.status.success() {
        bail!(
            "{} failed: {}",
            command.get_program().display(),
            String::from_utf8_lossy(&answer.stderr).trim()
        );
    }
    Ok(String::from_utf8_lossy(&answer.stdout).into_owned())
}

/// The field of `rustc -vV`.
fn field<'a>(answer: &'a str, name: &str) -> Option<&'a str> {
    answer.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": ")).map(str::trim)
}

fn llvm_major(answer: &str) -> Option<u32> {
    field(answer, "LLVM version")?.split('.').next()?.parse().ok()
}

fn host(answer: &str) -> Option<String> {
    field(answer, "host").map(String::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANSWER: &str = "rustc 1.96.0 (abc 2026-05-28)\nbinary: rustc\nhost: x86_64-unknown-linux-gnu\nrelease: 1.96.0\nLLVM version: 22.1.2\n";

    #[test]
    fn the_linker_has_the_compilers_llvm_version() {
        assert_eq!(llvm_major(ANSWER), Some(22));
        assert_eq!(llvm_major("rustc 1.96.0\n"), None);
        assert_eq!(llvm_major("LLVM version: unknown\n"), None);
    }

    #[test]
    fn the_host_is_read_from_the_compiler() {
        assert_eq!(host(ANSWER).as_deref(), Some("x86_64-unknown-linux-gnu"));
    }

    #[test]
    fn everything_but_the_throw_away_crate_is_the_standard_library() {
        assert!(is_std_library("libstd-0a1b.rlib"));
        assert!(is_std_library("libtest-0a1b.rlib"));
        assert!(!is_std_library("libthrowaway-0a1b.rlib"));
        assert!(!is_std_library("libstd-0a1b.rmeta"));
    }
}
