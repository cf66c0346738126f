//! One socket: makes it, hands over what happens to it, and takes everything down when it is dropped.
//! Knows neither frames nor reconnecting, nor whether other tabs share it.

use std::rc::Rc;

use js_sys::{Function, JsString, Reflect};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{CloseEvent, Event, Location, MessageEvent, WebSocket};

/// The longest message that is taken in, in UTF-16 units: the adapter's own limit for what it writes.
const MAX_UNITS: u32 = 16 << 20;

/// What happens to a socket.
pub(super) enum SocketEvent {
    /// It can be written to.
    Opened,
    /// A text message.
    Text(JsString),
    /// What comes next happened at this time of the recording, milliseconds; only a player of recorded runs says so.
    Time(f64),
    /// A message that is no text, or too much of it to be taken in.
    Unreadable,
    /// It is gone, or never came up.
    Closed {
        /// The close code; 1006 when the network gave none.
        code: u16,
        /// What the other side said.
        reason: String,
    },
}

/// An open or opening socket. Dropping it closes it, and nothing is heard of it afterwards.
pub(super) struct Socket {
    inner: WebSocket,
    _opened: Closure<dyn FnMut(Event)>,
    _message: Closure<dyn FnMut(MessageEvent)>,
    _closed: Closure<dyn FnMut(CloseEvent)>,
}

impl Socket {
    /// Listens to a socket that has just been made. `on` is called from the browser's callbacks, never from within this
    /// function.
    pub(super) fn new(inner: WebSocket, on: impl Fn(SocketEvent) + 'static) -> Self {
        let on = Rc::new(on);
        let opened = {
            let on = on.clone();
            Closure::<dyn FnMut(Event)>::new(move |_| on(SocketEvent::Opened))
        };
        let message = {
            let on = on.clone();
            Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
                on(match event.data().as_f64() {
                    Some(ms) => SocketEvent::Time(ms),
                    None => text(&event).map_or(SocketEvent::Unreadable, SocketEvent::Text),
                });
            })
        };
        // An `error` event carries nothing and is always followed by `close`.
        let closed = Closure::<dyn FnMut(CloseEvent)>::new(move |event: CloseEvent| {
            on(SocketEvent::Closed { code: event.code(), reason: event.reason() });
        });
        inner.set_onopen(Some(opened.as_ref().unchecked_ref()));
        inner.set_onmessage(Some(message.as_ref().unchecked_ref()));
        inner.set_onclose(Some(closed.as_ref().unchecked_ref()));
        Self { inner, _opened: opened, _message: message, _closed: closed }
    }

    /// Writes a text message. False if the socket is not open.
    pub(super) fn send(&self, text: &str) -> bool {
        self.inner.ready_state() == WebSocket::OPEN && self.inner.send_with_str(text).is_ok()
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        self.inner.set_onopen(None);
        self.inner.set_onmessage(None);
        self.inner.set_onclose(None);
        let _ = self.inner.close();
    }
}

/// A socket to the adapter. The one that all tabs of this browser share, where `boot.js` offers one: it looks like a
/// WebSocket. Otherwise one of this page's own.
pub(super) fn connect() -> Result<WebSocket, JsValue> {
    let url = address(&web_sys::window().ok_or(JsValue::NULL)?.location())?;
    let global = js_sys::global();
    let offered = Reflect::get(&global, &JsValue::from_str("irisSocket"))?;
    let shared = offered.dyn_ref::<Function>().and_then(|open| open.call1(&global, &(&url).into()).ok());
    match shared.filter(JsValue::is_object) {
        Some(shared) => Ok(shared.unchecked_into()),
        None => WebSocket::new(&url),
    }
}

/// The text stays in the browser, which parses it better than we would.
fn text(event: &MessageEvent) -> Option<JsString> {
    let text = event.data().dyn_into::<JsString>().ok()?;
    (text.length() <= MAX_UNITS).then_some(text)
}

/// Where the adapter of this page listens: `ws` beside the page, on the host that served it and no other.
fn address(location: &Location) -> Result<String, JsValue> {
    Ok(beside(&location.protocol()?, &location.host()?, &location.pathname()?))
}

fn beside(protocol: &str, host: &str, path: &str) -> String {
    let scheme = if protocol == "https:" { "wss" } else { "ws" };
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    format!("{scheme}://{host}{folder}/ws")
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test]
    fn the_adapter_listens_beside_the_page() {
        let check = |protocol, host, path, expected| assert_eq!(beside(protocol, host, path), expected);
        check("http:", "127.0.0.1:8600", "/", "ws://127.0.0.1:8600/ws");
        check("https:", "host.example", "/index.html", "wss://host.example/ws");
        check("https:", "host.example", "/iris/", "wss://host.example/iris/ws");
        check("http:", "[::1]:80", "", "ws://[::1]:80/ws");
    }
}
