//! `iris-adapter doctor` and `GET doctor`: finds Hermes' settings, has core examine them (`stall::doctor`), and has core read
//! a log (`stall::log`). Owns which files are read, and how a report looks at a terminal (`doctor/print.rs`).
//!
//! Nothing is written. The report holds no value of a key, and no line that could hold one.

mod print;

use std::{
    fs,
    io::{self, IsTerminal, Read, Write as _},
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::Context;
use iris_core::stall::{
    doctor::{DoctorInput, DoctorReport, Severity, examine},
    log::{self, LogReading, Weight},
};
use serde::Serialize;

use crate::{backend::gateway::plugin::hermes_home, cli};

/// A larger settings file is none.
const MAX_SETTINGS: u64 = 4 << 20;
/// Of a larger log only the end is read.
const MAX_LOG: u64 = 64 << 20;
/// What `-` stands for: what is piped in.
const PIPE: &str = "-";

/// What `--json` prints: the report, and what the log says.
#[derive(Debug, Serialize)]
struct Printed {
    #[serde(flatten)]
    report: DoctorReport,
    #[serde(skip_serializing_if = "Option::is_none")]
    log: Option<LogReading>,
}

/// Prints what there is to say. The exit status is 1 when something is wrong (a warning or worse), 0 when there are only hints.
pub fn run(args: &cli::Doctor) -> anyhow::Result<ExitCode> {
    let home = hermes_home(args.hermes_home.clone());
    let files = Files::of(&home, args.config.as_deref(), args.env.as_deref());
    let report = files.examine(args.model.clone(), args.tokens, None)?;
    let log = args.log.as_deref().map(read_log).transpose()?;
    let wrong = report.warnings.iter().any(|warning| warning.severity != Severity::Hint)
        || log.as_ref().is_some_and(|log| log.events.iter().any(|event| event.weight == Weight::Error));
    let mut out = io::stdout().lock();
    if args.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&Printed { report, log })?)?;
    } else {
        let bold = out.is_terminal();
        write!(out, "{}", print::report(&report, &files, bold))?;
        if let Some(log) = &log {
            write!(out, "{}", print::log(log, bold))?;
        }
    }
    out.flush()?;
    Ok(if wrong { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// The files in which Hermes' settings are.
#[derive(Debug)]
pub(super) struct Files {
    config: PathBuf,
    env: PathBuf,
    /// They were named: then they must be there.
    named: (bool, bool),
    texts: PathBuf,
}

impl Files {
    /// Those of a home, or those that were named.
    pub(super) fn of(home: &Path, config: Option<&Path>, env: Option<&Path>) -> Self {
        Self {
            config: config.map_or_else(|| home.join("config.yaml"), Path::to_owned),
            env: env.map_or_else(|| home.join(".env"), Path::to_owned),
            named: (config.is_some(), env.is_some()),
            texts: home.join("locales").join("en.yaml"),
        }
    }

    /// Reads and examines them. `has_texts`: what this Hermes says of its texts, if it was asked.
    ///
    /// # Errors
    /// When one cannot be read, or was named and is not there.
    pub(super) fn examine(
        &self,
        model: Option<String>,
        tokens: Option<u64>,
        has_texts: Option<bool>,
    ) -> anyhow::Result<DoctorReport> {
        // The variables of one file say nothing about those of another.
        let with_env = self.named.1 || !self.named.0;
        let input = DoctorInput {
            config: settings(&self.config, self.named.0)?,
            env: if with_env { settings(&self.env, self.named.1)? } else { None },
            model,
            tokens,
            // Texts may also lie inside the package, of which only Hermes itself knows; those in its home may be newer than it.
            has_texts: if self.texts.is_file() { Some(true) } else { has_texts },
        };
        Ok(examine(&input))
    }
}

/// The text of a settings file; `None` when there is none and none was named.
fn settings(file: &Path, named: bool) -> anyhow::Result<Option<String>> {
    if named && file == Path::new(PIPE) {
        return Ok(Some(read_some(io::stdin().lock(), MAX_SETTINGS)?));
    }
    match fs::File::open(file) {
        Ok(open) => {
            read_some(open, MAX_SETTINGS).map(Some).with_context(|| format!("cannot read {}", file.display()))
        }
        Err(error) if !named && error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("cannot read {}", file.display())),
    }
}

fn read_some(from: impl Read, limit: u64) -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    from.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    anyhow::ensure!(
        u64::try_from(bytes.len()).is_ok_and(|length| length <= limit),
        "it has more than {} MB, so it is no settings file",
        limit >> 20
    );
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Reads a log; of a long one the end.
fn read_log(file: &Path) -> anyhow::Result<LogReading> {
    use std::io::{Seek, SeekFrom};
    let mut bytes = Vec::new();
    if file == Path::new(PIPE) {
        io::stdin().lock().take(MAX_LOG).read_to_end(&mut bytes)?;
    } else {
        let why = || format!("cannot read {}", file.display());
        let mut open = fs::File::open(file).with_context(why)?;
        let length = open.metadata().with_context(why)?.len();
        open.seek(SeekFrom::Start(length.saturating_sub(MAX_LOG))).with_context(why)?;
        open.take(MAX_LOG).read_to_end(&mut bytes).with_context(why)?;
    }
    Ok(log::read(&String::from_utf8_lossy(&bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hermes_that_says_it_has_no_texts_is_believed_until_they_lie_in_its_home() {
        let home = tempfile::tempdir().unwrap();
        let lacks = |has_texts| {
            let report = Files::of(home.path(), None, None).examine(None, None, has_texts).unwrap();
            report.warnings.iter().any(|warning| warning.id == "no-texts")
        };
        assert_eq!([None, Some(true), Some(false)].map(lacks), [false, false, true]);
        fs::create_dir(home.path().join("locales")).unwrap();
        fs::write(home.path().join("locales").join("en.yaml"), "gateway: {}").unwrap();
        assert!(!lacks(Some(false)));
    }
}
