//! Says where the built app is that goes into the binary: `IRIS_DIST`, or `dist/` of the workspace for a release build.
//! A development build carries none unless it is told to: whoever develops serves the app from its folder (`--app`), and
//! must not compile the adapter again because the app has changed.

use std::{env, fs, io, path::PathBuf};

fn main() -> io::Result<()> {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=IRIS_DIST");
    let usual = PathBuf::from(variable("CARGO_MANIFEST_DIR")?).join("../../dist");
    let wanted = match env::var_os("IRIS_DIST") {
        Some(named) => Some(PathBuf::from(named)),
        None if variable("PROFILE")? == "release" => Some(usual),
        None => None,
    };
    let app = wanted.iter().find(|folder| folder.join("index.html").is_file());
    if let (Some(named), None) = (env::var_os("IRIS_DIST"), app) {
        return Err(io::Error::other(format!("IRIS_DIST: there is no built app in {}", named.display())));
    }
    if let Some(folder) = &wanted {
        // Also where there is nothing yet: once there is, it is to go in.
        println!("cargo:rerun-if-changed={}", folder.display());
    }
    let folder = match app {
        Some(folder) => folder.canonicalize()?,
        None => nothing()?,
    };
    println!("cargo:rustc-env=IRIS_EMBEDDED_APP={}", folder.display());
    Ok(())
}

/// An empty folder.
fn nothing() -> io::Result<PathBuf> {
    let folder = PathBuf::from(variable("OUT_DIR")?).join("no-app");
    fs::create_dir_all(&folder)?;
    Ok(folder)
}

fn variable(name: &str) -> io::Result<String> {
    env::var(name).map_err(|error| io::Error::other(format!("{name}: {error}")))
}
