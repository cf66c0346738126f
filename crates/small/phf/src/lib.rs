//! The map of HTML's named characters (`amp` is `&`) as comrak's build script lays it down, made to compress well.
//!
//! phf's own map is a table of pointers: 2,125 pairs of them, 25 kB of the app's compressed first load. Here it is one text of
//! names and one string of steps from character to character, 6 kB, from which the first lookup builds an index. Those two
//! are written by the `phf_codegen` beside this crate; nothing else of phf is here.

use std::{marker::PhantomData, sync::OnceLock};

/// Few enough to build quickly, enough for a handful of names in each.
const BUCKETS: usize = 512;

/// A map known when the program is built.
#[derive(Debug)]
pub struct Map<K, V> {
    names: &'static str,
    steps: &'static [u8],
    index: OnceLock<Vec<Vec<(K, V)>>>,
    kind: PhantomData<(K, V)>,
}

impl Map<&'static str, &'static str> {
    /// What `phf_codegen` writes: the names, one a line, in the order of their characters, and the characters as steps.
    ///
    /// A step is a number in groups of seven bits, lowest first, with the high bit on all but the last. Its lowest bit says
    /// that another character of the same name follows. The rest is the distance to the name's first character from that of
    /// the name before, or, for a character that follows, the character itself.
    pub const fn packed(names: &'static str, steps: &'static [u8]) -> Self {
        Self { names, steps, index: OnceLock::new(), kind: PhantomData }
    }

    /// The characters that `name` stands for.
    pub fn get(&self, name: &str) -> Option<&&'static str> {
        let bucket = self.index.get_or_init(|| index(self.names, self.steps)).get(bucket(name))?;
        bucket.iter().find(|(known, _)| *known == name).map(|(_, characters)| characters)
    }

    /// Every name with its characters, in no order.
    pub fn entries(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.index.get_or_init(|| index(self.names, self.steps)).iter().flatten().copied()
    }
}

fn index(names: &'static str, steps: &[u8]) -> Vec<Vec<(&'static str, &'static str)>> {
    let mut buckets = vec![Vec::new(); BUCKETS];
    let mut steps = Steps { bytes: steps.iter(), last: 0 };
    for name in names.lines() {
        // Once for each name in the life of a program: the map is a constant, and so is this.
        let characters: &'static str = steps.characters().leak();
        if let Some(bucket) = buckets.get_mut(bucket(name)) {
            bucket.push((name, characters));
        }
    }
    buckets
}

fn bucket(name: &str) -> usize {
    let hash = name.bytes().fold(0_u32, |hash, byte| hash.wrapping_mul(31).wrapping_add(byte.into()));
    hash as usize % BUCKETS
}

struct Steps<'a> {
    bytes: std::slice::Iter<'a, u8>,
    /// The first character of the name before.
    last: u32,
}

impl Steps<'_> {
    fn characters(&mut self) -> String {
        let (distance, mut more) = self.step();
        self.last += distance;
        let mut characters = String::from(character(self.last));
        while more {
            let code;
            (code, more) = self.step();
            characters.push(character(code));
        }
        characters
    }

    fn step(&mut self) -> (u32, bool) {
        let (mut number, mut shift) = (0, 0);
        for &byte in &mut self.bytes {
            number |= u32::from(byte & 0x7f) << shift;
            shift += 7;
            if byte < 0x80 {
                break;
            }
        }
        (number >> 1, number & 1 == 1)
    }
}

fn character(code: u32) -> char {
    char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
}
