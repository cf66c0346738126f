//! A chat with the backend, whose `hermes` plays a scene.

use std::{
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use iris_adapter::backend::{
    Backend, Event, Link, Opening, Request, Said, SaidFile,
    cli::{Cli, Options, Patience},
};
use iris_core::{
    protocol::frame::{ServerFrame, TurnStatus},
    stall::record::StreamRecord,
};
use tempfile::TempDir;
use tokio::time::timeout;

/// Nothing here takes so long by itself.
const LIMIT: Duration = Duration::from_secs(30);

/// A chat.
pub struct Talk {
    pub backend: Cli,
    pub link: Link,
    pub folder: TempDir,
    /// Every frame so far.
    pub frames: Vec<ServerFrame>,
    /// What was to be remembered, newest last.
    pub memory: Vec<String>,
    pub streams: Vec<StreamRecord>,
    /// Messages that were taken, in order.
    pub taken: Vec<String>,
    said: usize,
}

/// How a turn ended.
#[derive(Debug, PartialEq, Eq)]
pub struct End {
    pub status: TurnStatus,
    pub exit_code: Option<i32>,
    pub error: Option<String>,
}

/// The options of a backend whose Hermes plays the scene in the folder.
pub fn options(folder: &Path) -> Options {
    Options {
        hermes: Some(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cli/hermes.sh").into()),
        home: None,
        workdir: folder.to_owned(),
        arguments: vec!["--scene".to_owned(), folder.join("scene").to_string_lossy().into_owned()],
        environment: Vec::new(),
        data: folder.join("data"),
        keeper: env!("CARGO_BIN_EXE_iris-adapter").into(),
        patience: Patience {
            interrupt: Duration::from_millis(300),
            terminate: Duration::from_millis(300),
            linger: Duration::from_millis(300),
        },
    }
}

impl Talk {
    /// A chat that plays this scene each turn.
    pub fn new(scene: &str) -> Self {
        Self::open(scene, Opening { prefix: "p".to_owned(), ..Opening::default() })
    }

    /// A chat that goes on from an earlier life.
    pub fn open(scene: &str, opening: Opening) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("scene"), scene).unwrap();
        let backend = Cli::new(options(folder.path())).unwrap();
        let link = backend.open(&"chat".into(), opening);
        Self {
            backend,
            link,
            folder,
            frames: Vec::new(),
            memory: Vec::new(),
            taken: Vec::new(),
            streams: Vec::new(),
            said: 0,
        }
    }

    /// Changes what the next turn plays.
    pub fn scene(&self, scene: &str) {
        fs::write(self.folder.path().join("scene"), scene).unwrap();
    }

    pub async fn say(&mut self, text: &str) {
        self.say_with(text, Vec::new()).await;
    }

    pub async fn say_with(&mut self, text: &str, files: Vec<SaidFile>) {
        self.said += 1;
        let message_id = format!("u{}", self.said).into();
        let said = Said { message_id, text: text.to_owned(), files, ..Said::default() };
        self.link.requests.send(Request::Say(said)).await.unwrap();
    }

    pub async fn stop(&self) {
        self.link.requests.send(Request::Stop).await.unwrap();
    }

    /// Listens until a frame is the one that is waited for.
    pub async fn until(&mut self, wanted: impl Fn(&ServerFrame) -> bool) {
        loop {
            if let Some(frame) = self.event().await
                && wanted(&frame)
            {
                return;
            }
        }
    }

    /// Listens until the turn ends.
    pub async fn end(&mut self) -> End {
        self.until(|frame| matches!(frame, ServerFrame::TurnEnd { .. })).await;
        match self.frames.last() {
            Some(ServerFrame::TurnEnd { status, exit_code, error, .. }) => {
                End { status: *status, exit_code: *exit_code, error: error.clone() }
            }
            other => panic!("{other:?}"),
        }
    }

    /// One event; the frame, if it is one.
    pub async fn event(&mut self) -> Option<ServerFrame> {
        let event =
            timeout(LIMIT, self.link.events.recv()).await.expect("nothing happens").expect("it is gone");
        match event {
            Event::Frame(frame) => {
                self.frames.push(frame.clone());
                return Some(frame);
            }
            Event::Taken { message_id, noted } => {
                self.taken.push(message_id.0);
                if let Some(noted) = noted {
                    noted.send(()).unwrap();
                }
            }
            Event::Remember(memory) => self.memory.push(memory),
            Event::Streamed(records) => self.streams.extend(records),
            other => panic!("{other:?}"),
        }
        None
    }

    /// The texts of the answer, one for each bubble.
    pub fn texts(&self) -> Vec<&str> {
        let texts = self.frames.iter().filter_map(|frame| match frame {
            ServerFrame::MessageStop { final_text, .. } => final_text.as_deref(),
            ServerFrame::Message { text, .. } => Some(text.as_str()),
            _ => None,
        });
        texts.collect()
    }

    /// The codes of the notices.
    pub fn notices(&self) -> Vec<&str> {
        let codes = self.frames.iter().filter_map(|frame| match frame {
            ServerFrame::Notice { code, .. } => Some(code.as_str()),
            _ => None,
        });
        codes.collect()
    }

    /// How many turns began and ended.
    pub fn turns(&self) -> (usize, usize) {
        let count =
            |wanted: fn(&ServerFrame) -> bool| self.frames.iter().filter(|frame| wanted(frame)).count();
        (
            count(|frame| matches!(frame, ServerFrame::TurnStart { .. })),
            count(|frame| matches!(frame, ServerFrame::TurnEnd { .. })),
        )
    }

    /// What the last run noted: `arguments`, `environment`, `prompt` or `runs`.
    pub fn noted(&self, what: &str) -> String {
        fs::read_to_string(self.path(what)).unwrap_or_default()
    }

    pub fn path(&self, what: &str) -> PathBuf {
        self.folder.path().join(format!("scene.{what}"))
    }
}

/// Plays a recording of the real Hermes.
pub fn recording(name: &str) -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/recordings/stream-json");
    let exit = fs::read_to_string(format!("{folder}/{name}.exit")).unwrap();
    let code = exit.split("exit=").nth(1).unwrap().split_whitespace().next().unwrap();
    format!("cat '{folder}/{name}.stderr.txt' >&2; cat '{folder}/{name}.jsonl'; exit {code}")
}

/// Waits until something holds.
pub async fn eventually(what: &str, holds: impl Fn() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < LIMIT, "never: {what}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// Whether a process is there. One that has ended and was not asked for its status is not.
pub fn runs(pid: &str) -> bool {
    let status = std::process::Command::new("ps").args(["-o", "stat=", "-p", pid.trim()]).output().unwrap();
    let status = String::from_utf8_lossy(&status.stdout).trim().to_owned();
    !status.is_empty() && !status.starts_with('Z')
}
