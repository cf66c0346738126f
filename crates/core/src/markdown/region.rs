//! Settled blocks that a later definition can still change, found by the labels they asked for.
//!
//! A parse depends on the rest of the document only through the answers to its look-ups. So a region is parsed
//! again when an answer it was given changes, and at no other time.

use super::node::Node;
use super::parser;
use super::references::{Definitions, Label, candidates};
use super::spine::Level;
use std::collections::{HashMap, HashSet};

/// A piece of text that asked for a label settled text does not define.
#[derive(Debug)]
pub(super) struct Region {
    /// The number of its first block in the document.
    pub(super) first: usize,
    /// The containers inside which it goes on, when it is a part of that block only.
    pub(super) levels: Vec<Level>,
    pub(super) source: String,
}

impl Region {
    /// Its blocks as they are under `known`, and the labels that could change them.
    ///
    /// Parsed alone, a list that ends in a definition can be tighter than it is where it stands. What is drawn anew
    /// is what definitions change, and the tightness of a list is not.
    fn parse(&self, known: &Definitions) -> (Vec<Node>, HashSet<Label>) {
        let parsed = parser::parse(&self.source, &candidates(&self.source), known);
        (parsed.nodes, parsed.asked)
    }
}

/// The regions of a document, and which of them wait for a label.
#[derive(Debug, Default)]
pub(super) struct Regions {
    all: Vec<Region>,
    waiting: HashMap<Label, Vec<usize>>,
    /// How many bytes have been parsed for them.
    pub(super) parsed_bytes: usize,
}

impl Regions {
    /// Keeps a piece if it waits for anything.
    pub(super) fn add(&mut self, region: Region, known: &Definitions) {
        // No bracket, no look-up.
        if !region.source.contains('[') {
            return;
        }
        self.parsed_bytes += region.source.len();
        let (_, asked) = region.parse(known);
        if !asked.is_empty() {
            self.add_waiting(region, asked);
        }
    }

    /// Keeps a piece that waits for these labels.
    pub(super) fn add_waiting(&mut self, region: Region, asked: HashSet<Label>) {
        self.wait(self.all.len(), asked);
        self.all.push(region);
    }

    /// Parses anew what waits for one of `labels`, and has each such region drawn.
    pub(super) fn redraw(
        &mut self,
        labels: &HashSet<Label>,
        known: &Definitions,
        mut draw: impl FnMut(&Region, Vec<Node>),
    ) {
        let mut numbers = Vec::new();
        for number in labels.iter().filter_map(|label| self.waiting.get(label)).flatten() {
            insert(&mut numbers, *number);
        }
        for number in numbers {
            let Some(region) = self.all.get(number) else { continue };
            self.parsed_bytes += region.source.len();
            let (nodes, asked) = region.parse(known);
            draw(region, nodes);
            // A new answer can lead to new questions. Old ones are kept: at worst a parse without effect.
            self.wait(number, asked);
        }
        for label in labels.iter().filter(|label| known.is_settled(label)) {
            self.waiting.remove(label);
        }
    }

    fn wait(&mut self, number: usize, labels: HashSet<Label>) {
        for label in labels {
            insert(self.waiting.entry(label).or_default(), number);
        }
    }
}

/// Puts a number where it belongs among others, most often at their end. A tree would be 2 kB of the app, a sort 3 kB.
fn insert(numbers: &mut Vec<usize>, number: usize) {
    if let Err(place) = numbers.binary_search(&number) {
        numbers.insert(place, number);
    }
}
