//! What a text that Hermes hands over really says: without the cursor, without the code marks that were closed only
//! because the text is not finished, without the blank lines that lead a later segment in. Pure functions on text.

/// The block that Hermes draws behind unfinished text, after a space of its own.
const CURSOR: char = '▉';
/// Lines that Hermes takes out of a text once they are complete.
const TAGS: [&str; 3] = ["MEDIA:", "[[audio_as_voice]]", "[[as_document]]"];
/// Names of the elements in which models put their thoughts.
const THOUGHTS: [&str; 9] =
    ["think", "thinking", "reasoning", "thought", "reasoning_scratchpad", "思考", "反思", "推理", "推敲"];
/// Where Hermes seals a bubble of a platform with its usual limit of 4,096: the cursor and a reserve are taken off.
const SEAL_LIMIT: usize = 3_994;

/// The text of an unfinished snapshot: everything before the last cursor, if what follows it only closes code.
pub(super) fn unfinished(content: &str) -> &str {
    let text = match content.rsplit_once(CURSOR) {
        Some((text, rest)) if rest.chars().all(|c| matches!(c, '`' | '~' | '\n')) => {
            text.strip_suffix(' ').unwrap_or(text)
        }
        _ => content,
    };
    without_lead(text)
}

/// Where the cursor of an unfinished snapshot begins, with everything behind it; the end of a text that has none.
pub(super) fn cursor_at(content: &str) -> usize {
    match content.rsplit_once(CURSOR) {
        Some((text, _)) => text.strip_suffix(' ').unwrap_or(text).len(),
        None => content.len(),
    }
}

/// The text of a finished snapshot: it has no cursor, and a block in it is the model's own.
pub(super) fn finished(content: &str) -> &str {
    without_lead(content)
}

/// Whether a snapshot ends in a cursor.
pub(super) fn has_cursor(content: &str) -> bool {
    unfinished(content).len() < without_lead(content).len()
}

fn without_lead(text: &str) -> &str {
    text.trim_start_matches('\n')
}

/// What of an unfinished text can be shown: a last line that may become a tag for a file waits until it is decided.
pub(super) fn without_forming_tag(text: &str) -> &str {
    let (before, line) = match text.rfind('\n') {
        Some(at) => text.split_at(at + 1),
        None => ("", text),
    };
    let forming = !line.is_empty() && TAGS.iter().any(|tag| tag.starts_with(line) || line.starts_with(tag));
    if forming { before } else { text }
}

/// Whether Hermes may take something out of a text that the model wrote before it shows it: a file's tag, thoughts.
pub(super) fn is_edited_by_hermes(text: &str) -> bool {
    let thinks = |rest: &str| {
        let name = rest.strip_prefix('/').unwrap_or(rest);
        THOUGHTS.iter().any(|tag| {
            name.get(..tag.len()).is_some_and(|name| name.eq_ignore_ascii_case(tag))
                && name.get(tag.len()..).is_some_and(|rest| rest.starts_with('>'))
        })
    };
    TAGS.iter().any(|tag| text.contains(tag)) || text.split('<').skip(1).any(thinks) || text == "(empty)"
}

/// Whether `before`, the closed text of a bubble, is long enough that Hermes sealed it for its length.
pub(super) fn may_be_sealed(before: &str) -> bool {
    before.chars().count() > SEAL_LIMIT / 2
}

/// What stood between the closed text of a bubble and the text of the next one, which Hermes strips of newlines.
///
/// `whole` is any longer version of the text: the last snapshot before the bubble was sealed, or the model's own. Without
/// one, a bubble below the limit was cut at a newline.
pub(super) fn seam<'a>(before: &str, next: &str, whole: impl IntoIterator<Item = &'a str>) -> String {
    for text in whole {
        let Some(rest) = without_lead(text).strip_prefix(before) else { continue };
        let tail = rest.trim_start();
        if !tail.is_empty() && (next.starts_with(tail) || tail.starts_with(next)) {
            return rest.strip_suffix(tail).unwrap_or_default().to_owned();
        }
    }
    let cut_at_newline = may_be_sealed(before) && before.chars().count() < SEAL_LIMIT;
    if cut_at_newline { "\n".to_owned() } else { String::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cuts(content: &str, expected: &str) {
        assert_eq!(unfinished(content), expected, "{content:?}");
    }

    #[test]
    fn a_text_with_thoughts_or_files_in_it_is_edited() {
        for text in ["<think>a</think>b", "a</THINKING>", "<思考>a", "a\nMEDIA:/x.png", "(empty)"] {
            assert!(is_edited_by_hermes(text), "{text}");
        }
        for text in ["a < b", "<thinker>", "<p>a</p>", "media", "<", "</", "<推", ""] {
            assert!(!is_edited_by_hermes(text), "{text}");
        }
    }

    #[test]
    fn the_cursor_goes_wherever_it_stands() {
        cuts("Let me lo ▉", "Let me lo");
        cuts("Counting  ▉", "Counting ");
        cuts("a\n▉", "a\n");
        cuts("nothing to cut", "nothing to cut");
        cuts(" ▉", "");
        cuts("", "");
    }

    #[test]
    fn marks_that_only_close_unfinished_code_go_with_it() {
        cuts("```rust\nfn ma ▉\n```", "```rust\nfn ma");
        cuts("```rust\nfn main() {}\n` ▉\n```", "```rust\nfn main() {}\n`");
        cuts("see `Cargo.toml ▉`", "see `Cargo.toml");
        cuts("~~~\ncode\n ▉\n~~~", "~~~\ncode\n");
        cuts("````\n```\nx ▉\n````", "````\n```\nx");
    }

    #[test]
    fn a_block_that_the_model_wrote_stays() {
        cuts("progress ▉▉▉ done", "progress ▉▉▉ done");
        cuts("progress ▉▉ ▉", "progress ▉▉");
        assert_eq!(finished("full ▉"), "full ▉");
    }

    #[test]
    fn leading_blank_lines_go_but_indentation_stays() {
        cuts("\n\nFound the ▉", "Found the");
        assert_eq!(finished("\n\n    code"), "    code");
    }

    #[test]
    fn a_cursor_is_noticed() {
        assert!(has_cursor("Let me lo ▉"));
        assert!(has_cursor("\n\n`a ▉`"));
        assert!(!has_cursor("\n\nwhole"));
    }

    #[test]
    fn a_tag_that_is_forming_is_not_shown() {
        let shows = |text: &str, expected: &str| assert_eq!(without_forming_tag(text), expected, "{text:?}");
        shows("Here it is.\n\nMED", "Here it is.\n\n");
        shows("Here it is.\n\nMEDIA:/tmp/a.p", "Here it is.\n\n");
        shows("MEDIAN of three", "MEDIAN of three");
        shows("Here.\n\nMEDIA", "Here.\n\n");
        shows("a\n[[as_doc", "a\n");
        shows("Here it is.\n\n", "Here it is.\n\n");
        shows("", "");
    }

    #[test]
    fn the_newline_at_a_seam_comes_back() {
        let long = "x".repeat(3_000);
        let sealed = format!("{long}. \n");
        let snapshot = format!("{long}. \n\nParagraph 11: the");
        assert_eq!(seam(&sealed, "Paragraph 11: the quick", [snapshot.as_str()]), "\n", "from a snapshot");
        assert_eq!(seam(&sealed, "Paragraph 11: the quick", []), "\n", "from the length");
        let hard = "x".repeat(SEAL_LIMIT);
        assert_eq!(seam(&hard, "yyy", []), "", "cut in the middle of a line");
        assert_eq!(seam("Let me lo", "ok at", ["Let me look at the files"]), "", "a tail");
        assert_eq!(seam("Let me", "look at", ["\n\nLet me look at the files"]), " ", "a tail at a word");
    }
}
