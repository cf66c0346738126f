//! A chat whose frames are fed to the mounted page, and what its animation frames show.

use iris::browser::now_ms;
use iris::store::Session;
use iris_core::protocol::decode_server;
use js_sys::{Function, Object, Promise, Reflect};
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;
use web_sys::HtmlElement;

use super::Page;

/// The page that a chat's frames are fed to.
pub(crate) struct Chat {
    pub(crate) page: Page,
    pub(crate) session: Session,
}

impl Chat {
    /// An empty one.
    pub(crate) fn open() -> Self {
        let page = Page::open();
        let session = Session::new(page.store.clone());
        Self { page, session }
    }

    /// A frame comes.
    pub(crate) fn feed(&mut self, frame: &str) {
        self.session.frame(decode_server(frame).unwrap(), now_ms());
    }

    /// The answer begins.
    pub(crate) fn start(&mut self) {
        self.feed(r#"{"type":"message.start","message_id":"m1"}"#);
    }

    /// The answer is this much by now.
    pub(crate) fn update(&mut self, text: &str) {
        let text = serde_json::Value::from(text);
        self.feed(&format!(r#"{{"type":"message.update","message_id":"m1","text":{text}}}"#));
    }

    /// The answer goes on.
    pub(crate) fn append(&mut self, at: usize, text: &str) {
        let text = serde_json::Value::from(text);
        self.feed(&format!(r#"{{"type":"message.append","message_id":"m1","at":{at},"text":{text}}}"#));
    }

    /// The answer is complete.
    pub(crate) fn stop(&mut self) {
        self.feed(r#"{"type":"message.stop","message_id":"m1"}"#);
    }

    /// What the bubble says, without its cursor.
    pub(crate) fn shown(&self) -> String {
        self.page.text(".answer-row [data-text]").unwrap_or_default().replace('▉', "")
    }

    /// One frame after the other until all of it is shown; what each of them showed.
    pub(crate) async fn watch(&mut self, all: &str, mut beside: impl FnMut(&mut Self, usize)) -> Vec<String> {
        let mut seen = Vec::new();
        for n in 0..2_000 {
            beside(self, n);
            frame().await;
            seen.push(self.shown());
            if seen.last().is_some_and(|shown| shown == all) {
                return seen;
            }
        }
        panic!("not all is shown: {:?}", seen.last());
    }
}

/// Waits for the next animation frame and what the page does in it; when it began.
pub(crate) async fn frame() -> f64 {
    let frame = Promise::new(&mut |done: Function, _| {
        web_sys::window().unwrap().request_animation_frame(&done).unwrap();
    });
    JsFuture::from(frame).await.unwrap().as_f64().unwrap()
}

/// Some lines of text, more than is ever typed: they are shown at once.
pub(crate) fn lines(count: usize) -> String {
    (0..count).map(|n| format!("Line {n} of a text that fills the view.\n\n")).collect()
}

impl Chat {
    /// A chat with more answers than the view can show, and a last one that streams.
    pub(crate) async fn long() -> (Self, HtmlElement) {
        let mut chat = Self::open();
        let scroller = chat.page.one("[data-scroller]");
        for (name, value) in
            [("display", "block"), ("height", "200px"), ("overflow-y", "scroll"), ("overflow-anchor", "none")]
        {
            scroller.style().set_property(name, value).unwrap();
        }
        for n in 0..20 {
            chat.feed(&format!(r#"{{"type":"message","message_id":"old{n}","text":"Old answer {n}"}}"#));
        }
        chat.start();
        chat.update(&lines(20));
        chat.page.until("the last line", |_| scroller.text_content().unwrap().contains("Line 18")).await;
        scroller.set_scroll_top(scroller.scroll_height());
        chat.end_in_sight(&scroller).await;
        (chat, scroller)
    }

    /// Waits until the end of the text is seen, and followed.
    pub(crate) async fn end_in_sight(&self, scroller: &HtmlElement) {
        let to_end = || scroller.scroll_height() - scroller.client_height() - scroller.scroll_top();
        self.page.until("the end", |page| to_end() <= 1 && page.all("[data-action=below]").is_empty()).await;
    }
}

/// A few frames.
pub(crate) async fn some_frames() {
    for _ in 0..4 {
        frame().await;
    }
}

/// Tells the page that it is `hidden` or `visible`.
pub(crate) fn set_visibility(state: &str) {
    let document = web_sys::window().unwrap().document().unwrap();
    let property = Object::new();
    Reflect::set(&property, &"value".into(), &state.into()).unwrap();
    Reflect::set(&property, &"configurable".into(), &JsValue::TRUE).unwrap();
    Object::define_property(&document, &"visibilityState".into(), &property);
    document.dispatch_event(&web_sys::Event::new("visibilitychange").unwrap()).unwrap();
}
