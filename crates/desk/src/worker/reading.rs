//! Bytes of files: a whole one from beginning to end for its index, and the ranges that a player asks for. Nothing holds more
//! than a piece at a time.

use std::ops::Range;

use iris_core::ids::ChatId;
use js_sys::Uint8Array;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::File;

use super::{Shared, adapter, pump};
use crate::wire::Report;

/// The first piece is small: what it shows is there the sooner.
const FIRST: u64 = 64 << 10;
/// Every other piece.
const PIECE: u64 = 1 << 20;
/// A player is given at most so much at a time.
const MAX_GIVEN: u64 = 2 << 20;
/// How often the page is told how far the reading is, milliseconds.
const TELL_MS: u64 = 400;

/// A range of a file.
async fn read(file: &File, range: Range<u64>) -> Result<Vec<u8>, JsValue> {
    let slice = file.slice_with_f64_and_f64(range.start as f64, range.end as f64)?;
    let bytes = JsFuture::from(slice.array_buffer()).await?;
    Ok(Uint8Array::new(&bytes).to_vec())
}

/// Reads a file to its end, so that its index grows. Ends early when the file is refused or taken away.
pub(super) fn index(shared: Shared, chat: ChatId) {
    spawn_local(async move {
        let Some(file) = shared.borrow_mut().run(&chat).map(|run| run.file.clone()) else { return };
        let size = file.size() as u64;
        let (mut at, mut told_ms) = (0, 0);
        while at < size {
            let piece = at..size.min(at + if at == 0 { FIRST } else { PIECE });
            let end = piece.end;
            let bytes = read(&file, piece).await;
            let mut worker = shared.borrow_mut();
            let Some(run) = worker.run(&chat) else { return };
            match bytes {
                Ok(bytes) => run.indexer.push(&bytes),
                Err(_) => break,
            }
            at = end;
            let now = worker.now();
            let tells = now.saturating_sub(told_ms) > TELL_MS;
            drop(worker);
            if !adapter::look_at(&shared, &chat, tells) {
                return;
            }
            if tells {
                told_ms = now;
            }
            pump(&shared);
        }
        if at < size {
            cannot_read(&shared, &chat);
        } else {
            shared.borrow_mut().run(&chat).into_iter().for_each(|run| run.indexer.finish());
            adapter::look_at(&shared, &chat, true);
        }
        pump(&shared);
    });
}

/// Gives a player the bytes that it asks for.
pub(super) fn give(shared: Shared, chat: ChatId, range: Range<u64>) {
    spawn_local(async move {
        let Some(file) = shared.borrow_mut().run(&chat).map(|run| run.file.clone()) else { return };
        let start = range.start;
        let bytes = read(&file, start..range.end.min(start + MAX_GIVEN)).await;
        if let Some(run) = shared.borrow_mut().run(&chat) {
            run.reading = false;
        }
        match bytes {
            Ok(bytes) if !bytes.is_empty() => {
                if let Some(run) = shared.borrow_mut().run(&chat) {
                    run.player.give(start, &bytes);
                }
            }
            _ => cannot_read(&shared, &chat),
        }
        pump(&shared);
    });
}

/// The browser lets go of a file that was moved, deleted or written to.
fn cannot_read(shared: &Shared, chat: &ChatId) {
    const WHY: &str = "The file cannot be read any more: it was moved, deleted or changed. Open it again";
    let mut worker = shared.borrow_mut();
    let Some(run) = worker.run(chat) else { return };
    run.trouble = Some(WHY.to_owned());
    let name = run.file.name();
    if run.accepted {
        let frames = run.player.fail(WHY);
        frames.iter().for_each(|frame| worker.send(frame));
    } else {
        worker.runs.retain(|run| run.chat != *chat);
        worker.report(&Report::Refused { name, why: WHY.to_owned() });
    }
}
