//! Nothing outlives the adapter: neither a Hermes whose chat is gone, nor one whose adapter was killed.

use std::{
    fs,
    io::Write,
    process::{Command, Stdio},
};

use iris_core::protocol::frame::{ServerFrame, TurnStatus::Complete};

use crate::support::{Talk, eventually, runs};

/// Runs for ever, with a helper, and hears no polite word.
const FOR_EVER: &str =
    "echo $$ >$scene.pid; trap '' INT; init; text begun; sleep 600 & echo $! >$scene.helper; wait";

#[tokio::test]
async fn a_chat_that_is_let_go_ends_its_process_and_its_helpers() {
    let mut talk = Talk::new(FOR_EVER);
    talk.say("hello").await;
    talk.until(|frame| matches!(frame, ServerFrame::MessageUpdate { .. })).await;
    eventually("a helper", || !talk.noted("helper").is_empty()).await;
    let Talk { link, folder, .. } = talk;
    drop(link);
    for name in ["scene.pid", "scene.helper"] {
        let pid = fs::read_to_string(folder.path().join(name)).unwrap();
        eventually("the end of it", || !runs(&pid)).await;
    }
}

#[tokio::test]
async fn a_process_whose_adapter_is_killed_ends() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    fs::write(file("scene"), FOR_EVER).unwrap();
    // `cat` stands for the adapter: it holds the keeper's pipe, and is killed.
    let hermes = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cli/hermes.sh");
    let mut adapter = Command::new("cat").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut keeper = Command::new(env!("CARGO_BIN_EXE_iris-adapter"))
        .args(["keep", "--lock"])
        .arg(file("lock"))
        .args([hermes, "--", "chat", "--scene"])
        .arg(file("scene"))
        .stdin(adapter.stdout.take().unwrap())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    adapter.stdin.as_mut().unwrap().write_all(b"5\nhello").unwrap();
    eventually("a helper", || fs::read_to_string(file("scene.helper")).is_ok_and(|pid| !pid.is_empty()))
        .await;
    assert_eq!(fs::read_to_string(file("scene.prompt")).unwrap(), "hello");
    adapter.kill().unwrap();
    adapter.wait().unwrap();
    for name in ["scene.pid", "scene.helper"] {
        let pid = fs::read_to_string(file(name)).unwrap();
        eventually("the end of it", || !runs(&pid)).await;
    }
    assert_eq!(keeper.wait().unwrap().code(), Some(143));
}

#[tokio::test]
async fn a_turn_begins_only_when_the_chats_last_process_has_ended() {
    let mut talk = Talk::new("init; result 0 one");
    talk.say("one").await;
    talk.end().await;
    // A process of another life, which still runs.
    let lock = fs::File::open(talk.folder.path().join("data/chat/lock")).unwrap();
    lock.lock().unwrap();
    talk.say("two").await;
    talk.until(|frame| matches!(frame, ServerFrame::TurnStart { .. })).await;
    tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    assert_eq!(talk.noted("runs").lines().count(), 1);
    lock.unlock().unwrap();
    assert_eq!(talk.end().await.status, Complete);
    assert_eq!(talk.noted("runs").lines().count(), 2);
}
