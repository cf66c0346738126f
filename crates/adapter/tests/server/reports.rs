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
async fn only_a_paired_device_is_told() {
    let server = server::start(config()).await.unwrap();
    let foreign =
        "Authorization: Bearer 0000000000000000000000000000000000000000000000000000000000000000\r\n";
    for path in ["/streams"] {
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
