//! Streams through the engine's own `ReadableStream`, for Node: `cargo test -p wasm-streams --target wasm32-unknown-unknown`.
#![cfg(target_family = "wasm")]

use std::{cell::Cell, rc::Rc};

use futures_util::{StreamExt, stream};
use wasm_bindgen::JsValue;
use wasm_bindgen_test::wasm_bindgen_test;
use wasm_streams::ReadableStream;

/// What comes out of a stream that was the browser's in between.
async fn through(chunks: Vec<Result<JsValue, JsValue>>) -> Vec<Result<JsValue, JsValue>> {
    let raw = ReadableStream::from_stream(stream::iter(chunks)).into_raw();
    ReadableStream::from_raw(raw).into_stream().collect().await
}

#[wasm_bindgen_test]
async fn chunks_come_out_as_they_went_in() {
    let chunks = vec![Ok(1.into()), Ok("two".into()), Ok(JsValue::NULL)];
    assert_eq!(through(chunks.clone()).await, chunks);
    assert_eq!(through(Vec::new()).await, Vec::new());
}

#[wasm_bindgen_test]
async fn an_error_is_the_last() {
    assert_eq!(
        through(vec![Ok(1.into()), Err("x".into()), Ok(2.into())]).await.last(),
        Some(&Err("x".into()))
    );
}

struct Told(Rc<Cell<bool>>);

impl Drop for Told {
    fn drop(&mut self) {
        self.0.set(true);
    }
}

#[wasm_bindgen_test]
async fn a_reader_that_goes_takes_the_source_along() {
    let gone = Rc::new(Cell::new(false));
    let told = Told(Rc::clone(&gone));
    let endless = stream::repeat_with(move || {
        let _ = &told;
        Ok(1.into())
    });
    let mut chunks = Box::pin(ReadableStream::from_stream(endless).into_stream());
    assert_eq!(chunks.next().await, Some(Ok(1.into())));
    assert!(!gone.get());
    drop(chunks);
    assert!(gone.get());
}
