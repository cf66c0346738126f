//! A reviewed snapshot of every recording.

use crate::compact::compact;
use crate::load::{convert, gateway, play, stream_json};

fn assert_snapshot(name: &str, text: &str) {
    insta::with_settings!({ snapshot_path => "snapshots", prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!(name.replace('/', "__"), text);
    });
}

#[test]
fn gateway_recordings_become_these_frames() {
    let recordings = gateway();
    assert_eq!(recordings.len(), 56, "a recording is missing or has no snapshot yet");
    for recording in recordings {
        assert_snapshot(&recording.name, &compact(&play(&recording.calls)));
    }
}

#[test]
fn stream_json_recordings_become_these_frames() {
    let recordings = stream_json();
    assert_eq!(recordings.len(), 13, "a recording is missing or has no snapshot yet");
    for (name, text) in recordings {
        assert_snapshot(&format!("stream-json/{name}"), &compact(&convert(&text)));
    }
}
