//! The `iris` plugin on disk: its files, which this binary carries, in `$HERMES_HOME/plugins/iris`, and beside them
//! `bridge.json`, which tells it where the adapter listens and the token that both must know. It changes nothing else in
//! Hermes' folder.

use std::{
    fs::{self, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

/// The plugin's files.
const FILES: [(&str, &str); 7] = [
    ("plugin.yaml", include_str!("../../../hermes-plugin/iris/plugin.yaml")),
    ("__init__.py", include_str!("../../../hermes-plugin/iris/__init__.py")),
    ("about.py", include_str!("../../../hermes-plugin/iris/about.py")),
    ("adapter.py", include_str!("../../../hermes-plugin/iris/adapter.py")),
    ("bridge.py", include_str!("../../../hermes-plugin/iris/bridge.py")),
    ("hooks.py", include_str!("../../../hermes-plugin/iris/hooks.py")),
    ("ring.py", include_str!("../../../hermes-plugin/iris/ring.py")),
];
const SETTINGS: &str = "bridge.json";
/// The port that the adapter listens on for the plugin, unless told otherwise.
pub const DEFAULT_PORT: u16 = 8788;
const TOKEN_BYTES: usize = 32;

/// What is wrong with the plugin, and what to do about it.
#[derive(Debug, thiserror::Error)]
pub enum PluginError {
    /// No Hermes.
    #[error(
        "there is no Hermes in {folder}.\nSay where it is with --hermes-home DIR or HERMES_HOME, or set Hermes up first: \
         `hermes setup`.", folder = .0.display()
    )]
    NoHome(PathBuf),
    /// No plugin.
    #[error("the Iris plugin is not in {folder}.\nPut it there: `iris-adapter install-plugin`.", folder = .0.display())]
    NotInstalled(PathBuf),
    /// Another version.
    #[error(
        "the Iris plugin in {folder} is not the one of this adapter.\nRun `iris-adapter install-plugin`, then restart \
         Hermes' gateway.", folder = .0.display()
    )]
    Outdated(PathBuf),
    /// The disk.
    #[error("{path}: {1}", path = .0.display())]
    Io(PathBuf, io::Error),
    /// No randomness.
    #[error("this system gives no random numbers: {0}")]
    Random(getrandom::Error),
}

/// What the plugin must know.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// The port of this machine's loopback on which the adapter listens.
    pub port: u16,
    /// What both must know.
    pub token: String,
}

// A token is never printed.
impl std::fmt::Debug for Settings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Settings").field("port", &self.port).finish_non_exhaustive()
    }
}

/// The plugin's folder in a Hermes home.
#[derive(Clone, Debug)]
pub struct Installed {
    folder: PathBuf,
}

/// Hermes' home: what was said, else `HERMES_HOME`, else `~/.hermes`.
pub fn hermes_home(said: Option<PathBuf>) -> PathBuf {
    let from_env = || std::env::var_os("HERMES_HOME").filter(|home| !home.is_empty()).map(PathBuf::from);
    said.or_else(from_env).unwrap_or_else(|| {
        etcetera::home_dir().map(|home| home.join(".hermes")).unwrap_or_else(|_| PathBuf::from(".hermes"))
    })
}

/// Puts the plugin into a Hermes home, or the newest version in place of an older; the settings stay as they are.
///
/// # Errors
/// When there is no Hermes, or its folder cannot be written.
pub fn install(home: &Path) -> Result<Installed, PluginError> {
    if !home.is_dir() {
        return Err(PluginError::NoHome(home.to_owned()));
    }
    let installed = Installed { folder: folder(home) };
    fs::create_dir_all(&installed.folder)
        .map_err(|error| PluginError::Io(installed.folder.clone(), error))?;
    for (name, content) in FILES {
        let path = installed.folder.join(name);
        if fs::read(&path).ok().as_deref() != Some(content.as_bytes()) {
            replace(&path, content.as_bytes(), 0o644).map_err(|error| PluginError::Io(path, error))?;
        }
    }
    if installed.settings().is_none() {
        let token = new_token().map_err(PluginError::Random)?;
        installed.write(&Settings { port: DEFAULT_PORT, token })?;
    }
    Ok(installed)
}

fn folder(home: &Path) -> PathBuf {
    home.join("plugins").join("iris")
}

impl Installed {
    /// The plugin in a Hermes home, if it is there and the one of this binary.
    ///
    /// # Errors
    /// When it is not.
    pub fn find(home: &Path) -> Result<Self, PluginError> {
        if !home.is_dir() {
            return Err(PluginError::NoHome(home.to_owned()));
        }
        let folder = folder(home);
        if !folder.join("plugin.yaml").is_file() {
            return Err(PluginError::NotInstalled(folder));
        }
        let same = |(name, content): &(&str, &str)| {
            fs::read(folder.join(name)).is_ok_and(|found| found == content.as_bytes())
        };
        if FILES.iter().all(same) { Ok(Self { folder }) } else { Err(PluginError::Outdated(folder)) }
    }

    /// Where it is.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The token that the plugin knows; a new one when it knows none.
    ///
    /// # Errors
    /// When the system gives no random numbers.
    pub fn token(&self) -> Result<String, PluginError> {
        self.settings().map_or_else(|| new_token().map_err(PluginError::Random), |found| Ok(found.token))
    }

    /// Tells the plugin; it looks each time it connects.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write(&self, settings: &Settings) -> Result<(), PluginError> {
        let path = self.folder.join(SETTINGS);
        let text = serde_json::to_string(settings).unwrap_or_default();
        replace(&path, text.as_bytes(), 0o600).map_err(|error| PluginError::Io(path, error))
    }

    fn settings(&self) -> Option<Settings> {
        let text = fs::read_to_string(self.folder.join(SETTINGS)).ok()?;
        let found: Settings = serde_json::from_str(&text).ok()?;
        (found.token.len() >= TOKEN_BYTES).then_some(found)
    }
}

fn new_token() -> Result<String, getrandom::Error> {
    let mut bytes = [0; TOKEN_BYTES];
    getrandom::fill(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Writes a file that is there as a whole or not at all, and never open to more people than `mode` says.
fn replace(path: &Path, content: &[u8], mode: u32) -> io::Result<()> {
    let beside = path.with_extension("new");
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, mode);
    #[cfg(not(unix))]
    let _ = mode;
    // One that was left over may be open to others.
    match fs::remove_file(&beside) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut file = options.open(&beside)?;
    file.write_all(content)?;
    file.sync_all()?;
    fs::rename(&beside, path)
}
