//! What the tests of the drawing share: a container, a picture of what is in it, waiting for frames.

#![allow(dead_code, reason = "each test file uses its own part")]

pub(crate) mod corpus;
pub(crate) mod texts;

use std::fmt::Write;

use iris::render::LiveText;
use iris_core::markdown::{Kind, Node, Update};
use js_sys::{Array, Function, Promise};
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Document, Element, MutationObserver, MutationObserverInit, MutationRecord, Selection, Window};

/// The window.
pub(crate) fn window() -> Window {
    web_sys::window().unwrap()
}

/// The page.
pub(crate) fn document() -> Document {
    window().document().unwrap()
}

/// An empty container in the page.
pub(crate) fn container() -> Element {
    let container = document().create_element("div").unwrap();
    document().body().unwrap().append_child(&container).unwrap();
    container
}

/// The app's own style for rendered Markdown, as long as the element is in the page.
pub(crate) fn styled() -> Element {
    let style = document().create_element("style").unwrap();
    let files = [
        include_str!("../../style/tokens.css"),
        include_str!("../../style/base.css"),
        include_str!("../../style/markdown.css"),
    ];
    style.set_text_content(Some(&files.concat()));
    document().head().unwrap().append_child(&style).unwrap();
    style
}

/// A container that shows this much, live.
pub(crate) fn live(text: &str) -> LiveText {
    let mut live = LiveText::new(container()).unwrap();
    live.reveal_to(text);
    live
}

/// The page looks as it should: a live text as a one-shot drawing of what it shows, cursor and all.
pub(crate) fn assert_equals_one_shot(live: &LiveText, shown: &str) {
    let fresh = self::live(shown);
    if !live.container().is_equal_node(Some(fresh.container())) {
        assert_eq!(picture(live.container()), picture(fresh.container()), "{shown:?}");
        panic!("the cursor stands elsewhere: {shown:?}");
    }
    fresh.container().remove();
}

/// What a one-shot drawing of the text looks like.
pub(crate) fn one_shot(text: &str) -> String {
    let live = live(text);
    let picture = picture(live.container());
    live.container().remove();
    picture
}

/// A node with children.
pub(crate) fn node(kind: Kind, children: impl Into<Vec<Node>>) -> Node {
    Node { kind, children: children.into() }
}

/// A text.
pub(crate) fn text(text: &str) -> Node {
    Node::leaf(Kind::Text(text.to_owned()))
}

/// The update that says: anything may differ.
pub(crate) fn everything(blocks: &[Node]) -> Update {
    Update { changed: vec![0], len: blocks.len(), ..Update::default() }
}

/// What is in an element, node by node, without the cursor. Two text nodes side by side look different from one.
pub(crate) fn picture(element: &Element) -> String {
    let mut out = String::new();
    draw(element, &mut out);
    out
}

fn draw(element: &web_sys::Node, out: &mut String) {
    for child in children(element) {
        if let Some(child) = child.dyn_ref::<Element>() {
            if child.class_name() == "cursor" {
                continue;
            }
            write!(out, "<{}{}>", child.local_name(), attributes(child)).unwrap();
            draw(child, out);
            out.push_str("</>");
        } else {
            write!(out, "{:?}", child.node_value().unwrap()).unwrap();
        }
    }
}

/// The child nodes.
pub(crate) fn children(node: &web_sys::Node) -> Vec<web_sys::Node> {
    let list = node.child_nodes();
    (0..list.length()).filter_map(|index| list.get(index)).collect()
}

/// The names of an element's attributes.
pub(crate) fn attribute_names(element: &Element) -> Vec<String> {
    element.get_attribute_names().iter().filter_map(|name| name.as_string()).collect()
}

fn attributes(element: &Element) -> String {
    let mut names = attribute_names(element);
    names.sort();
    names.iter().map(|name| format!(" {name}={:?}", element.get_attribute(name).unwrap())).collect()
}

/// Every element inside.
pub(crate) fn elements(root: &Element) -> Vec<Element> {
    let found = root.query_selector_all("*").unwrap();
    (0..found.length()).filter_map(|index| found.get(index)?.dyn_into().ok()).collect()
}

/// The one element that matches.
pub(crate) fn find(root: &Element, selector: &str) -> Element {
    let found = root.query_selector(selector).unwrap();
    found.unwrap_or_else(|| panic!("no {selector} in {}", picture(root)))
}

/// The text in front of the cursor: of the text node that it stands after.
pub(crate) fn before_cursor(root: &Element) -> Option<String> {
    find(root, ".cursor").previous_sibling().map(|node| {
        assert_eq!(node.node_type(), web_sys::Node::TEXT_NODE, "the cursor follows a text");
        node.node_value().unwrap()
    })
}

/// What is selected.
pub(crate) fn selection() -> Selection {
    window().get_selection().unwrap().unwrap()
}

/// Selects these words, which stand in one text node.
pub(crate) fn select(root: &Element, words: &str) {
    let texts = elements(root).into_iter().flat_map(|element| children(&element));
    let found = texts.filter_map(|node| {
        let text = node.node_value()?;
        Some((utf16_len(text.get(..text.find(words)?)?), node))
    });
    let (at, node) = found.last().unwrap_or_else(|| panic!("no {words:?}"));
    let length = utf16_len(words);
    selection().set_base_and_extent(&node, at, &node, at + length).unwrap();
}

fn utf16_len(text: &str) -> u32 {
    u32::try_from(text.encode_utf16().count()).unwrap()
}

/// The beginnings of a text, shortest first, the whole last.
pub(crate) fn prefixes(text: &str) -> impl Iterator<Item = &str> {
    let ends = text.char_indices().map(|(at, _)| at).skip(1).chain([text.len()]);
    ends.filter_map(|end| text.get(..end))
}

/// The time of the next animation frame.
pub(crate) async fn frame() -> f64 {
    let frame = Promise::new(&mut |done: Function, _| {
        window().request_animation_frame(&done).unwrap();
    });
    JsFuture::from(frame).await.unwrap().as_f64().unwrap()
}

/// Waits until it holds; gives up after very many frames.
pub(crate) async fn until(what: &str, mut holds: impl FnMut() -> bool) {
    for _ in 0..3_000 {
        if holds() {
            return;
        }
        frame().await;
    }
    panic!("never: {what}");
}

/// Sees what is done to a node and everything below it.
pub(crate) struct Watch {
    observer: MutationObserver,
    _callback: Closure<dyn Fn(Array)>,
}

impl Watch {
    /// Watches nothing yet.
    pub(crate) fn new() -> Self {
        let callback = Closure::<dyn Fn(Array)>::new(|_| {});
        let observer = MutationObserver::new(callback.as_ref().unchecked_ref()).unwrap();
        Self { observer, _callback: callback }
    }

    /// Watches this node too.
    pub(crate) fn add(&self, node: &web_sys::Node) {
        let what = MutationObserverInit::new();
        what.set_subtree(true);
        what.set_child_list(true);
        what.set_attributes(true);
        what.set_character_data(true);
        self.observer.observe_with_options(node, &what).unwrap();
    }

    /// What was done since the last call, except that the cursor came or left.
    pub(crate) fn changes(&self) -> Vec<MutationRecord> {
        let records = self.observer.take_records();
        let records = records.iter().map(JsCast::unchecked_into::<MutationRecord>);
        records.filter(|record| !only_cursor(record)).collect()
    }
}

fn only_cursor(record: &MutationRecord) -> bool {
    let (added, removed) = (record.added_nodes(), record.removed_nodes());
    let nodes = (0..added.length()).filter_map(|index| added.get(index));
    let mut nodes = nodes.chain((0..removed.length()).filter_map(|index| removed.get(index))).peekable();
    record.type_() == "childList"
        && nodes.peek().is_some()
        && nodes.all(|node| node.dyn_ref::<Element>().is_some_and(|element| element.class_name() == "cursor"))
}
