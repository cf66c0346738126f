//! What the model wrote in each scenario of the recordings: the truth that no frame may lose, double or change. The fake
//! provider chose the scenario by the last `@@word` of the user's message.

use crate::load::{convert, stream_json};
use crate::transcript::transcript;

/// The visible texts of a scenario, one a request that wrote any; a stop or a redirect may cut the last one short.
pub(crate) fn texts(scenario: &str) -> Vec<String> {
    let fixed: &[&str] = match scenario {
        "trivial" => &["ola"],
        "parallel" => &["Running three things at once.", "All three finished."],
        "think" => &["The visible answer after inline think tags."],
        "approve" => &["This needs your approval.", "Done with the command."],
        "clarify" => &["I need one decision.", "Thank you, going on."],
        "media" => &["Here is the picture.\n\nAnd the text after it."],
        "sleep" => &["Starting a long command."],
        "error500" | "hang" | "stall" => &[],
        "slow" => return vec![counting()],
        "long" => return vec![long()],
        "fence" => return vec![recorded("unclosed-fence-length")],
        "tools" => {
            let first = ["Let me look at the files first.", "Found the manifest. Checking one more file."];
            return first.into_iter().map(str::to_owned).chain([recorded("tools3-one-failing")]).collect();
        }
        other => panic!("no such scenario: {other}"),
    };
    fixed.iter().map(|text| (*text).to_owned()).collect()
}

/// The scenario that a message of the user plays.
pub(crate) fn scenario(text: &str) -> Option<&str> {
    let (_, word) = text.rsplit_once("@@")?;
    word.split_whitespace().next()
}

fn counting() -> String {
    let numbers: Vec<_> = (1..400).map(|n| n.to_string()).collect();
    format!("Counting slowly. {}", numbers.join(" "))
}

fn long() -> String {
    let paragraph = |n: u32| {
        format!(
            "Paragraph {n}: the quick brown fox jumps over the lazy dog while the stream keeps going, one short delta \
             after another, so that the consumer has to split the message when it grows too long. "
        )
        .repeat(2)
    };
    let paragraphs: Vec<_> = (1..=30).map(paragraph).collect();
    format!("# A long answer\n\n{}\n\nEnd of the long answer.", paragraphs.join("\n\n"))
}

/// The last answer of a `stream-json` recording, where the provider's text stands whole.
fn recorded(name: &str) -> String {
    let (_, text) = stream_json().into_iter().find(|(found, _)| found == name).unwrap();
    transcript(&convert(&text)).messages.pop().unwrap().0
}
