//! What the adapter reports beside the socket, to whom, and that the command line says the same.

use iris_adapter::server;
use iris_core::protocol::frame::ServerFrame;
use iris_core::stall::record::StreamRecord;
use tokio::time::timeout;

use crate::{
    start::program,
    support::{Client, PATIENCE, config, get, request, token},
};

#[tokio::test]
async fn a_turn_leaves_its_streams_on_record_for_the_app_and_for_the_command_line() {
    let config = config();
    let server = server::start(config.clone()).await.unwrap();
    let mut client = Client::modern(&server).await;
    client.subscribe(&client.first_chat(), None).await;
    client.say("c1", "count to three").await;
    client.until(|frame| matches!(frame, ServerFrame::TurnEnd { .. })).await;
    let bearer = format!("Authorization: Bearer {}\r\n", token(&server));
    let ask = async |query: &str| request(server.address(), "GET", query, &bearer).await;

    let kept = async {
        loop {
            let answer = ask("/streams").await;
            if answer.text() != "[]" {
                return answer;
            }
        }
    };
    let answer = timeout(PATIENCE, kept).await.expect("the record is kept");
    assert_eq!((answer.status, answer.header("content-type")), (200, "application/json"));
    assert_eq!(answer.header("cache-control"), "no-store");
    let records: Vec<StreamRecord> = serde_json::from_str(&answer.text()).unwrap();
    assert_eq!(records.len(), 1);
    assert_eq!((records[0].cut_by, records[0].chat.as_str()), (None, client.first_chat().as_str()));
    assert!(records[0].text_chars > 0);
    assert_eq!(ask("/streams?cut=true").await.text(), "[]");
    let later = format!("/streams?since={}", records[0].started_ms + 1);
    assert_eq!(ask(&later).await.text(), "[]");

    let data = config.data.display().to_string();
    let output = program(&["streams", "--json", "--data", &data]).output().unwrap();
    let printed: Vec<StreamRecord> = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(printed, records);
    let table = program(&["streams", "--since", "1h", "--data", &data]).output().unwrap().stdout;
    assert!(String::from_utf8(table).unwrap().contains("finished"));
    let cut = program(&["streams", "--cut", "--data", &data]).output().unwrap().stdout;
    assert!(String::from_utf8(cut).unwrap().contains("No streamed reply"));
    server.stop().await.unwrap();
    // Without an adapter at work the same is there.
    let output = program(&["streams", "--json", "--data", &data]).output().unwrap();
    assert_eq!(serde_json::from_slice::<Vec<StreamRecord>>(&output.stdout).unwrap(), records);
}

#[tokio::test]
async fn a_turn_of_the_command_line_leaves_its_streams_on_record_too() {
    let server = server::start(config()).await.unwrap();
    let mut client = Client::modern(&server).await;
    client.subscribe(&client.first_chat(), None).await;
    client.say("c1", "Summarize the repo on the command line").await;
    client.until(|frame| matches!(frame, ServerFrame::TurnEnd { .. })).await;
    let bearer = format!("Authorization: Bearer {}\r\n", token(&server));
    let kept = async {
        loop {
            let answer = request(server.address(), "GET", "/streams", &bearer).await.text();
            if answer != "[]" {
                return serde_json::from_str::<Vec<StreamRecord>>(&answer).unwrap();
            }
        }
    };
    let records = timeout(PATIENCE, kept).await.expect("the record is kept");
    let title = Some("Summarize the repo on the command line".to_owned());
    assert!(records.iter().all(|record| record.chat_title == title && record.text_chars > 0));
    // Its lines tell no provider, and which of several requests used what tokens.
    assert!(records.iter().all(|record| record.provider.is_none() && record.cut_by.is_none()));
    let numbers: Vec<_> = records.iter().rev().map(|record| record.iteration).collect();
    assert_eq!(numbers, (1..=u32::try_from(records.len()).unwrap()).collect::<Vec<_>>());
    server.stop().await.unwrap();
}

#[tokio::test]
async fn only_a_paired_device_is_told() {
    let server = server::start(config()).await.unwrap();
    let foreign =
        "Authorization: Bearer 0000000000000000000000000000000000000000000000000000000000000000\r\n";
    for path in ["/streams", "/doctor"] {
        assert_eq!(get(server.address(), path).await.status, 401, "{path}");
        assert_eq!(request(server.address(), "GET", path, foreign).await.status, 401, "{path}");
        let other = format!("Authorization: Bearer {}\r\nSec-Fetch-Site: cross-site\r\n", token(&server));
        assert_eq!(request(server.address(), "GET", path, &other).await.status, 403, "{path}");
    }
    let bearer = format!("Authorization: Bearer {}\r\n", token(&server));
    assert_eq!(request(server.address(), "GET", "/streams?since=x", &bearer).await.status, 400);
}

#[test]
fn a_folder_in_which_iris_never_ran_has_no_streams_and_a_wrong_time_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().display().to_string();
    let output = program(&["streams", "--data", &data]).output().unwrap();
    assert!(output.status.success());
    assert!(String::from_utf8(output.stdout).unwrap().contains("No streamed reply"));
    let output = program(&["streams", "--since", "soon", "--data", &data]).output().unwrap();
    assert!(!output.status.success());
    assert!(String::from_utf8(output.stderr).unwrap().contains("`soon` is no time"));
}

const TRAP: &str =
    "model:\n  default: demo-model\n  api_key: sk-very-secret\nagent:\n  stream_max_lifetime: 60\n";

#[test]
fn the_doctor_names_the_line_and_what_to_write_and_ends_with_1() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("config.yaml"), TRAP).unwrap();
    let home = folder.path().display().to_string();
    let run = |more: &[&str]| {
        let output = program(&[&["doctor", "--hermes-home", &home], more].concat()).output().unwrap();
        assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    let (code, page) = run(&[]);
    assert_eq!(code, Some(1), "{page}");
    assert!(page.contains(&format!("{home}/config.yaml:5: warning: ")), "{page}");
    assert!(page.contains("stream_max_lifetime: 60") && page.contains("Write in "), "{page}");
    assert!(!page.contains("sk-very-secret"));
    let (_, json) = run(&["--json", "--tokens", "60000"]);
    let report: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        (&report["route"]["model"], &report["route"]["tokens"]),
        (&"demo-model".into(), &60_000.into())
    );
    assert!(!json.contains("sk-very-secret"));
}

#[test]
fn the_doctor_reads_a_log_and_a_pipe_and_says_what_it_cannot_read() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().display().to_string();
    let log = folder.path().join("agent.log");
    let line = "2026-11-30 22:19:07,460 WARNING agent.chat_completion_helpers: Stream stale for 6s (threshold 6s) — no chunks received. model=demo-model context=~10,642 tokens. Killing connection.\n";
    std::fs::write(&log, line).unwrap();
    let doctor =
        |more: &[&str]| program(&[&["doctor", "--hermes-home", &home], more].concat()).output().unwrap();
    let page = String::from_utf8(doctor(&["--log", &log.display().to_string()]).stdout).unwrap();
    assert!(page.contains("The log") && page.contains("line 1"), "{page}");
    let missing = doctor(&["--config", "/nowhere/config.yaml"]);
    assert_eq!(missing.status.code(), Some(1));
    assert!(String::from_utf8(missing.stderr).unwrap().contains("/nowhere/config.yaml"));
}

#[tokio::test]
async fn the_doctors_report_for_the_app_is_that_of_the_command_line_and_names_no_path() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("config.yaml"), TRAP).unwrap();
    let mut config = config();
    config.hermes.home = Some(folder.path().to_owned());
    let server = server::start(config).await.unwrap();
    let bearer = format!("Authorization: Bearer {}\r\n", token(&server));
    let answer = request(server.address(), "GET", "/doctor?model=o1", &bearer).await;
    assert_eq!((answer.status, answer.header("cache-control")), (200, "no-store"));
    let home = folder.path().display().to_string();
    let output = program(&["doctor", "--json", "--model", "o1", "--hermes-home", &home]).output().unwrap();
    let printed: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(serde_json::from_str::<serde_json::Value>(&answer.text()).unwrap(), printed);
    assert!(!answer.text().contains(&home) && !answer.text().contains("sk-very-secret"));
}

#[tokio::test]
async fn a_turn_is_exported_with_its_times_also_in_the_next_life() {
    let config = config();
    let server = server::start(config.clone()).await.unwrap();
    let mut client = Client::modern(&server).await;
    let chat = client.first_chat();
    client.subscribe(&chat, None).await;
    client.say("c1", "## Count to *three*").await;
    let heard = client.turn().await;
    let turn = heard
        .iter()
        .find_map(|envelope| match &envelope.frame {
            ServerFrame::TurnEnd { turn, .. } => Some(turn.clone()),
            _ => None,
        })
        .unwrap();
    server.stop().await.unwrap();

    let server = server::start(config).await.unwrap();
    let bearer = format!("Authorization: Bearer {}\r\n", token(&server));
    let export = async |file: &str| {
        request(server.address(), "GET", &format!("/export/{}.{file}", chat.as_str()), &bearer).await
    };
    let answer = export("jsonl").await;
    assert_eq!((answer.status, answer.header("content-type")), (200, "application/x-ndjson"));
    let name = answer.header("content-disposition").to_owned();
    // Between them is the day.
    assert!(name.starts_with("attachment; filename*=UTF-8''iris-Count-to-three-20"), "{name}");
    assert!(name.ends_with(".iris.jsonl"), "{name}");
    assert_eq!(
        (answer.header("x-content-type-options"), answer.header("cache-control")),
        ("nosniff", "no-store")
    );
    let lines: Vec<serde_json::Value> =
        answer.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines[0]["title"], "Count to three");
    assert!(lines.iter().any(|line| line["type"] == "message.append"), "as it grew: {lines:?}");
    assert!(lines.iter().all(|line| line["code"] != "no_timing"));
    assert!(lines.iter().all(|line| line.get("chat").is_none() && line.get("client_id").is_none()));
    let last = lines.last().unwrap();
    assert_eq!((&last["type"], &last["turn"]), (&"turn.end".into(), &turn.0.clone().into()));
    assert_eq!(export(&format!("jsonl?turn={}", turn.0)).await.text().lines().count(), lines.len());
    let markdown = export("md").await;
    assert!(markdown.text().contains("Count to *three*"), "{}", markdown.text());
    let html = export("html").await;
    assert!(html.text().starts_with("<!doctype html>") || html.text().starts_with("<!DOCTYPE html>"));
    assert!(html.header("content-disposition").starts_with("attachment"));
    let diagnostic = export("json").await.text();
    assert!(diagnostic.contains("turn.end") && !diagnostic.contains("three"), "{diagnostic}");
    for (file, status) in [("exe", 404), ("jsonl?turn=none", 404), ("md/../x.md", 404)] {
        assert_eq!(export(file).await.status, status, "{file}");
    }
    let path = format!("/export/{}.jsonl", chat.as_str());
    assert_eq!(get(server.address(), &path).await.status, 401);
    assert_eq!(request(server.address(), "GET", "/export/chat-0-0.md", &bearer).await.status, 404);
}
