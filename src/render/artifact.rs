//! The preview of an HTML artifact: a sandboxed frame of `artifact.html`, made on a click, fed by one message.
//!
//! The frame has an origin of its own and a policy that lets nothing out. What it says is data: the only word we
//! wait for is that it is ready, and only from a frame that we made and have not fed yet.

use std::cell::RefCell;

use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, Event, HtmlIFrameElement, MessageEvent};

use super::actions;
use super::build::put;
use super::report::report;
use crate::browser::Listener;

/// The shell that the adapter serves, beside the page, with a policy of its own.
const SHELL: &str = "artifact.html";
/// What the shell says once it listens.
const READY: &str = "ready";
/// What stands above the frame, and what the frame is called.
const TITLE: &str = "Untrusted preview";

thread_local! {
    /// Frames that have not said yet that they listen, with what they will get.
    static WAITING: RefCell<Vec<(HtmlIFrameElement, String)>> = const { RefCell::new(Vec::new()) };
    /// The page's one listener; made with the first preview.
    static LISTENER: Option<Listener> = Listener::on_window("message", heard);
}

/// Opens the preview of a code block inside that block, or starts it afresh.
pub fn open(block: &Element, source: String) -> Result<(), JsValue> {
    close(block);
    LISTENER.with(|_| ());
    let document = block.owner_document().ok_or("a block without a page")?;
    let section = document.create_element("section")?;
    section.set_class_name("preview");
    section.set_attribute("aria-label", TITLE)?;
    let header = document.create_element("header")?;
    let title = document.create_element("span")?;
    title.append_child(&document.create_text_node(TITLE))?;
    header.append_child(&title)?;
    put(&header, &actions::button(&document, actions::CLOSE)?)?;
    section.append_child(&header)?;
    let frame: HtmlIFrameElement = document.create_element("iframe")?.unchecked_into();
    for (name, value) in [
        ("sandbox", "allow-scripts"),
        ("allow", ""),
        ("credentialless", ""),
        ("referrerpolicy", "no-referrer"),
        ("title", TITLE),
        ("src", SHELL),
    ] {
        frame.set_attribute(name, value)?;
    }
    section.append_child(&frame)?;
    block.append_child(&section)?;
    WAITING.with_borrow_mut(|waiting| waiting.push((frame, source)));
    Ok(())
}

/// Takes the preview of a code block away, with everything that runs in it.
pub fn close(block: &Element) {
    if let Ok(Some(section)) = block.query_selector(".preview") {
        section.remove();
    }
    WAITING.with_borrow_mut(|waiting| waiting.retain(|(frame, _)| frame.is_connected()));
}

/// Feeds the frame that says it is ready. The target origin is `*` because a sandboxed frame has none to name.
fn heard(event: Event) {
    let Some(event) = event.dyn_ref::<MessageEvent>() else { return };
    let Some(source) = event.source() else { return };
    if event.data().as_string().as_deref() != Some(READY) {
        return;
    }
    let taken = WAITING.with_borrow_mut(|waiting| {
        let is_source = |frame: &HtmlIFrameElement| {
            frame.content_window().is_some_and(|window| js_sys::Object::is(&window, &source))
        };
        let index = waiting.iter().position(|(frame, _)| is_source(frame))?;
        Some(waiting.swap_remove(index))
    });
    let Some((frame, html)) = taken else { return };
    if let Some(window) = frame.content_window()
        && let Err(error) = window.post_message(&JsValue::from_str(&html), "*")
    {
        report("a preview got no content", &error);
    }
}
