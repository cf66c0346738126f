//! Link reference definitions: the one thing in Markdown that reaches across blocks, in both directions.
//!
//! comrak keeps its own map and shows neither the map nor the definitions, so they are found by asking: a
//! paragraph `[][label]` put before the text becomes a link exactly when `label` is defined in it.
//! Which blocks wait for which label is `region`'s business.

mod candidates;
mod harvest;

pub(super) use candidates::candidates;
pub(super) use harvest::harvest;

use super::footnotes::Numbers;
use comrak::ResolvedReference;
use comrak::options::{BrokenLinkCallback, BrokenLinkReference};
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::fmt::Write;
use std::sync::{Arc, Mutex, PoisonError};

/// A label in the form in which labels are compared.
pub(super) type Label = String;

/// Labels that *may* be defined in a text, each as it is written there.
pub(super) type Candidates = HashMap<Label, String>;

/// Where a label leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Definition {
    pub(super) url: String,
    pub(super) title: String,
}

/// What is defined so far. The first definition of a label wins.
#[derive(Debug, Default)]
pub(super) struct Definitions {
    /// In settled text: these stay.
    settled: HashMap<Label, Definition>,
    /// In the tail: these may still grow, change or vanish.
    open: HashMap<Label, Definition>,
    /// Those of the tail that are above all that is parsed again.
    kept: HashMap<Label, Definition>,
    /// And the footnotes, which are no part of these but asked for in the same places.
    pub(super) notes: Numbers,
}

impl Definitions {
    pub(super) fn get(&self, label: &str) -> Option<&Definition> {
        self.get_above(label).or_else(|| self.open.get(label))
    }

    /// What is defined above the text that is parsed.
    fn get_above(&self, label: &str) -> Option<&Definition> {
        self.settled.get(label).or_else(|| self.kept.get(label))
    }

    /// Keeps open definitions, which are parsed no more.
    pub(super) fn keep(&mut self, found: HashMap<Label, Definition>) {
        for (label, definition) in found {
            self.open.remove(&label);
            if !self.settled.contains_key(&label) {
                self.kept.entry(label).or_insert(definition);
            }
        }
    }

    /// They are parsed again after all.
    pub(super) fn let_go(&mut self) {
        self.open.extend(self.kept.drain());
    }

    /// Whether the answer for a label can no longer change.
    pub(super) fn is_settled(&self, label: &str) -> bool {
        self.settled.contains_key(label)
    }

    pub(super) fn has_open(&self) -> bool {
        !self.open.is_empty() || !self.kept.is_empty()
    }

    /// Replaces the definitions of the tail, where settled text has not made them before. Returns the old ones.
    pub(super) fn replace_open(
        &mut self,
        mut found: HashMap<Label, Definition>,
    ) -> HashMap<Label, Definition> {
        found.retain(|label, _| self.get_above(label).is_none());
        std::mem::replace(&mut self.open, found)
    }

    /// Takes in the definitions of newly settled text. Returns the labels whose answer is not what it was when
    /// `before` was open.
    pub(super) fn settle(
        &mut self,
        definitions: HashMap<Label, Definition>,
        before: &HashMap<Label, Definition>,
    ) -> HashSet<Label> {
        let mut concerned: HashSet<Label> = before.keys().chain(self.open.keys()).cloned().collect();
        for (label, definition) in definitions {
            self.open.remove(&label);
            if let Entry::Vacant(free) = self.settled.entry(label) {
                concerned.insert(free.key().clone());
                free.insert(definition);
            }
        }
        concerned.retain(|label| before.get(label) != self.get(label));
        concerned
    }

    /// Definitions to put before a text that defines some of their labels again: first wins.
    /// All other known labels are answered by the [`Resolver`], at no cost.
    pub(super) fn overriding(&self, candidates: &Candidates) -> String {
        let mut preface = String::new();
        for (label, written) in candidates {
            if let Some(definition) = self.get_above(label) {
                definition.write(written, &mut preface);
            }
        }
        if !preface.is_empty() {
            preface.push('\n');
        }
        preface
    }
}

impl Definition {
    /// Writes the definition as Markdown that reads back as itself, whatever is in it.
    fn write(&self, written_label: &str, out: &mut String) {
        out.push('[');
        // On one line it would be a footnote.
        if written_label.starts_with('^') {
            out.push('\n');
        }
        out.push_str(written_label);
        out.push_str("]: <");
        write_as_entities(&self.url, out);
        out.push('>');
        if !self.title.is_empty() {
            out.push_str(" \"");
            write_as_entities(&self.title, out);
            out.push('"');
        }
        out.push('\n');
    }
}

fn write_as_entities(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            c if c.is_ascii_alphanumeric() => out.push(c),
            // comrak removes backslash escapes after it has decoded entities.
            '\\' => out.push_str("&#92;&#92;"),
            // Writing to a `String` does not fail.
            c => {
                let _ = write!(out, "&#{};", u32::from(c));
            }
        }
    }
}

/// Answers comrak's failed look-ups, and notes the ones that may be answered differently one day.
///
/// comrak also refuses a look-up when the addresses it has handed out together are longer than the text. It
/// asks here then too, and so the answer does not depend on how long the text happens to be.
#[derive(Debug)]
pub(super) struct Resolver<'d> {
    known: &'d Definitions,
    asked: Mutex<HashSet<Label>>,
}

impl<'d> Resolver<'d> {
    pub(super) fn new(known: &'d Definitions) -> Arc<Self> {
        Arc::new(Self { known, asked: Mutex::default() })
    }

    /// The labels asked for that settled text does not define.
    pub(super) fn asked(&self) -> HashSet<Label> {
        std::mem::take(&mut *self.asked.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl BrokenLinkCallback for Resolver<'_> {
    fn resolve(&self, link: BrokenLinkReference<'_>) -> Option<ResolvedReference> {
        if link.normalized.is_empty() {
            return None;
        }
        if !self.known.is_settled(link.normalized) {
            let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
            asked.insert(link.normalized.to_owned());
        }
        let definition = self.known.get(link.normalized)?;
        Some(ResolvedReference { url: definition.url.clone(), title: definition.title.clone() })
    }
}

/// A label in the form in which comrak compares labels.
pub(super) fn normalise(label: &str) -> Label {
    let trimmed = label.trim_matches(|c: char| matches!(c, '\t'..='\r' | ' '));
    let mut folded = String::with_capacity(trimmed.len());
    let mut after_space = false;
    for c in trimmed.chars() {
        let space = c.is_whitespace();
        if !(space && after_space) {
            folded.push(if space { ' ' } else { c });
        }
        after_space = space;
    }
    caseless::default_case_fold_str(&folded)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn definition(url: &str, title: &str) -> Definition {
        Definition { url: url.to_owned(), title: title.to_owned() }
    }

    fn harvested(source: &str) -> HashMap<Label, Definition> {
        harvest(source, &candidates(source))
    }

    #[test]
    fn definitions_are_found_wherever_they_stand() {
        let found = harvested("text\n\n[A  b]: /1 't'\n[c]: </2>\n\n> - [d]:\n>   /3\n\n```\n[e]: /4\n```\n");
        let expected = [("a b", ("/1", "t")), ("c", ("/2", "")), ("d", ("/3", ""))];
        let expected = expected.map(|(label, (url, title))| (label.to_owned(), definition(url, title)));
        assert_eq!(found, HashMap::from(expected));
    }

    #[test]
    fn a_definition_reads_back_as_it_was_written_down() {
        for (url, title) in [
            ("/u", ""),
            (" a b\\!\\\\ <>&amp;\n\u{a0}", "\"'()\\\" &quot;"),
            ("", "é🦀\t[x]: y"),
            ("javascript:alert(1)", "\\"),
        ] {
            let mut written = String::new();
            definition(url, title).write("l", &mut written);
            assert_eq!(harvested(&written).get("l"), Some(&definition(url, title)), "{written:?}");
        }
    }

    #[test]
    fn a_label_too_long_for_a_definition_is_not_answered_by_another_definition() {
        let source = |length| format!("[x]: /u\n\n[{}]: /v\n", "l".repeat(length));
        assert_eq!(harvested(&source(1_000)).len(), 2);
        assert_eq!(harvested(&source(1_001)).len(), 1);
    }

    #[test]
    fn a_budget_spent_by_others_hides_no_definition() {
        let mut source = String::new();
        for n in 0..400 {
            writeln!(source, "[{n}]: /{}", "u".repeat(1000)).unwrap();
        }
        assert_eq!(harvested(&source).len(), 400);
        // `&nGt;` is five bytes and decodes to six: more address than text.
        let source = format!("[a]: {}", "&nGt;".repeat(50));
        assert_eq!(harvested(&source).len(), 1);
    }

    #[test]
    fn labels_compare_as_comrak_compares_them() {
        for label in ["A  b", "Straẞe", " \u{a0}x\u{3000} \u{b}y", "ΣΑΣ", "a\\]B", "İ", "\u{1c}a\u{85}"]
        {
            let known = Definitions::default();
            let resolver = Resolver::new(&known);
            let arena = comrak::Arena::new();
            let options = super::super::options::options(resolver.clone());
            comrak::parse_document(&arena, &format!("[x][{label}]"), &options);
            drop(options);
            assert!(resolver.asked().contains(&normalise(label)), "{label:?}");
        }
    }
}
