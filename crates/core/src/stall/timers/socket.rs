//! The three socket timeouts of a stream: connecting, writing, and the silence between two reads.

use super::chain::Chain;
use super::{Inputs, Rule, Setting, Timer, TimerId, Value, seconds, stream_stale};
use crate::stall::{Evidence, Versions};

/// The default of `HERMES_STREAM_READ_TIMEOUT`, which Hermes also takes for "nobody set it".
const READ_DEFAULT: f64 = 120.0;

/// Connect, write and read, in this order.
pub fn socket(inputs: &Inputs) -> [Timer; 3] {
    let request = request_timeout(inputs);
    [connect(&request), write(inputs, &request), read(inputs, &request)]
}

/// The provider's `request_timeout_seconds`, or the model's `timeout_seconds`.
fn request_timeout(inputs: &Inputs) -> Setting {
    match &inputs.config.model_request {
        setting @ Setting::Given(..) => setting.clone(),
        _ => inputs.config.provider_request.clone(),
    }
}

fn connect(request: &Setting) -> Timer {
    let mut chain = Chain::new(Value::Seconds(30.0), "Hermes' default");
    if chain.follow(request, Rule::Config).is_some_and(|given| given > 60.0) {
        chain.step(Rule::Ceiling, Value::Seconds(60.0), "connecting is never given more than 60 s");
    }
    done(chain, TimerId::SocketConnect, "Socket: connect", "No connection after this long is an error")
}

fn write(inputs: &Inputs, request: &Setting) -> Timer {
    done(
        write_chain(inputs, request),
        TimerId::SocketWrite,
        "Socket: write",
        "A request that cannot be sent for this long is an error",
    )
}

fn write_chain(inputs: &Inputs, request: &Setting) -> Chain {
    let mut chain = Chain::new(Value::Seconds(1800.0), "Hermes' default");
    if chain.follow(request, Rule::Config).is_none() {
        chain.follow(&inputs.env.float("HERMES_API_TIMEOUT"), Rule::Env);
    }
    chain
}

fn read(inputs: &Inputs, request: &Setting) -> Timer {
    let mut chain = Chain::new(Value::Seconds(READ_DEFAULT), "Hermes' default");
    if chain.follow(request, Rule::Config).is_none() {
        chain.follow(&inputs.env.float("HERMES_STREAM_READ_TIMEOUT"), Rule::Env);
        if chain.value() == Value::Seconds(READ_DEFAULT) {
            raise_default(&mut chain, inputs, request);
        }
    }
    done(
        chain,
        TimerId::SocketRead,
        "Socket: read",
        "No byte at all for this long is an error; a keep-alive counts as a byte",
    )
}

fn raise_default(chain: &mut Chain, inputs: &Inputs, request: &Setting) {
    if inputs.local() {
        let write = write_chain(inputs, request).value();
        chain.step(Rule::Local, write, "a local endpoint reads its prompt for minutes: as long as writing");
        return;
    }
    let stale = stream_stale(inputs).value;
    if let Value::Seconds(stale) = stale
        && stale > READ_DEFAULT
    {
        chain.step(
            Rule::RaisedTo,
            seconds(stale),
            "120 s counts as the default, and it must not fire before the stale timeout",
        );
    }
}

fn done(chain: Chain, id: TimerId, name: &str, what: &str) -> Timer {
    chain.done(id, name, what, Versions::of(Evidence::Executed))
}
