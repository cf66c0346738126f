//! Where two trees begin to differ.

use super::node::{Kind, Node};

/// The path to the first difference between two lists; empty when there is none.
///
/// Each step counts nodes that are the same. There is a further step where the node that differs is still the same
/// element, and it counts that node's children.
pub(super) fn path(old: &[Node], new: &[Node]) -> Vec<usize> {
    let mut path = Vec::new();
    let (mut old, mut new) = (old, new);
    loop {
        let same = old.iter().zip(new).take_while(|(old, new)| old == new).count();
        match (old.get(same), new.get(same)) {
            (None, None) if path.is_empty() => return path,
            (Some(was), Some(now)) if is_same_element(&was.kind, &now.kind) => {
                path.push(same);
                (old, new) = (&was.children, &now.children);
            }
            _ => {
                path.push(same);
                return path;
            }
        }
    }
}

/// Whether a node of one kind becomes one of the other by its attributes and children alone.
fn is_same_element(old: &Kind, new: &Kind) -> bool {
    match (old, new) {
        (Kind::List { start: old, .. }, Kind::List { start: new, .. }) => old.is_some() == new.is_some(),
        (Kind::Item(old), Kind::Item(new)) => old.is_some() == new.is_some(),
        (Kind::CodeBlock { .. }, Kind::CodeBlock { .. }) => true,
        _ => old == new,
    }
}
