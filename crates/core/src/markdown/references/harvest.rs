//! Which of the candidates a text really defines, and as what.

use super::{Candidates, Definition, Definitions, Label, Resolver};
use crate::markdown::options::options;
use comrak::nodes::{AstNode, NodeValue};
use comrak::{Arena, parse_document};
use std::collections::HashMap;

/// comrak hands out addresses and titles of at most this many bytes a parse, and of at most the text's length.
const BUDGET: usize = 100_000;

/// Asks for every candidate. When the budget may have run out, asks again for those that got no answer.
pub(in crate::markdown) fn harvest(source: &str, candidates: &Candidates) -> HashMap<Label, Definition> {
    let mut found = HashMap::new();
    let mut wanted: Vec<(&Label, &str)> =
        candidates.iter().map(|(label, text)| (label, text.as_str())).collect();
    // A decoded definition can be a little longer than its source, never twice as long.
    let longest = source.len().saturating_mul(2);
    while !wanted.is_empty() {
        let answers = ask(source, &wanted, longest.saturating_mul(2));
        let spent: usize = answers.iter().flatten().map(|it| it.url.len() + it.title.len()).sum();
        let mut unanswered = Vec::new();
        for (&(label, text), answer) in wanted.iter().zip(answers) {
            match answer {
                Some(definition) => drop(found.insert(label.clone(), definition)),
                None => unanswered.push((label, text)),
            }
        }
        let none_was_refused = spent + longest <= BUDGET;
        if spent == 0 || none_was_refused {
            break;
        }
        wanted = unanswered;
    }
    found
}

/// One parse of probes and text, at least `room` bytes long so that the budget is no less than that.
fn ask(source: &str, wanted: &[(&Label, &str)], room: usize) -> Vec<Option<Definition>> {
    let mut text = String::new();
    for (_, label) in wanted {
        // A probe with words in it would be a link by these, where the label is none: `[x]: /u` may stand in the text.
        text.push_str("[][");
        text.push_str(label);
        text.push_str("]\n\n");
    }
    let padding = room.min(BUDGET).saturating_sub(text.len() + source.len());
    text.extend(std::iter::repeat_n(' ', padding));
    text.push('\n');
    text.push_str(source);

    let nothing = Definitions::default();
    let options = options(Resolver::new(&nothing));
    let arena = Arena::new();
    let root = parse_document(&arena, &text, &options);
    let mut probes = root.children();
    wanted.iter().map(|_| probes.next().and_then(answer)).collect()
}

fn answer<'a>(probe: &'a AstNode<'a>) -> Option<Definition> {
    match &probe.first_child()?.data().value {
        NodeValue::Link(link) => Some(Definition { url: link.url.clone(), title: link.title.clone() }),
        _ => None,
    }
}
