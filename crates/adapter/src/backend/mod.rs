//! Where turns come from. Every backend ends in the same frames; none of them knows the socket.

pub mod gateway;
