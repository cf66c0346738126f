//! The buttons inside an answer. One listener for all of them, on whatever container holds the answer: `clicked`.

use std::time::Duration;

use leptos::prelude::set_timeout;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Document, Element, Event, HtmlElement, Node};

use super::report::report;
use super::{artifact, clipboard, code};

/// A button: what it does and what it says.
#[derive(Clone, Copy, Debug)]
pub(super) struct Action {
    /// The value of `data-action`.
    name: &'static str,
    /// Its words.
    label: &'static str,
}

/// Copies the code of its block.
pub(super) const COPY: Action = Action { name: "copy", label: "Copy" };
/// Wraps the lines of its block.
pub(super) const WRAP: Action = Action { name: "wrap", label: "Wrap" };
/// Runs the HTML of its block in a sandbox.
pub(super) const PREVIEW: Action = Action { name: "preview", label: "Run preview" };
/// Takes the preview away.
pub(super) const CLOSE: Action = Action { name: "close", label: "Close" };

/// Leads to another place in the answer.
const GO: Action = Action { name: "go", label: "" };

/// How long a button says what became of it.
const FEEDBACK: Duration = Duration::from_secs(2);

/// Builds a button. It has no listener of its own.
pub(super) fn button(document: &Document, action: Action) -> Result<Element, JsValue> {
    let button = document.create_element("button")?;
    button.set_attribute("type", "button")?;
    button.set_attribute("data-action", action.name)?;
    let label = document.create_element("span")?;
    // Its words change when it has done its work; a screen reader should hear them.
    label.set_attribute("aria-live", "polite")?;
    label.append_child(&document.create_text_node(action.label))?;
    button.append_child(&label)?;
    Ok(button)
}

/// Builds a button that leads to the first element in its answer that a selector names. Its words are for those who
/// do not see what it shows.
pub(super) fn way(document: &Document, shows: &str, words: &str, to: &str) -> Result<Element, JsValue> {
    let button = document.create_element("button")?;
    for (name, value) in
        [("type", "button"), ("data-action", GO.name), ("data-to", to), ("aria-label", words)]
    {
        button.set_attribute(name, value)?;
    }
    button.append_child(&document.create_text_node(shows))?;
    Ok(button)
}

/// Handles a click anywhere in an answer: `on:click=actions::clicked` on its container.
pub fn clicked(event: impl AsRef<Event>) {
    let target = event.as_ref().target().and_then(|target| target.dyn_into::<Element>().ok());
    let Some(button) = target.and_then(|target| target.closest("button[data-action]").ok().flatten()) else {
        return;
    };
    if let Some(to) = button.get_attribute("data-to") {
        return go(&button, &to);
    }
    let Some(block) = button.closest(".code").ok().flatten() else { return };
    let action = button.get_attribute("data-action").unwrap_or_default();
    let done = match action.as_str() {
        name if name == COPY.name => {
            copy_code(block, button);
            Ok(())
        }
        name if name == WRAP.name => code::toggle_wrap(&block, &button),
        name if name == PREVIEW.name => artifact::open(&block, source(&block)),
        name if name == CLOSE.name => {
            artifact::close(&block);
            focus_preview(&block)
        }
        _ => Ok(()),
    };
    if let Err(error) = done {
        report("a button of an answer failed", &error);
    }
}

/// What gets the focus comes into view.
fn go(button: &Element, to: &str) {
    let answer = button.closest(".markdown").ok().flatten();
    let place = answer.and_then(|answer| answer.query_selector(to).ok().flatten());
    if let Some(place) = place.and_then(|place| place.dyn_into::<HtmlElement>().ok()) {
        // An element that cannot have it stays where it is.
        let _ = place.focus();
    }
}

/// The button that had the focus is gone with its frame; the keyboard goes on at the one that opened it.
fn focus_preview(block: &Element) -> Result<(), JsValue> {
    let button = block.query_selector("button[data-action=preview]")?;
    button.and_then(|button| button.dyn_into::<HtmlElement>().ok()).map_or(Ok(()), |button| button.focus())
}

fn copy_code(block: Element, button: Element) {
    wasm_bindgen_futures::spawn_local(async move {
        let words = match clipboard::copy(&source(&block)).await {
            Ok(()) => "Copied",
            Err(error) => {
                report("the code was not copied", &error);
                "Could not copy"
            }
        };
        say(&button, words);
        set_timeout(move || say(&button, COPY.label), FEEDBACK);
    });
}

fn say(button: &Element, words: &str) {
    if let Some(label) = button.first_element_child() {
        label.set_text_content(Some(words));
    }
}

/// The code of a block as its author wrote it: its text nodes, without a cursor that may stand among them.
pub(super) fn source(block: &Element) -> String {
    let mut source = String::new();
    let mut lines =
        block.query_selector("pre code").ok().flatten().and_then(|code| code.first_element_child());
    while let Some(chunk) = lines {
        let mut next = chunk.first_child().filter(|_| chunk.class_name() == "lines");
        while let Some(node) = next {
            if node.node_type() == Node::TEXT_NODE {
                source.push_str(&node.node_value().unwrap_or_default());
            }
            next = node.next_sibling();
        }
        lines = chunk.next_element_sibling();
    }
    source
}
