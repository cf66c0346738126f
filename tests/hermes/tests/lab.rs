//! The lab itself: Hermes takes the provider for a real one, and its store can be read.

use hermes_lab::{
    Home, Lab,
    lab::hermes,
    store::{self, Message},
};
use tokio::process::Command;

fn assistant(text: &str, reasoning: Option<&str>, calls: &[&str]) -> Message {
    Message::Assistant {
        text: text.to_owned(),
        reasoning: reasoning.map(str::to_owned),
        calls: calls.iter().map(|&name| name.to_owned()).collect(),
    }
}

#[tokio::test]
async fn hermes_remembers_what_the_provider_said() -> anyhow::Result<()> {
    let lab = Lab::start().await?;
    let home = lab.home(Home::Cli)?;
    let mut command = Command::new(hermes()?);
    command.args(["chat", "-q", "@@parallel at once", "--format", "stream-json"]);
    command.current_dir(lab.project()).envs(lab.environment(&home));
    let output = command.output().await?;
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));

    let sessions = store::sessions(&home)?;
    assert_eq!(sessions.len(), 1, "{sessions:?}");
    let transcript = store::transcript(&home, &sessions[0].id)?;
    let spoken: Vec<_> =
        transcript.iter().filter(|message| !matches!(message, Message::Tool { .. })).cloned().collect();
    assert_eq!(
        spoken,
        [
            Message::User("@@parallel at once".to_owned()),
            assistant("Running three things at once.", None, &["terminal", "terminal", "read_file"]),
            assistant("All three finished.", None, &[]),
        ]
    );
    let tools = transcript.len() - spoken.len();
    assert_eq!(tools, 3, "{transcript:#?}");
    lab.done();
    Ok(())
}

#[tokio::test]
async fn a_gate_holds_an_answer_until_the_test_allows_it() -> anyhow::Result<()> {
    let lab = Lab::start().await?;
    let home = lab.home(Home::Cli)?;
    let mut command = Command::new(hermes()?);
    command.args(["chat", "-q", "@@ticks3:g1", "--format", "stream-json"]);
    let child = command.current_dir(lab.project()).envs(lab.environment(&home)).output();
    let child = tokio::spawn(child);
    lab.provider.allow("g1", 2).await?;
    lab.provider.until_waiting("g1", 2).await?;
    assert!(!child.is_finished());
    lab.provider.open("g1").await?;
    let output = child.await??;
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains(r#""text": "1 2 3""#), "{said}");
    lab.done();
    Ok(())
}
