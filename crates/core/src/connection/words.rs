//! The state of the connection in a sentence for people: calm, and with the numbers that they want.

use super::State;
use crate::format;

/// What stands on screen.
pub fn words(state: &State, now_ms: f64) -> String {
    match state {
        State::Online => "Connected".to_owned(),
        State::Connecting { since_ms: Some(since), .. } => match offline_for(now_ms - since) {
            Some(span) => format!("Reconnecting… · offline for {span}"),
            None => "Reconnecting…".to_owned(),
        },
        State::Connecting { attempt: 0 | 1, since_ms: None } => "Connecting…".to_owned(),
        State::Connecting { attempt, since_ms: None } => format!("Connecting… · try {attempt}"),
        State::Offline { since_ms, retry_at_ms, .. } => {
            let offline = match offline_for(now_ms - since_ms) {
                Some(span) => format!("Offline for {span}"),
                None => "Offline".to_owned(),
            };
            format!("{offline} · {}", next_try(retry_at_ms - now_ms))
        }
        State::Refused { reason } => reason.clone(),
    }
}

/// Whole seconds that have passed; nothing for the first.
fn offline_for(ms: f64) -> Option<String> {
    let seconds = (ms / 1_000.0).floor();
    (seconds >= 1.0).then(|| format::duration(seconds))
}

/// Whole seconds to go, so that it never says 0.
fn next_try(ms: f64) -> String {
    if ms > 0.0 {
        format!("next try in {}", format::duration((ms / 1_000.0).ceil()))
    } else {
        "trying now".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_state_has_a_sentence() {
        let connecting = |attempt, since_ms| State::Connecting { attempt, since_ms };
        let offline = |since_ms, retry_at_ms| State::Offline { since_ms, retry_at_ms, attempt: 3 };
        for (state, expected) in [
            (State::Online, "Connected"),
            (connecting(1, None), "Connecting…"),
            (connecting(3, None), "Connecting… · try 3"),
            (connecting(1, Some(99_500.0)), "Reconnecting…"),
            (connecting(4, Some(88_000.0)), "Reconnecting… · offline for 12 s"),
            (offline(88_000.0, 103_200.0), "Offline for 12 s · next try in 4 s"),
            (offline(99_900.0, 100_300.0), "Offline · next try in 1 s"),
            (offline(-25_000.0, 100_000.0), "Offline for 2 min 5 s · trying now"),
            (offline(f64::NAN, f64::NAN), "Offline · trying now"),
            (State::Refused { reason: "No. Reload".to_owned() }, "No. Reload"),
        ] {
            assert_eq!(words(&state, 100_000.0), expected);
        }
    }
}
