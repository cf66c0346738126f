//! Frames: any text is a frame or an error, never a panic; and what was read is written and read as the same again.

use crate::bytes;
use iris_core::protocol::codec::{decode_app, decode_server, encode_app, encode_server};

/// The input is the text of a frame, tried in both directions.
pub(crate) fn run(data: &[u8]) {
    let text = bytes::text(data);
    match decode_server(&text) {
        Ok(envelope) => {
            let written = encode_server(&envelope);
            assert_eq!(decode_server(&written).as_ref(), Ok(&envelope), "{written}");
        }
        Err(error) => drop(error.to_string()),
    }
    match decode_app(&text) {
        Ok(frame) => {
            let written = encode_app(&frame);
            assert_eq!(decode_app(&written).as_ref(), Ok(&frame), "{written}");
        }
        Err(error) => drop(error.to_string()),
    }
}
