//! Runs a program as a named step: says what it does and for how long, shows a short form of the program's own lines,
//! and on failure names the step and the remedy. Decides nothing about what is run.

use anyhow::{Context, Result, anyhow};
use std::{
    io::{self, BufRead, BufReader, IsTerminal, PipeReader, Write},
    process::{Child, Command, ExitStatus, Stdio},
    sync::mpsc::{self, Receiver, RecvTimeoutError},
    thread,
    time::{Duration, Instant},
};

/// How many of the last lines a failed quiet step shows.
const TAIL: usize = 60;

/// Which lines of the program reach the reader.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Echo {
    /// Only a line of progress; the last lines when it fails.
    Progress,
    /// All but the build tool's own progress: for test runners.
    Lines,
}

/// One thing that is done by running one program.
pub(crate) struct Step<'a> {
    /// "Building the app".
    pub(crate) name: &'a str,
    /// "about 2 minutes the first time"; empty when it is quick.
    pub(crate) takes: &'a str,
    /// What the reader can do when it fails.
    pub(crate) remedy: &'a str,
    pub(crate) echo: Echo,
}

/// How a program ended, with everything it wrote.
pub(crate) struct Finished {
    pub(crate) ok: bool,
    pub(crate) text: String,
}

/// Runs the program; an unsuccessful end is an error that names step and remedy.
pub(crate) fn run(step: &Step, command: Command) -> Result<String> {
    let finished = observe(step, command)?;
    if finished.ok {
        return Ok(finished.text);
    }
    if step.echo == Echo::Progress {
        let lines: Vec<&str> = finished.text.lines().collect();
        for line in lines.iter().skip(lines.len().saturating_sub(TAIL)) {
            println!("  | {line}");
        }
    }
    Err(anyhow!("this step failed: {}\n  what helps: {}", step.name, step.remedy))
}

/// Runs the program and reports how it ended: for callers that count failures instead of stopping.
pub(crate) fn observe(step: &Step, mut command: Command) -> Result<Finished> {
    let takes = if step.takes.is_empty() { String::new() } else { format!(" ({})", step.takes) };
    println!("• {}{takes}", step.name);
    let (reader, writer) = io::pipe().context("cannot make a pipe")?;
    command.stdin(Stdio::null()).stdout(writer.try_clone()?).stderr(writer);
    let mut child = command.spawn().with_context(|| {
        format!(
            "{}: cannot start {}\n  what helps: {}",
            step.name,
            command.get_program().display(),
            step.remedy
        )
    })?;
    // `command` keeps the pipe's writing end; the reader sees the end only when every copy is closed.
    drop(command);
    let mut progress = Progress::new(step.echo);
    let text = follow(&mut child, &lines_of(reader), &mut progress)?;
    let status = child.wait().context("the program was lost")?;
    progress.end(step.name, status);
    Ok(Finished { ok: status.success(), text })
}

fn lines_of(reader: PipeReader) -> Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut reader = BufReader::new(reader);
        let mut bytes = Vec::new();
        while reader.read_until(b'\n', &mut bytes).is_ok_and(|read| read > 0) {
            let line = String::from_utf8_lossy(&bytes).trim_end().to_owned();
            if sender.send(line).is_err() {
                return;
            }
            bytes.clear();
        }
    });
    receiver
}

/// Reads until the program has ended and its lines are read. A grandchild that outlives it must not hold us up.
fn follow(child: &mut Child, lines: &Receiver<String>, progress: &mut Progress) -> Result<String> {
    let mut text = String::new();
    loop {
        match lines.recv_timeout(Duration::from_millis(500)) {
            Ok(line) => {
                progress.line(&line);
                text.push_str(&line);
                text.push('\n');
            }
            Err(RecvTimeoutError::Disconnected) => return Ok(text),
            Err(RecvTimeoutError::Timeout) => {
                progress.tick();
                if child.try_wait().context("the program was lost")?.is_some() {
                    return Ok(text);
                }
            }
        }
    }
}

/// The line that says it is still alive: rewritten in place on a terminal, now and then in a log.
struct Progress {
    echo: Echo,
    terminal: bool,
    started: Instant,
    shown: Instant,
    steps: usize,
    latest: String,
}

impl Progress {
    fn new(echo: Echo) -> Self {
        let now = Instant::now();
        let terminal = io::stdout().is_terminal();
        Self { echo, terminal, started: now, shown: now, steps: 0, latest: String::new() }
    }

    fn line(&mut self, line: &str) {
        let plain = crate::summary::strip_ansi(line);
        if plain.trim().is_empty() && self.echo == Echo::Progress {
            return;
        }
        if self.echo == Echo::Lines && !is_build_progress(&plain) {
            self.clear();
            println!("  {line}");
            return;
        }
        self.steps += 1;
        self.latest = plain.trim().chars().take(90).collect();
        self.tick();
    }

    fn tick(&mut self) {
        let pause = if self.terminal { Duration::from_millis(200) } else { Duration::from_secs(20) };
        if self.shown.elapsed() < pause {
            return;
        }
        self.shown = Instant::now();
        let line =
            format!("  {:>4} s, line {}: {}", self.started.elapsed().as_secs(), self.steps, self.latest);
        if self.terminal {
            print!("\r\x1b[K{line}");
            let _ = io::stdout().flush();
        } else {
            println!("{line}");
        }
    }

    fn clear(&self) {
        if self.terminal {
            print!("\r\x1b[K");
        }
    }

    fn end(&self, name: &str, status: ExitStatus) {
        self.clear();
        let seconds = self.started.elapsed().as_secs_f32();
        let mark = if status.success() { "✓" } else { "✗" };
        println!("{mark} {name}, {seconds:.1} s");
    }
}

/// Whether a line is cargo's own progress and not a test runner's word.
fn is_build_progress(line: &str) -> bool {
    const WORDS: [&str; 11] = [
        "Compiling",
        "Checking",
        "Downloading",
        "Downloaded",
        "Fresh",
        "Blocking",
        "Locking",
        "Updating",
        "Finished",
        "Adding",
        "Fetching",
    ];
    let mut words = line.split_whitespace();
    line.starts_with(' ') && words.next().is_some_and(|word| WORDS.contains(&word))
}

/// Becomes the program: it gets our signals and our terminal.
#[cfg(unix)]
pub(crate) fn replace_with(mut command: Command) -> std::io::Result<()> {
    use std::os::unix::process::CommandExt;
    Err(command.exec())
}

/// Windows cannot become another program: start it and wait.
#[cfg(not(unix))]
pub(crate) fn replace_with(mut command: Command) -> std::io::Result<()> {
    command.status().map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUIET: Step =
        Step { name: "a step", takes: "", remedy: "turn it off and on", echo: Echo::Progress };

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn both_streams_are_kept_in_order() {
        assert_eq!(run(&QUIET, shell("echo one; echo two >&2; echo three")).unwrap(), "one\ntwo\nthree\n");
    }

    #[test]
    fn a_failure_names_the_step_and_the_remedy() {
        let error = run(&QUIET, shell("exit 3")).unwrap_err().to_string();
        assert!(error.contains("a step") && error.contains("turn it off and on"), "{error}");
    }

    #[test]
    fn a_missing_program_is_named() {
        let error = format!("{:#}", run(&QUIET, Command::new("no-such-program-here")).unwrap_err());
        assert!(error.contains("no-such-program-here") && error.contains("turn it off and on"), "{error}");
    }

    #[test]
    fn a_grandchild_that_keeps_the_pipe_open_does_not_hold_us_up() {
        let started = Instant::now();
        assert_eq!(run(&QUIET, shell("sleep 30 & echo done")).unwrap(), "done\n");
        assert!(started.elapsed() < Duration::from_secs(10));
    }

    #[test]
    fn only_cargos_progress_counts_as_progress() {
        assert!(is_build_progress("   Compiling leptos v0.8.23"));
        assert!(!is_build_progress("     Running tests/bubble.rs"));
        assert!(!is_build_progress("        PASS [   0.012s] iris-core codec"));
        assert!(!is_build_progress("Running by hand"));
        assert!(!is_build_progress("error[E0308]: mismatched types"));
    }
}
