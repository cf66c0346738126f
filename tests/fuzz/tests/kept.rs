//! Every kept input of every target: those that once were findings, and those that reach the most code.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail")]

use std::{fs, path::Path};

/// The inputs of a target, in the order of their names.
fn inputs(target: &str) -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target);
    let mut inputs: Vec<(String, Vec<u8>)> = fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read(&path).unwrap()))
        .collect();
    inputs.sort();
    inputs
}

fn check(target: &str) {
    let run = fuzz::target(target).unwrap().run;
    let inputs = inputs(target);
    assert!(inputs.len() >= 20, "only {} inputs are kept for {target}", inputs.len());
    for (name, input) in &inputs {
        println!("{target}/{name}");
        run(input);
    }
}

#[test]
fn the_growing_document_equals_the_one_shot_tree() {
    check("document");
}

#[test]
fn time_is_bounded_by_the_size_of_the_text() {
    check("quadratic");
}

#[test]
fn an_address_that_is_let_through_is_read_by_browsers_as_it_was_read_here() {
    check("safe-url");
}

#[test]
fn any_text_is_a_frame_or_an_error_and_frames_read_back_as_written() {
    check("frames");
}

#[test]
fn every_target_has_a_name_of_its_own() {
    for target in fuzz::TARGETS {
        assert_eq!(fuzz::target(target.name).map(|found| found.run as usize), Some(target.run as usize));
    }
    assert!(fuzz::target("moon").is_none());
}
