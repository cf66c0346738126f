//! The program's other commands, beside a running server: links, the list of devices, the configuration file.

use std::process::Output;

use iris_adapter::server;
use iris_core::protocol::frame::AppFrame;

use crate::{
    start::program,
    support::{Client, config, hello_with, open, request},
};

fn said(output: Output) -> (String, String) {
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let (out, err) = (text(output.stdout), text(output.stderr));
    assert!(output.status.success(), "{out}{err}");
    (out, err)
}

#[tokio::test]
async fn a_link_made_beside_a_running_server_lets_a_device_in_and_revoking_puts_it_out() {
    let config = config();
    let server = server::start(config.clone()).await.unwrap();
    let data = config.data.display().to_string();
    let (out, err) = said(program(&["pair", "--name", "Kitchen", "--data", &data]).output().unwrap());
    let code = out.trim().strip_prefix(&format!("{}#pair=", server.url())).unwrap();
    assert!(err.contains("this machine only") && err.contains("--public-url"), "{err}");

    let paired = server.devices().pair(code, "Chrome").unwrap().unwrap();
    assert_eq!(paired.device.name, "Kitchen");
    let token = paired.token.reveal().to_owned();
    let mut client = Client::greeting(&server, &hello_with(Some(token), &[])).await;
    client.send(AppFrame::Ping { t: 1 }).await;
    client.next().await;

    let (list, _) = said(program(&["devices", "--data", &data]).output().unwrap());
    assert!(list.contains("Kitchen") && list.contains(&paired.device.id), "{list}");
    said(program(&["devices", "--data", &data, "revoke", "Kitchen"]).output().unwrap());
    assert_eq!(client.close_code().await, Some(1008));
    let (list, _) = said(program(&["devices", "--data", &data]).output().unwrap());
    assert!(list.contains("revoked"), "{list}");
    drop(open(&server).await);
}

#[tokio::test]
async fn a_programs_token_is_printed_once_and_opens_the_socket_without_an_origin() {
    let config = config();
    let server = server::start(config.clone()).await.unwrap();
    let data = config.data.display().to_string();
    let (out, _) = said(program(&["devices", "--data", &data, "add", "script"]).output().unwrap());
    let bearer = format!("Authorization: Bearer {}\r\n", out.trim());
    let answer = request(server.address(), "POST", "/files?name=a", &bearer).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
}

#[test]
fn a_link_behind_a_proxy_begins_with_its_address() {
    let data = tempfile::tempdir().unwrap();
    let data = data.path().display().to_string();
    let args = ["pair", "--public-url", "https://iris.example/chat", "--data", &data];
    let (out, err) = said(program(&args).output().unwrap());
    assert!(out.starts_with("https://iris.example/chat/#pair="), "{out}");
    assert!(err.contains("not running"), "{err}");
}

#[test]
fn a_second_server_of_the_same_folder_and_a_mistake_in_the_file_are_named() {
    let home = tempfile::tempdir().unwrap();
    let (data, file) = (home.path().join("data"), home.path().join("config.toml"));
    std::fs::write(&file, format!("no-app = true\nport = 0\ndata = '{}'\n", data.display())).unwrap();
    let _first = iris_adapter::data::Data::open(&data).unwrap();
    let config = file.display().to_string();
    let output = program(&["serve", "--config", &config]).output().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(errors.contains("another Iris works in the data folder"), "{errors}");

    std::fs::write(&file, "port = 0\nspede = 2\n").unwrap();
    let output = program(&["serve", "--config", &config]).output().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(errors.contains("line 2: unknown key \"spede\": did you mean \"speed\"?"), "{errors}");
    assert!(!output.status.success());
}

#[test]
fn a_program_without_the_app_says_so() {
    let data = tempfile::tempdir().unwrap();
    let output = program(&["serve", "--port", "0", "--data"]).arg(data.path()).output().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(errors.contains("cargo xtask install") && errors.contains("--app DIR"), "{errors}");
}

#[test]
fn a_device_that_nobody_knows_is_named() {
    let data = tempfile::tempdir().unwrap();
    let data = data.path().display().to_string();
    let output = program(&["devices", "--data", &data, "revoke", "Toaster"]).output().unwrap();
    assert!(String::from_utf8(output.stderr).unwrap().contains("Toaster"));
    assert!(!output.status.success());
}
