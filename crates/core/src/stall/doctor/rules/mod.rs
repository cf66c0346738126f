//! The traps, one function for each kind. A rule looks at the [`Patient`] and says nothing, or what to do.

mod endpoint;
mod environment;
mod keys;
mod retries;
mod streaming;
pub(super) mod syntax;
mod timers;
mod values;

use super::settings::place;
use super::warning::Under;
use super::yaml::Entry;
use super::{Patient, Warning};
use crate::stall::timers::{File, Place, Source};
use crate::stall::{Evidence, Versions};

/// Everything there is to say.
pub(super) fn all(patient: &Patient<'_>) -> Vec<Warning> {
    let mut found = timers::rules(patient);
    found.extend(endpoint::rules(patient));
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

    /// The same line with another value, whichever file it is in.
    fn rewrite(&self, warning: Warning, source: &Source, value: &str) -> Warning {
        let warning = self.point(warning, source.place);
        let Some(place) = source.place else { return warning };
        let key = source.name.rsplit('.').next().unwrap_or_default();
        let indent = " ".repeat(usize::try_from(place.column.saturating_sub(1)).unwrap_or(0).min(64));
        let line = if place.file == File::Env {
            format!("{key}={value}")
        } else {
            format!("{indent}{key}: {value}")
        };
        warning.replace(vec![line])
    }

    /// The entry at a path of the configuration.
    fn find(&self, path: &[&str]) -> Option<&Entry> {
        self.root?.at_path(path)
    }
}

/// Where a line is to be put, and the lines.
struct Insertion {
    under: Option<Under>,
    lines: Vec<String>,
}

impl Patient<'_> {
    /// The lines that set `path` to `value`: below the deepest section of it that is there, or all of it.
    fn insertion(&self, path: &[&str], value: &str) -> Insertion {
        let deepest = (1..path.len()).rev().find_map(|depth| Some((depth, self.find(path.get(..depth)?)?)));
        let Some((depth, entry)) = deepest else {
            return Insertion { under: None, lines: yaml(path, value, 0) };
        };
        let indent = |column: u32| usize::try_from(column.saturating_sub(1)).unwrap_or(0).min(64);
        let under = |in_place| {
            Some(Under {
                section: path.get(..depth).unwrap_or_default().join("."),
                line: entry.at.line,
                in_place,
            })
        };
        let below = path.get(depth..).unwrap_or_default();
        match entry.value.entries().first() {
            Some(child) if child.at.line > entry.at.line => {
                Insertion { under: under(false), lines: yaml(below, value, indent(child.at.column)) }
            }
            // `{a: b}`: what is there would have to be written anew, which is the reader's business.
            Some(_) => Insertion { under: None, lines: yaml(path, value, 0) },
            None => {
                let from = path.get(depth.saturating_sub(1)..).unwrap_or_default();
                Insertion { under: under(true), lines: yaml(from, value, indent(entry.at.column)) }
            }
        }
    }
}

/// The lines that set `path` to `value`, the first indented by `indent` and each level by two more.
fn yaml(path: &[&str], value: &str, indent: usize) -> Vec<String> {
    let last = path.len().saturating_sub(1);
    let line = |(depth, key): (usize, &&str)| {
        let end = if depth == last { format!(" {value}") } else { String::new() };
        format!("{}{key}:{end}", " ".repeat(indent.saturating_add(depth.saturating_mul(2))))
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
    fn insert(self, insertion: Insertion) -> Self {
        Self { under: insertion.under, ..self.write(File::Config, insertion.lines) }
    }

    fn write_env(self, line: String) -> Self {
        let replaces = self.place.is_some_and(|place| place.file == File::Env);
        Self { replaces, ..self.write(File::Env, vec![line]) }
    }
}
