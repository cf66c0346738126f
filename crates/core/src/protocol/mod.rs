//! The language between adapter and app. Pure: text in, frames out.

pub mod codec;
pub mod frame;

pub use codec::{
    DecodeError, ServerReader, decode_app, decode_server, decode_server_value, encode_app, encode_server,
};
pub use frame::{AppFrame, Envelope, PROTOCOL, ServerFrame};
