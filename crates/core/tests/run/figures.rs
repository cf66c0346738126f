//! The summary of every recording against figures that another program counted: `figures.py`, whose output is kept.

use std::process::Command;

use serde_json::Value;

use crate::desk::{index, recordings};

const KEPT: &str = include_str!("figures.json");

#[test]
fn the_summary_of_every_recording_is_what_another_program_counts() {
    let figures: Value = serde_json::from_str(KEPT).unwrap();
    let recordings = recordings();
    assert_eq!(figures.as_object().unwrap().len(), recordings.len());
    for (name, file) in recordings {
        let summary = index(&file).summary();
        let [run] = &summary.runs[..] else { panic!("{name} is one run") };
        assert_eq!(serde_json::to_value(run).unwrap(), figures[&name], "{name}");
        assert_eq!((summary.damaged_count, summary.exit_code), (0, run.exit_code), "{name}");
        assert_eq!(summary.total.tools, run.tools, "{name}");
    }
}

/// What Hermes' process really exited with, as it was noted beside each recording.
#[test]
fn the_exit_code_is_the_one_of_the_process() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../adapter/recordings/stream-json");
    for (name, file) in recordings() {
        let noted = std::fs::read_to_string(format!("{folder}/{name}.exit")).unwrap();
        let code = index(&file).summary().exit_code.unwrap();
        let found = noted.split(|c: char| !c.is_ascii_digit()).filter(|word| !word.is_empty());
        assert!(found.clone().any(|word| word == code.to_string()), "{name}: {code} is not in {noted:?}");
    }
}

#[test]
fn the_kept_figures_are_those_that_the_program_counts() {
    let folder = env!("CARGO_MANIFEST_DIR");
    let script = format!("{folder}/tests/run/figures.py");
    let run = Command::new("python3")
        .arg(script)
        .arg(format!("{folder}/../adapter/recordings/stream-json"))
        .output();
    match run {
        Ok(output) => {
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            assert_eq!(String::from_utf8(output.stdout).unwrap(), KEPT);
        }
        // A machine without Python still compares the summary with what is kept.
        Err(error) => assert_eq!(error.kind(), std::io::ErrorKind::NotFound),
    }
}
