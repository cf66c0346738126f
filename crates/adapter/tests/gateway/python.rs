//! The plugin's own tests, in its own language.

use std::process::Command;

#[test]
fn the_plugins_tests_pass() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/hermes-plugin/tests");
    let ran = Command::new("python3").args(["-B", "-m", "unittest", "discover", "-s", folder]).output();
    let ran = match ran {
        Ok(ran) => ran,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            eprintln!("no python3 on this machine: the plugin's tests did not run");
            return;
        }
        Err(error) => panic!("{error}"),
    };
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let said = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert!(!said.contains("Ran 0 tests"), "{said}");
}
