//! One test's laboratory: a folder with homes, a project to work in and logs, and the provider behind it all.

use std::{
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
};

use anyhow::Context;
use tempfile::TempDir;

use crate::{process::tail, provider::Provider};

/// How Hermes is set up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Home {
    /// For one `hermes chat` a turn.
    Cli,
    /// For the gateway with the Iris plugin.
    Gateway,
    /// The same, slow to show what the model wrote: its tools are told first.
    LateText,
}

/// The texts that the wheel leaves out: without them the gateway says their keys instead.
const LOCALE: &str = include_str!("../homes/locales-en.yaml");
/// Settings with which no bubble opens before its text is complete, and a plugin that keeps it closed for a while longer.
const LATE_TEXT: &str = "edit_interval: 1000000000\n  buffer_threshold: 1000000";
const LATE_PLUGIN: [(&str, &str); 2] = [
    ("plugin.yaml", include_str!("../homes/late/plugin.yaml")),
    ("__init__.py", include_str!("../homes/late/__init__.py")),
];
/// Lines of each log that a failed test shows.
const SHOWN: usize = 60;

/// A folder, a provider, and what a failed test leaves behind.
#[derive(Debug)]
pub struct Lab {
    /// The model.
    pub provider: Provider,
    folder: Option<TempDir>,
    path: PathBuf,
}

impl Lab {
    /// A lab with a provider and a small project.
    ///
    /// # Errors
    /// When the provider does not start.
    pub async fn start() -> anyhow::Result<Self> {
        let folder = tempfile::Builder::new().prefix("iris-lab-").tempdir()?;
        let path = folder.path().to_owned();
        for name in ["logs", "project", "user"] {
            fs::create_dir(path.join(name))?;
        }
        fs::write(path.join("project/README.md"), "# demo\n")?;
        fs::write(path.join("project/Cargo.toml"), "[package]\nname = \"demo\"\n")?;
        let provider = Provider::start(&path.join("logs/provider.log")).await?;
        Ok(Self { provider, folder: Some(folder), path })
    }

    /// The folder of everything.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where the agent works.
    pub fn project(&self) -> PathBuf {
        self.path.join("project")
    }

    /// Where a program's words are kept.
    pub fn log(&self, name: &str) -> PathBuf {
        self.path.join("logs").join(format!("{name}.log"))
    }

    /// A fresh home for Hermes.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn home(&self, home: Home) -> anyhow::Result<PathBuf> {
        let (name, template) = match home {
            Home::Cli => ("home-cli", include_str!("../homes/cli.yaml")),
            Home::Gateway | Home::LateText => ("home-gateway", include_str!("../homes/gateway.yaml")),
        };
        let folder = self.path.join(name);
        fs::create_dir_all(folder.join("locales"))?;
        fs::write(folder.join("locales/en.yaml"), LOCALE)?;
        let config = template
            .replace("@BASE_URL@", &self.provider.base_url())
            .replace("@PROJECT@", &self.project().to_string_lossy());
        let config = match home {
            Home::LateText => {
                let plugin = folder.join("plugins/late");
                fs::create_dir_all(&plugin)?;
                for (name, text) in LATE_PLUGIN {
                    fs::write(plugin.join(name), text)?;
                }
                config.replace("# @STREAMING@", LATE_TEXT)
            }
            Home::Cli | Home::Gateway => config,
        };
        fs::write(folder.join("config.yaml"), config)?;
        // The one user that Iris is to Hermes.
        fs::write(folder.join(".env"), "IRIS_ALLOWED_USERS=iris\n")?;
        Ok(folder)
    }

    /// The environment in which a program finds that home, and nothing of the machine's own Hermes.
    pub fn environment(&self, home: &Path) -> Vec<(OsString, OsString)> {
        let pairs: [(&str, &Path); 3] = [
            ("HERMES_HOME", home),
            ("HOME", &self.path.join("user")),
            ("XDG_DATA_HOME", &self.path.join("user/data")),
        ];
        pairs.into_iter().map(|(name, value)| (name.into(), value.into())).collect()
    }

    /// The test went well: nothing is left behind.
    pub fn done(mut self) {
        self.folder.take();
    }
}

impl Drop for Lab {
    /// A failed test shows what the programs said, and leaves the folder.
    fn drop(&mut self) {
        let Some(folder) = self.folder.take() else { return };
        let kept = folder.keep();
        eprintln!("the lab is kept in {}", kept.display());
        let logs = fs::read_dir(kept.join("logs")).into_iter().flatten().flatten();
        for log in logs {
            eprintln!("── {} ──\n{}", log.path().display(), tail(&log.path(), SHOWN));
        }
    }
}

/// The `hermes` program.
///
/// # Errors
/// When nobody said where it is.
pub fn hermes() -> anyhow::Result<PathBuf> {
    let program = std::env::var_os("IRIS_HERMES").map(PathBuf::from);
    program.context("IRIS_HERMES is not set: `cargo xtask test --only hermes` installs Hermes and sets it")
}
