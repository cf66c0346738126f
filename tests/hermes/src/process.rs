//! A program in a process group of its own, whose words are kept in a file and which never outlives its owner.

use std::{
    fs::{self, File},
    path::{Path, PathBuf},
    process::{ExitStatus, Stdio},
};

use anyhow::Context;
use rustix::process::{Pid, Signal, kill_process_group};
use tokio::process::{Child, Command};

/// A running program. Dropping it kills its whole group.
#[derive(Debug)]
pub struct Running {
    /// The program.
    pub child: Child,
    group: Option<Pid>,
    log: PathBuf,
}

impl Running {
    /// Starts `command`. Standard error goes to `log`, and standard output too unless the command pipes it.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn start(mut command: Command, log: &Path, piped: bool) -> anyhow::Result<Self> {
        let file = File::options().create(true).append(true).open(log);
        let file = file.with_context(|| format!("making {}", log.display()))?;
        let out = if piped { Stdio::piped() } else { file.try_clone()?.into() };
        let input = if piped { Stdio::piped() } else { Stdio::null() };
        command.stdin(input).stdout(out).stderr(file).process_group(0).kill_on_drop(true);
        let child =
            command.spawn().with_context(|| format!("starting {:?}", command.as_std().get_program()))?;
        let group = child.id().and_then(|id| Pid::from_raw(i32::try_from(id).ok()?));
        Ok(Self { child, group, log: log.to_owned() })
    }

    /// Kills the group, as a crash would.
    ///
    /// # Errors
    /// When the program cannot be waited for.
    pub async fn kill(&mut self) -> anyhow::Result<()> {
        self.signal(Signal::KILL);
        self.child.wait().await.map(drop).context("waiting for a killed program")
    }

    /// Asks the group to end, and waits until the program has.
    ///
    /// # Errors
    /// When it does not end; it is killed then.
    pub async fn stop(&mut self) -> anyhow::Result<ExitStatus> {
        self.signal(Signal::TERM);
        match tokio::time::timeout(e2e::wait::PATIENCE, self.child.wait()).await {
            Ok(ended) => ended.context("waiting for a program to end"),
            Err(_) => {
                self.kill().await?;
                anyhow::bail!("{} did not end when it was asked to", self.log.display())
            }
        }
    }

    /// How it ended, if it has.
    ///
    /// # Errors
    /// When the program was lost.
    pub fn ended(&mut self) -> anyhow::Result<Option<ExitStatus>> {
        Ok(self.child.try_wait()?)
    }

    fn signal(&self, signal: Signal) {
        if let Some(group) = self.group {
            // Gone already is what is wanted.
            let _gone = kill_process_group(group, signal);
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.signal(Signal::KILL);
    }
}

/// The end of a log, for people.
pub(crate) fn tail(log: &Path, lines: usize) -> String {
    let text = fs::read(log).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
    let all: Vec<_> = text.lines().collect();
    all.get(all.len().saturating_sub(lines)..).unwrap_or_default().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_grandchild_ends_with_the_group() -> anyhow::Result<()> {
        let folder = tempfile::tempdir()?;
        let pid_file = folder.path().join("pid");
        let mut command = Command::new("sh");
        command.arg("-c").arg(format!("sleep 600 & echo $! > {}; wait", pid_file.display()));
        let mut running = Running::start(command, &folder.path().join("log"), false)?;
        let pid = e2e::wait::until("the grandchild", || async {
            Ok(fs::read_to_string(&pid_file).ok().and_then(|text| text.trim().parse::<i32>().ok()))
        })
        .await?;
        assert!(alive(pid));
        running.kill().await?;
        e2e::wait::until("the grandchild's end", || async { Ok((!alive(pid)).then_some(())) }).await
    }

    /// Whether it runs; a zombie that nobody has waited for does not.
    fn alive(pid: i32) -> bool {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        stat.rsplit(") ").next().is_some_and(|rest| !rest.is_empty() && !rest.starts_with('Z'))
    }

    #[test]
    fn the_tail_of_a_log_is_its_last_lines() -> anyhow::Result<()> {
        let file = tempfile::NamedTempFile::new()?;
        fs::write(file.path(), "one\ntwo\nthree\n")?;
        assert_eq!(tail(file.path(), 2), "two\nthree");
        assert_eq!(tail(Path::new("/nowhere"), 2), "");
        Ok(())
    }
}
