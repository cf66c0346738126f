//! The configuration file: TOML whose keys are the long options of `serve` without their dashes. What the command line
//! or the environment says wins. The file is turned into words of the command line, so that a new option is a new key
//! at once, checked and explained in one place.

use std::{
    ffi::{OsStr, OsString},
    fs, io,
    path::{Path, PathBuf},
};

use clap::{Arg, ArgAction, ArgMatches, Command, CommandFactory, FromArgMatches, parser::ValueSource};
use etcetera::{BaseStrategy, choose_base_strategy};
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use crate::cli::Cli;

/// What the file is about: the options of this command.
const SUBJECT: &str = "serve";
/// Options that make no sense in the file itself.
const NOT_IN_A_FILE: [&str; 3] = ["config", "help", "version"];

/// What is wrong with the configuration file, for the person who wrote it.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// It was named, and cannot be read.
    #[error("cannot read the configuration file {file}: {1}", file = .0.display())]
    Unreadable(PathBuf, io::Error),
    /// It is no TOML.
    #[error("{file}, line {line}: {what}", file = .file.display())]
    Wrong {
        /// The file.
        file: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong there.
        what: String,
    },
    /// The command line itself, in clap's words.
    #[error(transparent)]
    Usage(#[from] clap::Error),
}

/// Reads the command line and the file that it names, or the usual one if there is one.
pub fn parse(words: Vec<OsString>) -> Result<Cli, FileError> {
    let matches = Cli::command().try_get_matches_from(&words)?;
    let Some((name, given)) = matches.subcommand() else { return Ok(Cli::from_arg_matches(&matches)?) };
    let Some((file, text)) = read(given)? else { return Ok(Cli::from_arg_matches(&matches)?) };
    let from_file = Source { file: &file, text: &text }.words(name, given)?;
    let at = words.iter().skip(1).position(|word| word == OsStr::new(name)).map_or(words.len(), |at| at + 2);
    let mut all = words;
    all.splice(at..at, from_file);
    Ok(Cli::from_arg_matches(&Cli::command().try_get_matches_from(all)?)?)
}

/// The file that is meant, and its text.
fn read(given: &ArgMatches) -> Result<Option<(PathBuf, String)>, FileError> {
    // A command without `--config` has nothing to do with the file.
    let Ok(named) = given.try_get_one::<PathBuf>("config") else { return Ok(None) };
    let usual = || Some(choose_base_strategy().ok()?.config_dir().join("iris").join("config.toml"));
    let Some(path) = named.cloned().or_else(usual) else { return Ok(None) };
    match fs::read_to_string(&path) {
        Ok(text) => Ok(Some((path, text))),
        Err(error) if named.is_none() && error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(FileError::Unreadable(path, error)),
    }
}

struct Source<'a> {
    file: &'a Path,
    text: &'a str,
}

impl Source<'_> {
    /// The file as words for the command `name`, without what was `given` already.
    fn words(&self, name: &str, given: &ArgMatches) -> Result<Vec<OsString>, FileError> {
        let table = DeTable::parse(self.text).map_err(|error| {
            self.wrong(error.span().map_or(0, |span| span.start), error.message().to_owned())
        })?;
        let cli = Cli::command();
        let (Some(subject), Some(command)) = (cli.find_subcommand(SUBJECT), cli.find_subcommand(name)) else {
            return Ok(Vec::new());
        };
        let mut words = Vec::new();
        for (key, value) in table.get_ref() {
            let start = key.span().start;
            let key: &str = key.get_ref();
            if option(subject, key).is_none() {
                return Err(self.wrong(start, unknown(subject, key)));
            }
            // `pair` and `devices` need only some of it.
            let Some(arg) = option(command, key) else { continue };
            if is_given(given, arg) {
                continue;
            }
            let said = spell(arg, key, value.get_ref()).map_err(|what| self.wrong(start, what))?;
            check(name, &said).map_err(|what| self.wrong(start, format!("{key}: {what}")))?;
            words.extend(said);
        }
        Ok(words)
    }

    fn wrong(&self, at: usize, what: String) -> FileError {
        let before = self.text.get(..at).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        FileError::Wrong { file: self.file.to_owned(), line, what }
    }
}

fn option<'a>(command: &'a Command, key: &str) -> Option<&'a Arg> {
    if NOT_IN_A_FILE.contains(&key) {
        return None;
    }
    command.get_arguments().find(|arg| arg.get_long() == Some(key))
}

/// Whether the command line or the environment says it.
fn is_given(given: &ArgMatches, arg: &Arg) -> bool {
    let source = given.value_source(arg.get_id().as_str());
    matches!(source, Some(ValueSource::CommandLine | ValueSource::EnvVariable))
}

fn unknown(subject: &Command, key: &str) -> String {
    let known =
        subject.get_arguments().filter_map(Arg::get_long).filter(|name| !NOT_IN_A_FILE.contains(name));
    let nearest = known
        .map(|name| (strsim::jaro_winkler(name, &key.replace('_', "-")), name))
        .max_by(|one, other| one.0.total_cmp(&other.0));
    match nearest {
        Some((likeness, name)) if likeness > 0.7 => {
            format!("unknown key \"{key}\": did you mean \"{name}\"?")
        }
        _ => format!(
            "unknown key \"{key}\": `iris-adapter serve --help` lists the options, which are the keys"
        ),
    }
}

/// An option and its value as words.
fn spell(arg: &Arg, key: &str, value: &DeValue<'_>) -> Result<Vec<OsString>, String> {
    let is_switch = matches!(arg.get_action(), ArgAction::SetTrue);
    match value {
        DeValue::Boolean(on) if is_switch => Ok(on.then(|| format!("--{key}").into()).into_iter().collect()),
        _ if is_switch => Err(format!("{key} is true or false")),
        DeValue::Array(values) if matches!(arg.get_action(), ArgAction::Append) => {
            values.iter().map(Spanned::get_ref).map(|value| word(key, value)).collect()
        }
        value => word(key, value).map(|word| vec![word]),
    }
}

fn word(key: &str, value: &DeValue<'_>) -> Result<OsString, String> {
    let text = match value {
        DeValue::String(text) => text.to_string(),
        DeValue::Integer(number) => number.to_string(),
        DeValue::Float(number) => number.to_string(),
        DeValue::Boolean(on) => on.to_string(),
        other => return Err(format!("{key} takes one value, not {}", article(other.type_str()))),
    };
    Ok(format!("--{key}={text}").into())
}

fn article(kind: &str) -> String {
    if kind.starts_with(['a', 'e', 'i', 'o', 'u']) { format!("an {kind}") } else { format!("a {kind}") }
}

/// Whether the command understands these words, by themselves; what it says if not.
fn check(name: &str, said: &[OsString]) -> Result<(), String> {
    let words = [OsString::from("iris-adapter"), name.into()].into_iter().chain(said.iter().cloned());
    match Cli::command().try_get_matches_from(words) {
        Ok(_) => Ok(()),
        Err(error) => {
            let text = error.to_string();
            let first = text.lines().next().unwrap_or_default();
            Err(first.strip_prefix("error: ").unwrap_or(first).to_owned())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli;

    fn serve(text: &str, words: &[&str]) -> Result<cli::Serve, String> {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), text).unwrap();
        let config = format!("--config={}", file.path().display());
        let words = [&["iris-adapter", "serve", &config], words].concat();
        match parse(words.iter().map(OsString::from).collect()) {
            Ok(Cli { command: cli::Command::Serve(serve) }) => Ok(serve),
            Ok(other) => panic!("{other:?}"),
            Err(error) => Err(error.to_string().replace(&file.path().display().to_string(), "FILE")),
        }
    }

    #[test]
    fn the_file_says_what_the_command_line_does_not() {
        let text = "port = 9000\nhost = 'localhost'\nspeed = 2.5\nno-app = true\n\
                    allow-host = ['a.example', 'b.example']\nallow-origin = 'https://a.example'\n";
        let said = serve(text, &[]).unwrap();
        assert_eq!((said.port, said.host.as_str(), said.speed, said.no_app), (9000, "localhost", 2.5, true));
        assert_eq!((said.allow_host.len(), said.allow_origin.len()), (2, 1));
        let said = serve(text, &["--port", "9001", "--allow-host", "c.example"]).unwrap();
        assert_eq!((said.port, said.allow_host.len()), (9001, 1));
        assert_eq!(serve("", &[]).unwrap().port, 8787);
        assert!(!serve("no-app = false", &[]).unwrap().no_app);
    }

    #[test]
    fn a_mistake_is_named_with_its_line() {
        for (text, expected) in [
            ("port = 1\nprot = 2\n", "FILE, line 2: unknown key \"prot\": did you mean \"port\"?"),
            ("allow_host = 'a'", "FILE, line 1: unknown key \"allow_host\": did you mean \"allow-host\"?"),
            ("config = 'x'", "FILE, line 1: unknown key \"config\""),
            ("zzzzzz = 1", "`iris-adapter serve --help` lists the options"),
            ("\n\nport = 'x'", "FILE, line 3: port: invalid value 'x' for '--port <PORT>'"),
            ("port = 70000", "FILE, line 1: port: invalid value '70000'"),
            ("no-app = 1", "FILE, line 1: no-app is true or false"),
            ("port = [1, 2]", "FILE, line 1: port takes one value, not an array"),
            ("[port]\nx = 1", "FILE, line 1: port takes one value, not a table"),
            ("\nport 1", "FILE, line 2: "),
            ("allow-origin = ['a']", "like https://iris.example"),
        ] {
            let error = serve(text, &[]).unwrap_err();
            assert!(error.contains(expected), "{text:?}: {error}");
        }
    }

    #[test]
    fn a_file_that_was_named_must_be_there() {
        let words = ["iris-adapter", "serve", "--config", "no/such/file"].map(OsString::from);
        let error = parse(words.to_vec()).unwrap_err().to_string();
        assert!(error.contains("cannot read the configuration file no/such/file"), "{error}");
    }

    #[test]
    fn other_commands_take_only_what_concerns_them() {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), "port = 9000\ndata = '/tmp/x'\n").unwrap();
        let words =
            ["iris-adapter", "devices", "--config", &file.path().display().to_string(), "revoke", "devices"];
        let Cli { command: cli::Command::Devices(devices) } =
            parse(words.iter().map(OsString::from).collect()).unwrap()
        else {
            panic!("another command")
        };
        assert_eq!(devices.home.data, Some(PathBuf::from("/tmp/x")));
    }
}
