//! The recordings beside the crate, and the frames that they become.

use std::fs;
use std::path::{Path, PathBuf};

use iris_adapter::backend::gateway::{Machine, TimedCall, parse};
use iris_core::protocol::ServerFrame;
use iris_core::stream_json::{self, ToFrames};

/// A frame and when it came.
pub(crate) type Timed = (u64, ServerFrame);

/// A recording of the gateway.
pub(crate) struct Gateway {
    /// `folder/file`.
    pub(crate) name: String,
    /// Its calls.
    pub(crate) calls: Vec<TimedCall>,
}

impl Gateway {
    /// Whether plugin hooks were recorded.
    pub(crate) fn has_hooks(&self) -> bool {
        self.name.starts_with("with-hooks/")
    }

    /// Whether Hermes asked the model to go on after its stream had been cut, and joined what it then said once more.
    pub(crate) fn is_joined(&self) -> bool {
        self.name == "with-hooks/stall"
    }

    /// Whether Hermes ran with streaming on.
    pub(crate) fn streams(&self) -> bool {
        !self.name.starts_with("nostream-")
    }
}

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("recordings")
}

/// All `.jsonl` files below a folder, by name.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|extension| extension == "jsonl") {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn name(path: &Path, below: &str) -> String {
    path.strip_prefix(root().join(below)).unwrap().with_extension("").display().to_string()
}

/// Every recording of the gateway.
pub(crate) fn gateway() -> Vec<Gateway> {
    let all = files(&root().join("gateway-calls"));
    let recordings = all.iter().map(|path| Gateway {
        name: name(path, "gateway-calls"),
        calls: parse(&fs::read_to_string(path).unwrap())
            .unwrap_or_else(|e| panic!("{}: {e}", path.display())),
    });
    recordings.collect()
}

/// What the machine makes of these calls.
pub(crate) fn play(calls: &[TimedCall]) -> Vec<Timed> {
    let mut machine = Machine::new("x");
    let frames = calls.iter().flat_map(|timed| {
        let frames = machine.call(timed.t_ms, &timed.call);
        frames.into_iter().map(|frame| (timed.t_ms, frame))
    });
    frames.collect()
}

/// Every recording of `stream-json`: its name, its text.
pub(crate) fn stream_json() -> Vec<(String, String)> {
    let all = files(&root().join("stream-json"));
    all.iter().map(|path| (name(path, "stream-json"), fs::read_to_string(path).unwrap())).collect()
}

/// What the converter makes of such a text.
pub(crate) fn convert(text: &str) -> Vec<Timed> {
    let mut to_frames = ToFrames::new("x");
    let mut frames = Vec::new();
    for event in stream_json::parse(text) {
        frames.extend(to_frames.event(&event.unwrap()));
    }
    frames.extend(to_frames.end());
    frames.into_iter().map(|timed| (timed.t_ms, timed.frame)).collect()
}
