//! Asks Hermes, once, what it is: its version for the label, and whether its command line has what the backend needs.

use std::{process::Stdio, time::Duration};

use tokio::{process::Command, sync::watch, time::timeout};

use super::options::Options;
use crate::backend::About;

/// A Hermes that has not answered by then is not asked again.
const PATIENCE: Duration = Duration::from_secs(60);
/// Characters of a version that are shown.
const LABEL_CHARS: usize = 60;
/// The options that a turn is made of.
const NEEDED: [&str; 3] = ["--query-file", "stream-json", "--resume"];

/// Writes what it finds into `about`.
pub(super) async fn probe(options: &Options, about: &watch::Sender<About>) {
    let help = ask(options, &["chat", "--help"]).await;
    let trouble = match help {
        Some(help) if NEEDED.iter().all(|option| help.contains(option)) => None,
        Some(help) if help.contains("usage:") => Some(
            "This Hermes is too old for Iris: its `hermes chat` has no --format stream-json. Update it \
             (`hermes update`), or start Iris with --backend gateway."
                .to_owned(),
        ),
        _ => Some(format!(
            "{} does not answer like Hermes. Try `hermes doctor` in a terminal.",
            options.program().display()
        )),
    };
    let label = ask(options, &["--version"]).await.as_deref().and_then(label);
    about.send_modify(|about| {
        about.info.trouble = trouble;
        about.info.label = label.unwrap_or_else(|| std::mem::take(&mut about.info.label));
    });
}

async fn ask(options: &Options, arguments: &[&str]) -> Option<String> {
    let mut command = Command::new(options.program());
    command.args(arguments).env_clear().envs(options.variables()).current_dir(&options.workdir);
    command.stdin(Stdio::null()).stderr(Stdio::null()).kill_on_drop(true);
    let output = timeout(PATIENCE, command.output()).await.ok()?.ok()?;
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The first line, if it is Hermes'.
fn label(version: &str) -> Option<String> {
    let line = version.lines().next()?.trim();
    let line = line.split(" (").next().unwrap_or(line);
    line.starts_with("Hermes").then(|| line.chars().filter(|c| !c.is_control()).take(LABEL_CHARS).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_label_is_the_version_without_its_date() {
        assert_eq!(
            label("Hermes Agent v0.22.2.post1 (2026.9.24)\nmore").as_deref(),
            Some("Hermes Agent v0.22.2.post1")
        );
        assert_eq!(label("ls (GNU coreutils) 9.1"), None);
        assert_eq!(label(""), None);
    }
}
