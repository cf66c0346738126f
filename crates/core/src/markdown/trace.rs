//! The way from the root to what was begun last: the containers that may still be open, and the lines on which
//! they and their last children begin. It looks at comrak's tree; what to do about it is `spine`'s business.

use comrak::nodes::{AstNode, NodeList, NodeValue};

/// No way is followed deeper: `tree` shows what nests deeper as its source.
const MAX_STEPS: usize = 80;

/// A block inside which a text can go on.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Container {
    /// A quotation. An alert goes on as a quotation does.
    Quote,
    /// A list.
    List,
    /// An item that is no task, with its marker.
    Item(NodeList),
    /// A table.
    Table,
    /// An open fence.
    Code(Fence),
}

/// What matters of an open fence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Fence {
    /// The letter it is made of.
    pub(super) letter: u8,
    /// How far it is indented.
    pub(super) offset: usize,
}

/// A block on the way: the last child of the one before that begins on a complete line.
#[derive(Debug)]
pub(super) struct Step {
    /// Which child it is, counted in nodes of ours.
    pub(super) index: usize,
    /// The line on which it begins.
    pub(super) line: usize,
    /// What it is, if the text can go on inside it.
    pub(super) container: Option<Container>,
    /// A list that is loose.
    pub(super) loose: bool,
    /// A table was cut out of the paragraph that begins on this line: its header alone may mean something else.
    pub(super) above: Option<usize>,
    /// How many of the complete lines below its beginning are rows of an open table, or code of an open fence.
    pub(super) lines: Option<usize>,
}

/// The way through the tree of a text whose line `open` is the first incomplete one. Lines count from `skipped` on.
pub(super) fn trace<'a>(root: &'a AstNode<'a>, skipped: usize, open: usize) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut parent = root;
    while steps.len() < MAX_STEPS
        && let Some((index, child)) = last_begun(parent, skipped, skipped + open)
    {
        let line = child.data().sourcepos.start.line.saturating_sub(skipped + 1);
        let container = container(child);
        let inside = matches!(container, Some(Container::Quote | Container::List | Container::Item(_)));
        steps.push(Step {
            index: index + usize::from(has_title(parent)),
            line,
            loose: matches!(&child.data().value, NodeValue::List(list) if !list.tight),
            above: above(child).map(|line| line.saturating_sub(skipped + 1)),
            lines: lines(child, line, open),
            container,
        });
        if !inside {
            break;
        }
        parent = child;
    }
    steps
}

fn last_begun<'a>(parent: &'a AstNode<'a>, skipped: usize, open: usize) -> Option<(usize, &'a AstNode<'a>)> {
    let line = |child: &AstNode<'a>| child.data().sourcepos.start.line;
    let children = parent.children().skip_while(|child| line(child) <= skipped);
    children.enumerate().take_while(|(_, child)| line(child) <= open).last()
}

fn container<'a>(block: &'a AstNode<'a>) -> Option<Container> {
    match &block.data().value {
        NodeValue::BlockQuote => Some(Container::Quote),
        NodeValue::Alert(alert) if !alert.multiline => Some(Container::Quote),
        NodeValue::List(_) => Some(Container::List),
        NodeValue::Item(list) => Some(Container::Item(*list)),
        NodeValue::Table(_) => Some(Container::Table),
        NodeValue::CodeBlock(code) if code.fenced && !code.closed => {
            Some(Container::Code(Fence { letter: code.fence_char, offset: code.fence_offset }))
        }
        _ => None,
    }
}

/// The title of an alert is a node of ours that comrak's children do not count.
fn has_title<'a>(block: &'a AstNode<'a>) -> bool {
    matches!(&block.data().value, NodeValue::Alert(alert) if alert.title.is_some())
}

fn above<'a>(block: &'a AstNode<'a>) -> Option<usize> {
    let above = block.previous_sibling()?.data();
    let below = block.data();
    let cut_out = matches!((&above.value, &below.value), (NodeValue::Paragraph, NodeValue::Table(_)))
        && above.sourcepos.end.line + 1 == below.sourcepos.start.line;
    cut_out.then_some(above.sourcepos.start.line)
}

/// All complete lines below the beginning, if each of them belongs to the block. One that does not has closed it.
fn lines<'a>(block: &'a AstNode<'a>, line: usize, open: usize) -> Option<usize> {
    let (all, found) = match &block.data().value {
        NodeValue::Table(_) => (open.checked_sub(line + 2)?, block.children().count().saturating_sub(1)),
        NodeValue::CodeBlock(code) if code.fenced && !code.closed => {
            (open.checked_sub(line + 1)?, code.literal.matches('\n').count())
        }
        _ => return None,
    };
    (found >= all).then_some(all)
}
