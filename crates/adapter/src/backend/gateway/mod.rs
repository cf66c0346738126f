//! A turn inside Hermes' gateway: the calls that Hermes makes on a platform adapter, and the frames they mean.
//! *Pure*: no clock, no I/O, no randomness. Who delivers the calls (a recording, the live plugin) is not known here.
