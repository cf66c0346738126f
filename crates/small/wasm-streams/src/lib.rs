//! The browser's readable streams as Rust streams and back: what Leptos' server functions call.
//!
//! Iris has no server functions, so nothing of this is in the app. The classes of wasm-streams itself would be: it exports
//! them to JavaScript, and what is exported is never left out of the program. Here a source is an object with two closures.

use std::{cell::RefCell, rc::Rc};

use futures_util::{
    Stream, StreamExt,
    stream::{self, AbortHandle, Abortable},
};
use js_sys::{Object, Promise, Reflect};
use wasm_bindgen::{JsCast, JsValue, UnwrapThrowExt, closure::Closure};
use wasm_bindgen_futures::{JsFuture, future_to_promise};
use web_sys::{
    QueuingStrategy, ReadableStreamDefaultController, ReadableStreamDefaultReader, ReadableStreamReadResult,
};

type Chunk = Result<JsValue, JsValue>;

/// A readable stream of the browser.
#[derive(Debug)]
pub struct ReadableStream(web_sys::ReadableStream);

impl ReadableStream {
    /// One that the browser made.
    #[must_use]
    pub fn from_raw(raw: web_sys::ReadableStream) -> Self {
        Self(raw)
    }

    /// The browser's.
    #[must_use]
    pub fn into_raw(self) -> web_sys::ReadableStream {
        self.0
    }

    /// One that a Rust stream feeds, chunk by chunk as the reader asks for them.
    pub fn from_stream(chunks: impl Stream<Item = Chunk> + 'static) -> Self {
        let (stop, stopped) = AbortHandle::new_pair();
        // Not there while a chunk is waited for, nor after the end.
        let chunks = Rc::new(RefCell::new(Some(Abortable::new(chunks, stopped).boxed_local())));
        let unread = Rc::clone(&chunks);
        let cancel: Closure<dyn FnMut()> = Closure::new(move || {
            stop.abort();
            unread.take();
        });
        let pull: Closure<dyn FnMut(ReadableStreamDefaultController) -> Promise> =
            Closure::new(move |controller: ReadableStreamDefaultController| {
                let chunks = Rc::clone(&chunks);
                future_to_promise(async move {
                    let Some(mut stream) = chunks.take() else { return Ok(JsValue::UNDEFINED) };
                    match stream.next().await {
                        Some(chunk) => {
                            controller.enqueue_with_chunk(&chunk?)?;
                            chunks.replace(Some(stream));
                        }
                        None => controller.close()?,
                    }
                    Ok(JsValue::UNDEFINED)
                })
            });
        let source = Object::new();
        for (name, closure) in [("pull", pull.into_js_value()), ("cancel", cancel.into_js_value())] {
            Reflect::set(&source, &name.into(), &closure).unwrap_throw();
        }
        // The Rust stream is what waits, not a queue of the browser's.
        let strategy = QueuingStrategy::new();
        strategy.set_high_water_mark(0.0);
        let raw = web_sys::ReadableStream::new_with_underlying_source_and_strategy(&source, &strategy);
        Self(raw.unwrap_throw())
    }

    /// What comes out of it, until the end or the first error. Dropped before, it tells the source to stop.
    pub fn into_stream(self) -> impl Stream<Item = Chunk> + 'static {
        let reader = Reader(self.0.get_reader().unchecked_into());
        stream::unfold(Some(reader), |reader| async move {
            let reader = reader?;
            match JsFuture::from(reader.0.read()).await {
                Ok(result) => {
                    let result: ReadableStreamReadResult = result.unchecked_into();
                    let is_done = result.get_done().unwrap_or_default();
                    (!is_done).then(|| (Ok(result.get_value()), Some(reader)))
                }
                Err(error) => Some((Err(error), None)),
            }
        })
    }
}

struct Reader(ReadableStreamDefaultReader);

impl Drop for Reader {
    fn drop(&mut self) {
        // After the end this changes nothing, and after an error it fails with that error, which the reader has seen.
        let heard = Closure::once(|_: JsValue| ());
        let _ = self.0.cancel().catch(&heard);
        heard.forget();
        self.0.release_lock();
    }
}
