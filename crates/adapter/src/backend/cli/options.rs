//! What the backend is told at the start: where Hermes is and how it is called. Finds Hermes, or says what to do.

use std::{
    env,
    path::{Path, PathBuf},
    time::Duration,
};

use super::environment;
use crate::{config, data};

/// How the backend runs Hermes.
#[derive(Clone, Debug)]
pub struct Options {
    /// The program; absent: the first `hermes` of the search path.
    pub hermes: Option<PathBuf>,
    /// Hermes' own folder (`HERMES_HOME`); absent: what Hermes takes by itself.
    pub home: Option<PathBuf>,
    /// The folder in which the agent works.
    pub workdir: PathBuf,
    /// Arguments that come after `hermes chat`, as they are.
    pub arguments: Vec<String>,
    /// Names of more variables of the environment that Hermes gets.
    pub environment: Vec<String>,
    /// Where the backend keeps its locks and the pictures that it handed to Hermes.
    pub data: PathBuf,
    /// The program that has the command `keep`: this one.
    pub keeper: PathBuf,
    /// How long Hermes may take to react.
    pub patience: Patience,
}

/// How long Hermes may take to react before more is done about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// From SIGINT to SIGTERM.
    pub interrupt: Duration,
    /// From SIGTERM to SIGKILL.
    pub terminate: Duration,
    /// From its last record to its end, when somebody waits for it.
    pub linger: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        // After SIGINT Hermes ends its tool and writes its last record; that took it 1.7 s.
        Self {
            interrupt: Duration::from_secs(6),
            terminate: Duration::from_secs(4),
            linger: Duration::from_secs(15),
        }
    }
}

/// Why the backend cannot start, and what to do about it.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// No `hermes` on the search path.
    #[error(
        "there is no `hermes` on the search path (PATH).\nInstall Hermes Agent, or say where it is: --hermes PATH. \
         To look at Iris without it, take --backend demo."
    )]
    NotFound,
    /// Not where it was said to be.
    #[error("--hermes {}: there is no such program. Say where `hermes` is; `which hermes` finds it.", .0.display())]
    NoProgram(PathBuf),
    /// No folder to work in.
    #[error("--workdir {}: there is no such folder. Make it, or name another one.", .0.display())]
    NoWorkdir(PathBuf),
    /// No home.
    #[error("--hermes-home {}: there is no such folder. Set Hermes up first (`hermes setup`), or name another one.", .0.display())]
    NoHome(PathBuf),
    /// This program is not where it was.
    #[error("cannot find the running iris-adapter again: {0}.\nStart it by its full path.")]
    NoKeeper(std::io::Error),
    /// The data folder cannot be written.
    #[error("cannot keep anything in {folder}: {1}.\nName another folder with --data DIR.", folder = .0.display())]
    Data(PathBuf, std::io::Error),
}

impl Options {
    /// How the configuration wants it, by this very program.
    ///
    /// # Errors
    /// When this program cannot be found again.
    pub fn new(hermes: &config::Hermes, data: &Path) -> Result<Self, StartError> {
        Ok(Self {
            hermes: hermes.program.clone(),
            home: hermes.home.clone(),
            workdir: hermes.workdir.clone(),
            arguments: hermes.arguments.clone(),
            environment: hermes.environment.clone(),
            data: data.join("cli"),
            keeper: env::current_exe().map_err(StartError::NoKeeper)?,
            patience: Patience::default(),
        })
    }

    /// These options, with every path looked up.
    pub(super) fn checked(mut self) -> Result<Self, StartError> {
        let program = match self.hermes.take() {
            Some(path) => find(&path).ok_or(StartError::NoProgram(path))?,
            None => find(Path::new("hermes")).ok_or(StartError::NotFound)?,
        };
        self.hermes = Some(program);
        if !self.workdir.is_dir() {
            return Err(StartError::NoWorkdir(self.workdir));
        }
        if let Some(home) = self.home.take_if(|home| !home.is_dir()) {
            return Err(StartError::NoHome(home));
        }
        // Hermes runs in another folder than the adapter.
        self.workdir = absolute(self.workdir);
        self.home = self.home.map(absolute);
        self.data = absolute(self.data);
        data::make_private(&self.data).map_err(|error| StartError::Data(self.data.clone(), error))?;
        Ok(self)
    }

    /// The program that is run.
    pub(super) fn program(&self) -> &Path {
        self.hermes.as_deref().unwrap_or(Path::new("hermes"))
    }

    /// The environment of a Hermes process.
    pub(super) fn variables(&self) -> Vec<(String, String)> {
        let mut variables = environment::allowed(&self.environment);
        if let Some(home) = &self.home {
            variables.retain(|(name, _)| name != "HERMES_HOME");
            variables.push(("HERMES_HOME".to_owned(), home.to_string_lossy().into_owned()));
        }
        // Prompt and events are UTF-8 in any locale, and half an emoji must not end a turn.
        variables.push(("PYTHONIOENCODING".to_owned(), "utf-8:replace".to_owned()));
        variables
    }
}

fn absolute(path: PathBuf) -> PathBuf {
    std::path::absolute(&path).unwrap_or(path)
}

/// A name without a folder is looked for on the search path, as a shell does.
fn find(name: &Path) -> Option<PathBuf> {
    if name.components().count() > 1 {
        return std::path::absolute(name).ok().filter(|path| is_program(path));
    }
    let path = env::var_os("PATH")?;
    env::split_paths(&path).map(|folder| folder.join(name)).find(|path| is_program(path))
}

fn is_program(path: &Path) -> bool {
    let Ok(about) = path.metadata() else { return false };
    #[cfg(unix)]
    let runs = std::os::unix::fs::PermissionsExt::mode(&about.permissions()) & 0o111 != 0;
    #[cfg(not(unix))]
    let runs = true;
    about.is_file() && runs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(folder: &Path) -> Options {
        Options {
            hermes: Some("sh".into()),
            home: None,
            workdir: folder.to_owned(),
            arguments: Vec::new(),
            environment: Vec::new(),
            data: folder.join("data"),
            keeper: "iris-adapter".into(),
            patience: Patience::default(),
        }
    }

    fn check(change: impl FnOnce(&mut Options), expected: &str) {
        let folder = tempfile::tempdir().unwrap();
        let mut options = options(folder.path());
        change(&mut options);
        let error = options.checked().unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }

    #[test]
    fn a_mistake_is_said_with_what_to_do() {
        check(
            |options| options.hermes = Some("no-such-hermes".into()),
            "--hermes no-such-hermes: there is no such",
        );
        check(|options| options.hermes = Some("/etc/passwd".into()), "`which hermes` finds it");
        check(|options| options.workdir = "/no/such".into(), "--workdir /no/such");
        check(|options| options.home = Some("/no/such".into()), "`hermes setup`");
        check(|options| options.data = "/dev/null/x".into(), "--data DIR");
    }

    #[test]
    fn a_bare_name_is_found_on_the_search_path() {
        let folder = tempfile::tempdir().unwrap();
        let options = options(folder.path()).checked().unwrap();
        assert!(options.program().is_absolute());
        assert!(options.data.is_dir());
    }

    #[test]
    fn the_home_is_the_one_that_was_named() {
        let folder = tempfile::tempdir().unwrap();
        let options = Options { home: Some(folder.path().to_owned()), ..options(folder.path()) };
        let homes: Vec<_> =
            options.variables().into_iter().filter(|(name, _)| name == "HERMES_HOME").collect();
        assert_eq!(homes, [("HERMES_HOME".to_owned(), folder.path().to_string_lossy().into_owned())]);
    }
}
