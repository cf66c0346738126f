//! The traps, one function for each kind. A rule looks at the [`Patient`] and says nothing, or what to do.

mod environment;
mod keys;
mod retries;
mod streaming;
pub(super) mod syntax;
mod timers;
mod values;

use super::settings::place;
use super::yaml::Entry;
use super::{Patient, Warning};
use crate::stall::timers::{File, Place};
use crate::stall::{Evidence, Versions};

/// Everything there is to say.
pub(super) fn all(patient: &Patient<'_>) -> Vec<Warning> {
    let mut found = timers::rules(patient);
    found.extend(retries::rules(patient));
    found.extend(streaming::rules(patient));
    found.extend(values::rules(patient));
    found.extend(keys::rules(patient));
    found.extend(environment::rules(patient));
    found
}

fn executed() -> Versions {
    Versions::of(Evidence::Executed)
}

fn observed() -> Versions {
    Versions::of(Evidence::Observed)
}

fn read() -> Versions {
    Versions::of(Evidence::Read)
}

impl Patient<'_> {
    /// Points a warning at an entry of the configuration.
    fn at(&self, warning: Warning, entry: &Entry) -> Warning {
        self.point(warning, Some(place(entry)))
    }

    /// Points a warning at a place.
    fn point(&self, warning: Warning, place: Option<Place>) -> Warning {
        let line = place.and_then(|place| self.quote(place));
        warning.at(place, line)
    }

    /// The entry at a path of the configuration.
    fn find(&self, path: &[&str]) -> Option<&Entry> {
        self.root?.at_path(path)
    }
}

/// The lines that set `path` to `value` in a configuration, each level indented by two.
fn yaml(path: &[&str], value: &str) -> Vec<String> {
    let last = path.len().saturating_sub(1);
    let line = |(depth, key): (usize, &&str)| {
        let end = if depth == last { format!(" {value}") } else { String::new() };
        format!("{}{key}:{end}", "  ".repeat(depth))
    };
    path.iter().enumerate().map(line).collect()
}

/// A replacement for one line of the configuration: what stands at the entry's column, with its key and another value.
fn instead(entry: &Entry, key: &str, value: &str) -> Vec<String> {
    let indent = " ".repeat(usize::try_from(entry.at.column.saturating_sub(1)).unwrap_or(0).min(64));
    vec![format!("{indent}{key}: {value}")]
}

/// A number as one would write it.
fn plain(number: f64) -> String {
    format!("{}", (number * 100.0).round() / 100.0)
}

impl Warning {
    fn write_config(self, lines: Vec<String>) -> Self {
        self.write(File::Config, lines)
    }

    fn write_env(self, line: String) -> Self {
        self.write(File::Env, vec![line])
    }
}
