//! One run of `hermes chat`, under its keeper: started with a prompt, heard line by line, signalled, waited for. Dropping
//! it ends it. What the lines mean is `turn.rs`'s business.

use std::{io, path::Path, process::Stdio, time::Duration};

use iris_core::jsonl;
use tokio::{
    io::AsyncWriteExt,
    process::{Child, ChildStdin, ChildStdout, Command},
    task::JoinHandle,
    time::timeout,
};

use super::{
    environment,
    keeper::Word,
    lines::{Line, Lines},
    options::Options,
    stderr::Ring,
};

/// How long the pipes may stay open once Hermes has ended: something that it started may hold them.
const PIPES: Duration = Duration::from_secs(1);

/// What a run is about.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run<'a> {
    /// What is said.
    pub(super) prompt: &'a str,
    /// The session that goes on.
    pub(super) resume: Option<&'a str>,
    /// A picture that belongs to the prompt.
    pub(super) image: Option<&'a Path>,
    /// The chat's own folder.
    pub(super) folder: &'a Path,
}

/// A run.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    /// The keeper's end of life: it ends Hermes when this is closed.
    control: ChildStdin,
    lines: Option<Lines<ChildStdout>>,
    exit: Option<i32>,
    ring: Ring,
    stderr: JoinHandle<()>,
}

/// What happens to a run.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Happening {
    /// It wrote a line.
    Line(Line),
    /// It has ended, and everything that it wrote has been read.
    Ended(i32),
}

impl Process {
    /// Starts a run.
    pub(super) async fn start(options: &Options, run: Run<'_>) -> io::Result<Self> {
        let variables = options.variables();
        let ring = Ring::new(environment::secrets(&variables));
        let mut command = Command::new(&options.keeper);
        command.arg("keep").arg("--lock").arg(run.folder.join("lock")).arg(options.program()).arg("--");
        command.args(arguments(options, run));
        command.env_clear().envs(variables).current_dir(&options.workdir);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // The keeper is not killed on drop: it has Hermes to end first, and does so when its standard input closes.
        // It is in no terminal's foreground, so Ctrl-C there is the adapter's alone.
        #[cfg(unix)]
        command.process_group(0);
        let mut child = command.spawn()?;
        let (Some(mut control), Some(stdout), Some(stderr)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(io::Error::other("a pipe is missing"));
        };
        control.write_all(format!("{}\n", run.prompt.len()).as_bytes()).await?;
        control.write_all(run.prompt.as_bytes()).await?;
        control.flush().await?;
        let stderr = tokio::spawn(ring.clone().fill(stderr));
        let lines = Some(Lines::new(stdout, jsonl::MAX_LINE_BYTES));
        Ok(Self { child, control, lines, exit: None, ring, stderr })
    }

    /// What happens next. May be given up at any time.
    pub(super) async fn next(&mut self) -> Happening {
        loop {
            let Some(lines) = &mut self.lines else { return Happening::Ended(self.ended().await) };
            let line = match self.exit {
                Some(_) => timeout(PIPES, lines.next()).await.unwrap_or(Ok(None)),
                None => tokio::select! {
                    line = lines.next() => line,
                    status = self.child.wait() => {
                        self.exit = Some(status.ok().and_then(|status| status.code()).unwrap_or(1));
                        continue;
                    }
                },
            };
            match line {
                Ok(Some(line)) => return Happening::Line(line),
                Ok(None) | Err(_) => self.lines = None,
            }
        }
    }

    /// The exit code, once what stands on standard error has been read too.
    async fn ended(&mut self) -> i32 {
        let exit = match self.exit {
            Some(exit) => exit,
            None => self.child.wait().await.ok().and_then(|status| status.code()).unwrap_or(1),
        };
        self.exit = Some(exit);
        if !self.stderr.is_finished() {
            let _ = timeout(PIPES, &mut self.stderr).await;
        }
        exit
    }

    /// Waits until it has ended, whatever it says until then.
    pub(super) async fn gone(&mut self) {
        while let Happening::Line(_) = self.next().await {}
    }

    /// Another line is here already.
    pub(super) fn is_ready(&self) -> bool {
        self.lines.as_ref().is_some_and(Lines::is_ready)
    }

    /// Passes a signal on. A keeper that is gone has nobody to pass it to.
    pub(super) async fn signal(&mut self, word: Word) {
        let sent = self.control.write_all(&[word as u8]).await;
        if sent.is_err() || self.control.flush().await.is_err() {
            tracing::debug!("Hermes has ended before its signal");
        }
    }

    /// What was written beside the events.
    pub(super) fn ring(&self) -> &Ring {
        &self.ring
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.stderr.abort();
    }
}

/// The arguments are a fixed list, and nothing of it is the user's text: that goes in on standard input.
fn arguments(options: &Options, run: Run<'_>) -> Vec<String> {
    let mut arguments = vec!["chat".to_owned()];
    arguments.extend(options.arguments.iter().cloned());
    arguments.extend(["--query-file", "-", "--format", "stream-json"].map(str::to_owned));
    // One argument each, so that no value can be taken for an option.
    arguments.extend(run.resume.map(|session| format!("--resume={session}")));
    arguments.extend(run.image.map(|image| format!("--image={}", image.display())));
    arguments
}
