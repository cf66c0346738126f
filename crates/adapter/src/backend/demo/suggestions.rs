//! What an empty chat offers, and the recording that each of them plays.

use iris_core::protocol::frame::Suggestion;

/// A recording with the words that ask for it.
struct Offer {
    label: &'static str,
    text: &'static str,
    recording: &'static str,
}

const OFFERS: [Offer; 11] = [
    Offer {
        label: "Summarize the repository",
        text: "Summarize the repo",
        recording: "gateway-calls/with-hooks/tools3-one-failing.jsonl",
    },
    Offer {
        label: "Run three tools at once",
        text: "Run three things at once",
        recording: "gateway-calls/streaming-code/parallel-tools.jsonl",
    },
    Offer {
        label: "Write a long answer",
        text: "A long answer please",
        recording: "gateway-calls/streaming-code/long-answer-over-4096.jsonl",
    },
    Offer {
        label: "Think before answering",
        text: "Say ola",
        recording: "gateway-calls/with-hooks/trivial.jsonl",
    },
    Offer {
        label: "Ask before running a command",
        text: "Clean the build",
        recording: "gateway-calls/with-hooks/approve.jsonl",
    },
    Offer {
        label: "Ask which way to go",
        text: "Build it",
        recording: "gateway-calls/with-hooks/clarify.jsonl",
    },
    Offer {
        label: "Be stopped in mid-answer",
        text: "Count until I stop you",
        recording: "gateway-calls/with-hooks/stop.jsonl",
    },
    Offer {
        label: "Fail at the provider",
        text: "Try a provider that is down",
        recording: "gateway-calls/with-hooks/error500.jsonl",
    },
    Offer {
        label: "Wait for a provider that hangs",
        text: "Try a provider that hangs",
        recording: "gateway-calls/stalls/hang-no-delta.jsonl",
    },
    Offer {
        label: "Answer without streaming",
        text: "Summarize the repo without streaming",
        recording: "gateway-calls/nostream-code/tools3-one-failing.jsonl",
    },
    Offer {
        label: "Run from the command line",
        text: "Summarize the repo on the command line",
        recording: "stream-json/tools3-one-failing.jsonl",
    },
];

/// Everything on offer.
pub(super) fn all() -> Vec<Suggestion> {
    let suggestion =
        |offer: &Offer| Suggestion { label: offer.label.to_owned(), text: offer.text.to_owned() };
    OFFERS.iter().map(suggestion).collect()
}

/// The recording that this text asks for.
pub(super) fn recording(text: &str) -> Option<&'static str> {
    let wanted = text.trim();
    OFFERS.iter().find(|offer| offer.text.eq_ignore_ascii_case(wanted)).map(|offer| offer.recording)
}

#[cfg(test)]
mod tests {
    use super::super::recordings::steps;
    use super::*;

    #[test]
    fn every_offer_plays_a_recording_of_its_own() {
        let mut texts: Vec<_> = OFFERS.iter().map(|offer| offer.text.to_lowercase()).collect();
        texts.sort();
        texts.dedup();
        assert_eq!(texts.len(), OFFERS.len());
        for offer in &OFFERS {
            assert_eq!(recording(&format!(" {} ", offer.text)), Some(offer.recording));
            assert!(steps(offer.recording).len() > 4, "{}", offer.recording);
        }
        assert_eq!(recording("anything else"), None);
    }
}
