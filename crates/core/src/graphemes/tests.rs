use proptest::prelude::*;
use unicode_segmentation::UnicodeSegmentation;

use super::*;

/// Cluster by cluster from both ends, as unicode-segmentation cuts.
fn check(text: &str) {
    let starts: Vec<usize> = text.grapheme_indices(true).map(|(at, _)| at).collect();
    for (count, at) in starts.iter().enumerate() {
        assert_eq!(nth(text, count), Some(*at), "{count} of {text:?}");
        let (start, rest) = text.split_at(*at);
        assert_eq!(first(rest), rest.graphemes(true).next().map_or(0, str::len), "first of {rest:?}");
        assert_eq!(
            last(start),
            start.grapheme_indices(true).next_back().map_or(0, |(at, _)| at),
            "last of {start:?}"
        );
    }
    assert_eq!(nth(text, starts.len()), None, "{text:?}");
    assert_eq!(last(text), starts.last().copied().unwrap_or(0), "last of {text:?}");
}

/// One character or more of each class, and what only looks like one.
const SAMPLES: [char; 40] = [
    'a',
    ' ',
    '\r',
    '\n',
    '\u{0}',
    '\u{7f}',
    '\u{ad}',
    '\u{200b}',
    '\u{200c}',
    '\u{200d}',
    '\u{301}',
    '\u{20e3}',
    '\u{fe0f}',
    '\u{1f3fd}',
    '\u{e0067}',
    '\u{e007f}',
    '\u{903}',
    '\u{93f}',
    '\u{e33}',
    '\u{600}',
    '\u{d4e}',
    '\u{1f1e9}',
    '\u{1f1ea}',
    '👩',
    '©',
    '🏴',
    '❤',
    'क',
    'ষ',
    '\u{94d}',
    '\u{9cd}',
    '\u{1039}',
    '\u{93c}',
    'ᄀ',
    'ᅡ',
    'ᆨ',
    '가',
    '각',
    '中',
    '\u{d7b0}',
];

#[test]
fn every_character_has_the_class_that_unicode_segmentation_cuts_it_by() {
    let sum = ('\0'..=char::MAX).fold(0xcbf2_9ce4_8422_2325, |sum: u64, c| {
        (sum ^ u64::from(class(c))).wrapping_mul(0x0100_0000_01b3)
    });
    assert_eq!(sum, table::SUM);
}

#[test]
fn every_three_samples_are_cut_as_by_unicode_segmentation() {
    for a in SAMPLES {
        for b in SAMPLES {
            for c in SAMPLES {
                let text = String::from_iter([a, b, c]);
                let starts = text.char_indices().filter(|&(at, next)| is_boundary(text.split_at(at).0, next));
                let expected = text.grapheme_indices(true).map(|(at, _)| at);
                assert!(starts.map(|(at, _)| at).eq(expected), "{text:?}");
            }
        }
    }
}

#[test]
fn texts_are_cut_as_by_unicode_segmentation() {
    for text in ["", "a", "ab", "\r\n", "e\u{301}a", "👩‍👩‍👧!", "👍🏽👍🏽", "🇩🇪🇫🇷🇩", "한국", "क्षि क्‍ष क्क", "1️⃣🏴󠁧󠁢󠁥󠁮󠁧󠁿"]
    {
        check(text);
    }
}

proptest! {
    #[test]
    fn any_text_is_cut_as_by_unicode_segmentation(text in any::<String>()) {
        check(&text);
    }

    #[test]
    fn any_row_of_samples_is_cut_as_by_unicode_segmentation(
        samples in proptest::collection::vec(proptest::sample::select(&SAMPLES[..]), 0..24),
    ) {
        check(&String::from_iter(samples));
    }
}
