//! What `modules/desk/index.js` does for this program on the page: a worker and sockets need JavaScript of the page's own.

use std::cell::RefCell;

use js_sys::Function;
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::Worker;

#[wasm_bindgen]
extern "C" {
    /// The object that `start` is given.
    #[derive(Clone)]
    pub type Host;

    /// The program has stopped with these words.
    #[wasm_bindgen(method)]
    pub fn stopped(this: &Host, words: &str);

    /// This program in a worker.
    #[wasm_bindgen(method, catch)]
    fn worker(this: &Host) -> Result<Worker, wasm_bindgen::JsValue>;

    /// A function that makes what behaves like a socket to this worker.
    #[wasm_bindgen(method)]
    fn dialer(this: &Host, worker: &Worker) -> Function;
}

thread_local! {
    static HOST: RefCell<Option<Host>> = const { RefCell::new(None) };
}

/// From now on this is the host.
pub fn set(host: Host) {
    HOST.set(Some(host));
}

/// This program in a worker, and the function that makes sockets to it.
pub fn worker() -> Option<(Worker, Function)> {
    let host = HOST.with_borrow(Clone::clone)?;
    let worker = host.worker().ok()?;
    let dial = host.dialer(&worker);
    Some((worker, dial))
}
