//! A file that Hermes cannot read at all.

use super::super::warning::{Severity, Warning};
use super::super::yaml::{Kind, Node, YamlError};
use super::read;
use crate::stall::timers::{File, Place};

/// The whole file has to be a mapping.
pub(in crate::stall::doctor) fn mapping(root: Option<Node>) -> Result<Option<Node>, YamlError> {
    match root {
        Some(node) if !matches!(node.kind, Kind::Map(_)) => {
            let empty = node.scalar().is_some_and(|scalar| scalar.text.is_empty());
            if empty {
                Ok(None)
            } else {
                Err(YamlError { problem: "the file is no list of `key: value`".to_owned(), at: node.at })
            }
        }
        other => Ok(other),
    }
}

/// What is wrong, and what Hermes does about it. The line is not quoted: anything may stand there.
pub(in crate::stall::doctor) fn refused(error: &YamlError) -> Warning {
    let place = Place { file: File::Config, line: error.at.line, column: error.at.column };
    let title = format!("Line {}, column {}: {}", place.line, place.column, error.problem);
    Warning::new(
        "config-unreadable",
        Severity::Error,
        title,
        "Hermes cannot read this file, so it goes on with its defaults: nothing that stands in it counts, and the timers below are those of an empty file. A key that stands twice is enough.",
        read(),
    )
    .at(Some(place), None)
}
