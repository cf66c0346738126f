//! What only finished text has: HTML runs in a sandbox, after a click, and reaches nothing. And what any code has: Copy and Wrap.

#![cfg(target_arch = "wasm32")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test may fail"
)]

mod drawing;

use std::cell::RefCell;
use std::rc::Rc;

use drawing::{container, document, everything, find, picture, until, window};
use iris::browser::Listener;
use iris::render::actions;
use iris::render::canvas::Canvas;
use iris_core::markdown::Node;
use js_sys::{Function, Object, Reflect, encode_uri_component};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::{Element, HtmlElement, HtmlIFrameElement, MessageEvent};

wasm_bindgen_test_configure!(run_in_browser);

const SHELL: &str = include_str!("../public/artifact.html");

/// An answer of one code block, with the one listener that its component has.
struct Answer {
    canvas: Canvas,
    _clicks: Listener,
}

impl Answer {
    fn new(lang: &str, text: &str, closed: bool) -> Self {
        let blocks = [Node::code_block(lang.into(), text, closed)];
        let mut canvas = Canvas::new(container()).unwrap();
        canvas.update(&blocks, &everything(&blocks)).unwrap();
        canvas.place_cursor().unwrap();
        let clicks = Listener::new(canvas.container(), "click", actions::clicked);
        Self { canvas, _clicks: clicks }
    }

    fn settled(lang: &str, text: &str, closed: bool) -> Self {
        let mut answer = Self::new(lang, text, closed);
        answer.canvas.settle().unwrap();
        answer
    }

    fn button(&self, words: &str) -> Option<HtmlElement> {
        let buttons = drawing::elements(self.canvas.container()).into_iter();
        let mut buttons = buttons.filter(|element| element.local_name() == "button");
        buttons.find(|button| button.text_content().as_deref() == Some(words))?.dyn_into().ok()
    }

    fn click(&self, words: &str) {
        self.button(words).unwrap_or_else(|| panic!("no button {words}")).click();
    }

    fn frames(&self) -> Vec<HtmlIFrameElement> {
        let elements = drawing::elements(self.canvas.container()).into_iter();
        elements.filter_map(|element: Element| element.dyn_into().ok()).collect()
    }

    /// Opens the preview with this shell in place of the one that only the adapter serves.
    fn open(&self, shell: &str) -> HtmlIFrameElement {
        self.click("Run preview");
        let frame = self.frames().pop().unwrap();
        frame.set_src(&format!("data:text/html;charset=utf-8,{}", encode_uri_component(shell)));
        frame
    }
}

/// The texts that frames send to this page, save the shell's own word.
fn messages() -> (Rc<RefCell<Vec<String>>>, Option<Listener>) {
    let heard = Rc::new(RefCell::new(Vec::new()));
    let into = Rc::clone(&heard);
    let listener = Listener::on_window("message", move |event| {
        let text = event.dyn_into::<MessageEvent>().ok().and_then(|event| event.data().as_string());
        into.borrow_mut().extend(text.filter(|text| text != "ready"));
    });
    (heard, listener)
}

/// Puts a clipboard in place that does this with what it gets.
fn set_clipboard(write: &str) {
    let clipboard = Object::new();
    let write = Function::new_with_args("text", write);
    Reflect::set(&clipboard, &"writeText".into(), &write).unwrap();
    put_clipboard(&clipboard);
}

fn put_clipboard(clipboard: &JsValue) {
    let property = Object::new();
    Reflect::set(&property, &"value".into(), clipboard).unwrap();
    Reflect::set(&property, &"configurable".into(), &JsValue::TRUE).unwrap();
    Object::define_property(&window().navigator(), &"clipboard".into(), &property);
}

#[wasm_bindgen_test]
fn only_finished_html_offers_a_preview() {
    let offered = |answer: Answer| answer.button("Run preview").is_some();
    assert!(offered(Answer::settled("html", "<p>x</p>\n", true)));
    assert!(offered(Answer::settled("HTML", "<p>x</p>\n", true)));
    assert!(!offered(Answer::new("html", "<p>x</p>\n", true)), "still streaming");
    assert!(!offered(Answer::settled("html", "<p>x</p>\n", false)), "cut before its fence closed");
    assert!(!offered(Answer::settled("js", "x\n", true)));
}

#[wasm_bindgen_test]
fn a_preview_is_a_sandboxed_frame_and_goes_with_its_button() {
    let answer = Answer::settled("html", "<p>x</p>\n", true);
    assert!(answer.frames().is_empty(), "nothing runs before the click");
    answer.click("Run preview");
    answer.click("Run preview");
    let [frame] = answer.frames().try_into().unwrap();
    let attribute = |name| frame.get_attribute(name);
    assert_eq!(attribute("sandbox").as_deref(), Some("allow-scripts"));
    assert_eq!(attribute("src").as_deref(), Some("artifact.html"));
    assert_eq!(attribute("allow").as_deref(), Some(""));
    assert_eq!(attribute("referrerpolicy").as_deref(), Some("no-referrer"));
    assert_eq!(attribute("title").as_deref(), Some("Untrusted preview"));
    assert_eq!(attribute("srcdoc"), None);
    assert_eq!(
        find(answer.canvas.container(), ".preview header > span").text_content().as_deref(),
        Some("Untrusted preview")
    );
    answer.click("Close");
    assert!(answer.frames().is_empty());
    assert_eq!(document().active_element().and_then(|it| it.text_content()).as_deref(), Some("Run preview"));
}

#[wasm_bindgen_test]
async fn the_shell_runs_what_it_is_sent_and_that_reaches_nothing() {
    let html = r#"<p id="p">x</p><script>
        const reached = [];
        const reach = (name, touch) => { try { touch(); reached.push(name) } catch {} };
        reach("parent", () => parent.document.title);
        reach("storage", () => localStorage.length);
        reach("cookie", () => document.cookie);
        reach("eval", () => eval("1"));
        fetch("/").then(() => reached.push("network"), () => {})
            .then(() => parent.postMessage(`${origin} ${p.textContent} [${reached}]`, "*"));
        </script>"#;
    let (heard, _listener) = messages();
    let answer = Answer::settled("html", html, true);
    answer.open(SHELL);
    until("the artifact reports", || !heard.borrow().is_empty()).await;
    assert_eq!(*heard.borrow(), ["null x []"]);
}

#[wasm_bindgen_test]
async fn a_frame_gets_its_content_once_and_only_when_it_asks() {
    let greedy = r#"<script>
        addEventListener("message", event => {
            parent.postMessage("got " + event.data, "*");
            parent.postMessage("ready", "*");
            parent.postMessage("again", "*");
        });
        parent.postMessage("give", "*");
        parent.postMessage("ready", "*");
        parent.postMessage("ready", "*");
        </script>"#;
    let (heard, _listener) = messages();
    // Not from a frame of ours: it must not be answered.
    window().post_message(&"ready".into(), "*").unwrap();
    let answer = Answer::settled("html", "secret", true);
    answer.open(greedy);
    until("its answer", || heard.borrow().iter().any(|text| text == "again")).await;
    for _ in 0..10 {
        drawing::frame().await;
    }
    assert_eq!(*heard.borrow(), ["give", "got secret", "again"]);
}

#[wasm_bindgen_test]
async fn code_is_copied_byte_for_byte() {
    let code = "fn main() {\n\tprintln!(\"<b>\u{202e}👩‍👩‍👧\");  \n}\n\n";
    for answer in [Answer::new("rust", code, false), Answer::settled("", code, true)] {
        set_clipboard("globalThis.copied = text; return Promise.resolve()");
        answer.click("Copy");
        until("the button says so", || answer.button("Copied").is_some()).await;
        let copied = Reflect::get(&js_sys::global(), &"copied".into()).unwrap();
        assert_eq!(copied.as_string().as_deref(), Some(code));
        until("its own words again", || answer.button("Copy").is_some()).await;
    }
}

#[wasm_bindgen_test]
fn lines_wrap_in_the_block_that_was_asked_and_in_those_to_come() {
    let wraps = |answer: &Answer| {
        let block = answer.canvas.container().first_element_child().unwrap();
        let pressed = answer.button("Wrap").unwrap().get_attribute("aria-pressed").unwrap();
        assert_eq!(block.class_name(), if pressed == "true" { "code wrap" } else { "code" });
        pressed == "true"
    };
    let (first, second) = (Answer::settled("rust", "x\n", true), Answer::new("", "y\n", false));
    assert_eq!((wraps(&first), wraps(&second)), (false, false));
    second.click("Wrap");
    assert_eq!((wraps(&first), wraps(&second)), (false, true));
    let third = Answer::new("rust", "z\n", false);
    assert!(wraps(&third));
    third.click("Wrap");
    assert_eq!((wraps(&second), wraps(&third), wraps(&Answer::new("", "", false))), (true, false, false));
}

#[wasm_bindgen_test]
fn a_finished_page_is_offered_beside_its_language_and_moves_no_button() {
    let answer = Answer::settled("html", "<p>", true);
    let header = answer.canvas.container().query_selector("header").unwrap().unwrap();
    assert_eq!(header.text_content().unwrap(), "htmlRun previewWrapCopy");
}

#[wasm_bindgen_test]
async fn a_copy_that_failed_says_so() {
    let answer = Answer::settled("rust", "x\n", true);
    for denied in [true, false] {
        if denied {
            set_clipboard("return Promise.reject(new Error('denied'))");
        } else {
            // A page that is not secure has none.
            put_clipboard(&JsValue::UNDEFINED);
        }
        answer.click("Copy");
        until("the button says so", || answer.button("Could not copy").is_some()).await;
        until("its own words again", || answer.button("Copy").is_some()).await;
    }
    assert!(!picture(&document().body().unwrap()).contains("Copied"));
}
