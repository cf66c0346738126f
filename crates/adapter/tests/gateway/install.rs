//! The plugin on disk, as `iris-adapter install-plugin` leaves it.

use std::{fs, process::Command};

use iris_adapter::backend::gateway::{Gateway, GatewayConfig, GatewayError, plugin};

fn install(home: &std::path::Path) -> std::process::Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_iris-adapter"));
    command.args(["install-plugin", "--hermes-home"]).arg(home);
    for name in ["IRIS_ALLOWED_USERS", "IRIS_ALLOW_ALL_USERS", "GATEWAY_ALLOW_ALL_USERS"] {
        command.env_remove(name);
    }
    command.output().unwrap()
}

#[test]
fn the_plugin_is_installed_and_what_is_missing_is_said_until_it_is_there() {
    let home = tempfile::tempdir().unwrap();
    let said = install(home.path());
    assert!(said.status.success());
    let said = String::from_utf8(said.stdout).unwrap();
    for line in ["  enabled: [\"iris\"]", "  stream_reasoning_deltas: true", "IRIS_ALLOWED_USERS=iris"] {
        assert!(said.lines().any(|found| found == line), "{line} in {said}");
    }
    let folder = home.path().join("plugins/iris");
    let settings = fs::read_to_string(folder.join("bridge.json")).unwrap();
    // As somebody would who does what is said.
    let yaml = said.split("config.yaml:\n\n").nth(1).unwrap().split("\n\nMissing").next().unwrap();
    fs::write(home.path().join("config.yaml"), yaml).unwrap();
    fs::write(home.path().join(".env"), "IRIS_ALLOWED_USERS=iris\n").unwrap();
    let said = String::from_utf8(install(home.path()).stdout).unwrap();
    assert!(said.contains("have everything"), "{said}");
    assert_eq!(fs::read_to_string(folder.join("bridge.json")).unwrap(), settings, "the token stays");
    assert_eq!(fs::read_to_string(home.path().join("config.yaml")).unwrap(), yaml, "settings are the user's");
}

#[test]
fn a_folder_without_hermes_is_an_error_that_says_what_to_do() {
    let home = tempfile::tempdir().unwrap();
    let said = install(&home.path().join("nowhere"));
    assert!(!said.status.success());
    let said = String::from_utf8(said.stderr).unwrap();
    assert!(said.contains("there is no Hermes in") && said.contains("--hermes-home"), "{said}");
}

#[cfg(unix)]
#[test]
fn nobody_else_can_read_the_token() {
    use std::os::unix::fs::PermissionsExt;
    let home = tempfile::tempdir().unwrap();
    let folder = plugin::install(home.path()).unwrap().folder().to_owned();
    let mode = |name: &str| fs::metadata(folder.join(name)).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode("bridge.json"), 0o600);
}

#[tokio::test]
async fn an_adapter_without_its_plugin_says_so_instead_of_starting() {
    let home = tempfile::tempdir().unwrap();
    let start = || Gateway::start(GatewayConfig::new(home.path().to_owned(), 0));
    let error = start().unwrap_err().to_string();
    assert!(error.contains("install-plugin"), "{error}");
    let folder = plugin::install(home.path()).unwrap().folder().to_owned();
    let gateway = start().unwrap();
    let taken = Gateway::start(GatewayConfig::new(home.path().to_owned(), gateway.address().port()));
    assert!(matches!(taken, Err(GatewayError::PortTaken(_))), "{taken:?}");
    fs::write(folder.join("hooks.py"), "# of an older Iris\n").unwrap();
    let error = start().unwrap_err().to_string();
    assert!(error.contains("not the one of this adapter"), "{error}");
}
