//! Starting and stopping, as the person at the terminal sees it.

use std::{
    io::{BufRead, BufReader, Read},
    process::{Command, Stdio},
};

use iris_adapter::{
    config::Config,
    server::{self, StartError},
};
use iris_core::protocol::frame::ServerFrame;

use crate::support::{Client, config, get, serve};

pub fn program(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_iris-adapter"));
    command.args(args).env_clear().stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

#[tokio::test]
async fn the_last_line_on_standard_output_is_the_address_and_a_signal_ends_it_well() {
    let data = tempfile::tempdir().unwrap();
    let mut child =
        program(&["serve", "--no-app", "--port", "0", "--data"]).arg(data.path()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    lines.read_line(&mut line).unwrap();
    let link = line.trim().strip_prefix("Iris is at http://").unwrap();
    let (address, code) = link.split_once("/#pair=").unwrap();
    assert_eq!(code.len(), 64);
    assert_eq!(get(address.parse().unwrap(), "/health").await.status, 200);

    Command::new("kill").arg(child.id().to_string()).status().unwrap();
    assert!(child.wait().unwrap().success());
    let mut rest = String::new();
    lines.read_to_string(&mut rest).unwrap();
    assert_eq!(rest, "");
}

#[test]
fn a_mistake_is_named_with_its_remedy() {
    for (args, expected) in [
        (&["serve", "--host", "0.0.0.0"][..], "--allow-host"),
        (&["serve", "--app", "no/such/folder"], "cargo xtask run"),
        (&["serve", "--speed", "0"], "expected a number"),
        (&["serve", "--allow-origin", "iris.example"], "like https://iris.example"),
        (&["serve", "--allow-host", "https://iris.example"], "like iris.example"),
    ] {
        let output = program(args).output().unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && errors.contains(expected), "{args:?}: {errors}");
        assert_eq!(output.stdout, b"", "{args:?}");
    }
}

#[test]
fn help_explains_every_option() {
    let output = program(&["serve", "--help"]).output().unwrap();
    let help = String::from_utf8(output.stdout).unwrap();
    for word in [
        "--data",
        "--config",
        "--public-url",
        "--backend",
        "--app",
        "--host",
        "--port",
        "--speed",
        "--allow-origin",
        "--allow-host",
        "IRIS_PORT",
    ] {
        assert!(help.contains(word), "{word} in {help}");
    }
}

#[tokio::test]
async fn a_port_that_is_taken_is_named() {
    let first = serve().await;
    let error = server::start(Config { address: first.address(), ..config() }).await.unwrap_err();
    assert!(matches!(error, StartError::PortTaken(port) if port == first.address().port()));
    assert!(error.to_string().contains("--port 0"));
}

#[tokio::test]
async fn sockets_are_told_that_the_server_stops() {
    let server = serve().await;
    let client = Client::modern(&server).await;
    let stopping = tokio::spawn(server.stop());
    assert_eq!(client.close_code().await, Some(1001));
    stopping.await.unwrap().unwrap();
}

#[tokio::test]
async fn a_device_that_leaves_is_seen_off_properly() {
    let server = serve().await;
    let client = Client::modern(&server).await;
    assert_eq!(client.leave().await, Some(1000));
}

#[tokio::test]
async fn hello_says_what_stands_behind_the_server_and_what_it_has() {
    let server = serve().await;
    let client = Client::modern(&server).await;
    let ServerFrame::Hello { protocol, server, backend, capabilities, chats, suggestions, .. } = client.hello
    else {
        panic!("{:?}", client.hello)
    };
    assert_eq!((protocol, server.name.as_str(), backend.kind.as_str()), (1, "iris-adapter", "demo"));
    assert_eq!(capabilities, ["append", "continue", "history", "search", "files", "queue"]);
    assert_eq!(chats.len(), 1);
    assert!(suggestions.len() >= 9);
}
