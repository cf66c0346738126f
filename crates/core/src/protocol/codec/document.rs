//! Holds `docs/protocol.md` to the code: every frame has a section, every table tells the truth about every field, and
//! every example goes through the codec unchanged.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::*;
use crate::protocol::frame::ServerFrame;

const DOCUMENT: &str = include_str!("../../../../../docs/protocol.md");
const FRAMES: &str = include_str!("../frame.rs");

/// A row of a table of fields.
#[derive(Debug)]
struct Field {
    name: String,
    kind: String,
    required: bool,
}

/// What the document says of one frame.
#[derive(Debug, Default)]
struct Section {
    fields: Vec<Field>,
    examples: Vec<Value>,
}

/// The sections below a heading, by `type`.
fn sections(heading: &str) -> BTreeMap<String, Section> {
    let (_, part) = DOCUMENT.split_once(&format!("\n## {heading}\n")).expect("the heading");
    let part = part.split_once("\n## ").map_or(part, |(part, _)| part);
    let mut sections = BTreeMap::new();
    let mut current: Option<String> = None;
    for line in part.lines() {
        if let Some(kind) = line.strip_prefix("### `").and_then(|line| line.strip_suffix('`')) {
            assert!(
                sections.insert(kind.to_owned(), Section::default()).is_none(),
                "{kind} has two sections"
            );
            current = Some(kind.to_owned());
        }
        let Some(section) = current.as_ref().and_then(|kind| sections.get_mut(kind)) else { continue };
        if line.starts_with("| `") {
            let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
            let [name, kind, required, meaning] = cells[..] else { panic!("four columns: {line}") };
            assert!(!meaning.is_empty(), "{line}");
            assert!(["yes", "no"].contains(&required), "{line}");
            let name = name.trim_matches('`').to_owned();
            section.fields.push(Field { name, kind: kind.to_owned(), required: required == "yes" });
        }
        if line.starts_with('{') {
            section.examples.push(serde_json::from_str(line).expect(line));
        }
    }
    sections
}

/// One direction of the protocol.
struct Direction {
    heading: &'static str,
    types: &'static [&'static str],
    /// Decodes and writes again; an unknown frame is an error here.
    round: fn(&str) -> Result<String, DecodeError>,
    /// Fields that every frame may have and no table need repeat.
    common: &'static [&'static str],
}

fn server(text: &str) -> Result<String, DecodeError> {
    let envelope = decode_server(text)?;
    assert!(!matches!(envelope.frame, ServerFrame::Unknown { .. }), "unknown: {text}");
    Ok(encode_server(&envelope))
}

fn app(text: &str) -> Result<String, DecodeError> {
    let frame = decode_app(text)?;
    assert!(!matches!(frame, AppFrame::Unknown { .. }), "unknown: {text}");
    Ok(encode_app(&frame))
}

const DIRECTIONS: [Direction; 2] = [
    Direction {
        heading: "From the adapter",
        types: SERVER_TYPES,
        round: server,
        common: &["type", "chat", "seq"],
    },
    Direction { heading: "From the app", types: APP_TYPES, round: app, common: &["type"] },
];

/// A value that is not of this type.
fn wrong(kind: &str) -> Value {
    match kind {
        "string" => json!(7),
        "integer" => json!(-0.5),
        "number" | "boolean" | "integer or object" | "object" | "array" => json!("word"),
        other => panic!("the document has no type {other}"),
    }
}

#[test]
fn every_frame_has_a_section_and_every_section_a_frame() {
    for direction in &DIRECTIONS {
        let documented: BTreeSet<String> = sections(direction.heading).into_keys().collect();
        let known: BTreeSet<String> = direction.types.iter().map(|kind| (*kind).to_owned()).collect();
        assert_eq!(documented, known, "{}", direction.heading);
    }
}

#[test]
fn every_variant_is_a_type_of_the_codec() {
    let variants = |name: &str| -> BTreeSet<String> {
        let (_, body) = FRAMES.split_once(&format!("pub enum {name} {{")).expect(name);
        let body = body.split_once("\n}").expect("its end").0;
        let kinds = body.lines().filter_map(|line| line.strip_prefix("    /// `"));
        kinds.filter_map(|line| Some(line.split_once('`')?.0.to_owned())).collect()
    };
    let names = |name: &str| {
        let (_, body) = FRAMES.split_once(&format!("pub enum {name} {{")).expect(name);
        let body = body.split_once("\n}").expect("its end").0;
        let is_variant =
            |line: &&str| line.strip_prefix("    ").is_some_and(|l| l.starts_with(char::is_uppercase));
        body.lines().filter(is_variant).count()
    };
    for (name, types) in [("ServerFrame", SERVER_TYPES), ("AppFrame", APP_TYPES)] {
        let known: BTreeSet<String> = types.iter().map(|kind| (*kind).to_owned()).collect();
        assert_eq!(variants(name), known, "the doc comment of each variant of {name} begins with its type");
        assert_eq!(names(name), types.len() + 1, "and `Unknown` is the only other variant");
    }
}

#[test]
fn every_example_goes_through_unchanged() {
    for direction in &DIRECTIONS {
        for (kind, section) in sections(direction.heading) {
            assert!(!section.examples.is_empty(), "{kind} has no example");
            for example in &section.examples {
                assert_eq!(example["type"], kind.as_str());
                let written =
                    (direction.round)(&example.to_string()).unwrap_or_else(|error| panic!("{error}"));
                assert_eq!(serde_json::from_str::<Value>(&written).unwrap(), *example);
                assert_eq!((direction.round)(&written).unwrap(), written, "and stays so");
            }
        }
    }
}

#[test]
fn the_examples_show_exactly_the_documented_fields() {
    for direction in &DIRECTIONS {
        for (kind, section) in sections(direction.heading) {
            let own = |name: &&String| !direction.common.contains(&name.as_str());
            let keys = section.examples.iter().flat_map(|example| example.as_object().unwrap().keys());
            let shown: BTreeSet<&String> = keys.filter(own).collect();
            let documented: BTreeSet<&String> =
                section.fields.iter().map(|field| &field.name).filter(own).collect();
            assert_eq!(shown, documented, "{} `{kind}`", direction.heading);
        }
    }
}

#[test]
fn a_field_is_required_exactly_when_the_document_says_so() {
    for direction in &DIRECTIONS {
        for (kind, section) in sections(direction.heading) {
            for field in &section.fields {
                for example in section.examples.iter().filter(|example| example.get(&field.name).is_some()) {
                    let mut without = example.clone();
                    without.as_object_mut().unwrap().remove(&field.name);
                    let missing = DecodeError::Missing { kind: kind.clone(), field: field.name.clone() };
                    let result = (direction.round)(&without.to_string());
                    assert_eq!(
                        result.err(),
                        field.required.then_some(missing),
                        "`{kind}` without `{}`",
                        field.name
                    );
                }
            }
        }
    }
}

#[test]
fn a_field_of_another_type_is_named() {
    for direction in &DIRECTIONS {
        for (kind, section) in sections(direction.heading) {
            for field in &section.fields {
                let mut spoiled = section.examples[0].clone();
                spoiled[&field.name] = wrong(&field.kind);
                match (direction.round)(&spoiled.to_string()) {
                    Err(DecodeError::Wrong { kind: k, field: f, .. }) => {
                        assert_eq!((k, f), (kind.clone(), field.name.clone()))
                    }
                    other => panic!("`{kind}` with another `{}`: {other:?}", field.name),
                }
            }
        }
    }
}

#[test]
fn the_document_names_the_limits_and_the_version() {
    for words in [
        format!("version {}", crate::protocol::PROTOCOL),
        format!("to the adapter has at most {} kB", MAX_TO_ADAPTER / 1024),
        format!("to the app at most {} MB", MAX_TO_APP / 1024 / 1024),
    ] {
        assert!(DOCUMENT.contains(&words), "{words}");
    }
}
