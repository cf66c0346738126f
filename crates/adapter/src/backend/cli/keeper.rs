//! `iris-adapter keep`: the process between the adapter and one `hermes`. It exists so that a Hermes never outlives the
//! adapter that started it, however that one dies: the keeper's standard input is a pipe of the adapter's, and when it
//! closes, Hermes is ended. (Linux could be asked to do this, but only from within the new process, which takes `unsafe`,
//! and it watches the thread that started it, not the process. A file with a process id helps only at the next start.)
//!
//! It also holds a lock on the chat while Hermes runs, so that a new adapter does not begin a turn in a session whose
//! last turn is still being ended.
//!
//! What comes in: the length of the prompt and a newline, the prompt, then one byte for each signal ([`Word`]). What
//! Hermes writes goes past the keeper, to the adapter. The keeper knows no frame and reads no output.

use std::{
    fs::{File, TryLockError},
    io::{self, BufRead, BufReader, Read, Write},
    path::PathBuf,
    process::{Child, Command, ExitStatus, Stdio},
    sync::{Arc, Mutex, PoisonError},
    thread,
    time::Duration,
};

use clap::Args;

/// How long an orphaned Hermes may take to end by itself. It needs about 1.7 s to stop a tool.
const GRACE: Duration = Duration::from_secs(4);
/// A longer prompt is not a prompt of the adapter's.
const MAX_PROMPT: u64 = 1 << 20;
/// The exit code when Hermes cannot be started, as shells have it.
const CANNOT_START: i32 = 127;

/// What `keep` is told on its command line.
#[derive(Debug, Args)]
pub struct Keep {
    /// The file that is locked while the program runs
    #[arg(long, value_name = "FILE")]
    pub lock: PathBuf,
    /// The program
    pub program: PathBuf,
    /// Its arguments
    #[arg(last = true)]
    pub arguments: Vec<String>,
}

/// A signal that the adapter wants Hermes to get.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Word {
    /// As Ctrl-C.
    Interrupt = b'i',
    /// As a machine that shuts down.
    Terminate = b't',
    /// At once.
    Kill = b'k',
}

/// What the two threads share: the child, once it runs, and whether it has ended.
#[derive(Debug, Default)]
struct Shared {
    child: Option<u32>,
    ended: bool,
}

type Kept = Arc<Mutex<Shared>>;

/// Runs a program until it ends or the adapter does; the result is the program's exit code.
pub fn run(keep: Keep) -> i32 {
    let kept = Kept::default();
    let mut control = BufReader::new(io::stdin());
    let prompt = match prompt(&mut control) {
        Ok(prompt) => prompt,
        Err(error) => return cannot("read what to say", &error),
    };
    let listener = Arc::clone(&kept);
    thread::spawn(move || listen(control, &listener));
    let _lock = match locked(&keep.lock) {
        Ok(lock) => lock,
        Err(error) => return cannot("lock the chat", &error),
    };
    // Under the lock: a signal must not fall between the start and our knowing of it.
    let started = with(&kept, |shared| start(&keep).inspect(|child| shared.child = Some(child.id())));
    let mut child = match started {
        Ok(child) => child,
        Err(error) => return cannot(&format!("start {}", keep.program.display()), &error),
    };
    say(&mut child, prompt);
    let status = child.wait();
    with(&kept, |shared| shared.ended = true);
    match status {
        Ok(status) => code(status),
        Err(error) => cannot("wait for Hermes", &error),
    }
}

fn prompt(control: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let mut length = String::new();
    control.take(20).read_line(&mut length)?;
    let length = length.trim().parse().ok().filter(|length| *length <= MAX_PROMPT);
    let length = length.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "no length"))?;
    let mut prompt = Vec::new();
    control.take(length).read_to_end(&mut prompt)?;
    match u64::try_from(prompt.len()) {
        Ok(read) if read == length => Ok(prompt),
        _ => Err(io::ErrorKind::UnexpectedEof.into()),
    }
}

/// Waits for whatever ran in the chat before.
fn locked(path: &PathBuf) -> io::Result<File> {
    let file = File::options().create(true).truncate(false).write(true).open(path)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => file.lock()?,
        Err(TryLockError::Error(error)) => return Err(error),
    }
    Ok(file)
}

fn start(keep: &Keep) -> io::Result<Child> {
    let mut command = Command::new(&keep.program);
    command.args(&keep.arguments).stdin(Stdio::piped());
    // A group of its own: its helpers are reached with it, and Ctrl-C in the adapter's terminal is the adapter's.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command.spawn()
}

/// From a thread of its own: a Hermes that does not read must not keep the signals from it.
fn say(child: &mut Child, prompt: Vec<u8>) {
    if let Some(mut stdin) = child.stdin.take() {
        thread::spawn(move || stdin.write_all(&prompt));
    }
}

/// Passes signals on; ends everything when the adapter is gone.
fn listen(control: impl BufRead, kept: &Kept) {
    for byte in control.bytes() {
        match byte {
            Ok(byte) if byte == Word::Interrupt as u8 => signal(kept, Word::Interrupt),
            Ok(byte) if byte == Word::Terminate as u8 => signal(kept, Word::Terminate),
            Ok(byte) if byte == Word::Kill as u8 => signal(kept, Word::Kill),
            Ok(_) => {}
            Err(_) => break,
        }
    }
    signal(kept, Word::Terminate);
    thread::sleep(GRACE);
    signal(kept, Word::Kill);
}

/// To the whole group; before there is one, any signal ends the keeper, and nothing was run.
fn signal(kept: &Kept, word: Word) {
    with(kept, |shared| match shared.child {
        _ if shared.ended => {}
        Some(child) => send(child, word),
        None => std::process::exit(130),
    });
}

#[cfg(unix)]
fn send(child: u32, word: Word) {
    use rustix::process::{Pid, Signal, kill_process_group};
    let signal = match word {
        Word::Interrupt => Signal::INT,
        Word::Terminate => Signal::TERM,
        Word::Kill => Signal::KILL,
    };
    if let Some(pid) = i32::try_from(child).ok().and_then(Pid::from_raw) {
        // The group may have ended by itself.
        let _ = kill_process_group(pid, signal);
    }
}

/// Elsewhere there is only the hard way, and the system's own tool for it.
#[cfg(not(unix))]
fn send(child: u32, _word: Word) {
    let _ = Command::new("taskkill").args(["/F", "/T", "/PID", &child.to_string()]).status();
}

fn code(status: ExitStatus) -> i32 {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return 128 + signal;
    }
    status.code().unwrap_or(1)
}

fn cannot(what: &str, error: &io::Error) -> i32 {
    eprintln!("Iris cannot {what}: {error}");
    CANNOT_START
}

fn with<T>(kept: &Kept, work: impl FnOnce(&mut Shared) -> T) -> T {
    work(&mut kept.lock().unwrap_or_else(PoisonError::into_inner))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(input: &str, expected: Option<&str>) {
        let read = prompt(&mut input.as_bytes()).ok();
        assert_eq!(read.as_deref(), expected.map(str::as_bytes), "{input:?}");
    }

    #[test]
    fn a_prompt_is_as_long_as_it_says() {
        check("5\nhello", Some("hello"));
        check("5\nhe\nlo", Some("he\nlo"));
        check("0\n", Some(""));
        check("5\nhel", None);
        check("five\nhello", None);
        check("99999999\nhello", None);
        check("", None);
    }

    #[test]
    fn what_follows_the_prompt_is_left_for_the_listener() {
        let mut control = &b"2\nokit"[..];
        assert_eq!(prompt(&mut control).unwrap(), b"ok");
        assert_eq!(control, b"it");
    }
}
