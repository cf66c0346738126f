//! Many records at once: read as an adapter sends them, filtered, and counted. The order is whoever keeps them's.

use serde::Deserialize;
use serde_json::Value;

use super::{CutBy, StreamRecord};
use crate::format::{count, duration};

/// The records that somebody sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Records {
    /// Those that can be read, in their order.
    pub all: Vec<StreamRecord>,
    /// How many cannot: another version may know other causes.
    pub unread: usize,
}

impl Records {
    /// Reads a JSON array; one record that is none does not take the others along. `None`: it is no array.
    pub fn read(json: &str) -> Option<Self> {
        let values: Vec<Value> = serde_json::from_str(json).ok()?;
        let given = values.len();
        let all: Vec<_> =
            values.into_iter().filter_map(|value| StreamRecord::deserialize(value).ok()).collect();
        let unread = given.saturating_sub(all.len());
        Some(Self { all, unread })
    }
}

/// Which ends are wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ends {
    /// All of them.
    #[default]
    Any,
    /// Those that came to their end.
    Finished,
    /// Those that did not.
    Cut,
    /// Those that this has cut.
    CutBy(CutBy),
}

/// Which records are wanted. What is empty or zero wants all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// How they ended.
    pub ends: Ends,
    /// The model's name.
    pub model: String,
    /// The chat's id.
    pub chat: String,
    /// Begun at this time or later, milliseconds since 1970.
    pub since_ms: u64,
    /// Each of these words stands somewhere in the line.
    pub words: String,
}

impl Filter {
    /// Whether this one is wanted.
    pub fn wants(&self, record: &StreamRecord) -> bool {
        let cause = record.cause();
        let ended = match self.ends {
            Ends::Any => true,
            Ends::Finished => cause.is_none(),
            Ends::Cut => cause.is_some(),
            Ends::CutBy(wanted) => cause == Some(wanted),
        };
        let is = |wanted: &str, found: &str| wanted.is_empty() || wanted == found;
        ended
            && record.started_ms >= self.since_ms
            && is(&self.model, record.model.as_deref().unwrap_or_default())
            && is(&self.chat, &record.chat)
            && self.has_words(record, cause)
    }

    fn has_words(&self, record: &StreamRecord, cause: Option<CutBy>) -> bool {
        let mut wanted = self.words.split_whitespace().peekable();
        if wanted.peek().is_none() {
            return true;
        }
        let said = [&record.model, &record.provider, &record.chat_title, &record.why];
        let end = cause.map_or("finished", CutBy::words);
        let line: Vec<&str> = said.into_iter().flatten().map(String::as_str).chain([end]).collect();
        let line = line.join("\n").to_lowercase();
        wanted.all(|word| line.contains(&word.to_lowercase()))
    }
}

/// What several records come to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// How many there are.
    pub replies: usize,
    /// How many of them were cut.
    pub cut: usize,
    /// What cut them, with how many, the most first.
    pub causes: Vec<(CutBy, usize)>,
    /// How long the first text took, milliseconds: of those that had one, the one in the middle; of two, the longer.
    pub median_first_text_ms: Option<u64>,
    /// The longest that it took.
    pub longest_first_text_ms: Option<u64>,
}

impl Summary {
    /// Of these.
    pub fn of<'a>(records: impl Iterator<Item = &'a StreamRecord>) -> Self {
        let mut summary = Self::default();
        let mut firsts = Vec::new();
        for record in records {
            summary.replies += 1;
            firsts.extend(record.first_text_ms);
            let Some(cause) = record.cause() else { continue };
            summary.cut += 1;
            match summary.causes.iter_mut().find(|(known, _)| *known == cause) {
                Some((_, count)) => *count += 1,
                None => summary.causes.push((cause, 1)),
            }
        }
        summary.causes.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        firsts.sort_unstable();
        summary.median_first_text_ms = firsts.get(firsts.len() / 2).copied();
        summary.longest_first_text_ms = firsts.last().copied();
        summary
    }

    /// As sentences.
    pub fn words(&self) -> String {
        let replies = if self.replies == 1 { "reply" } else { "replies" };
        let mut words = format!("{} {replies}, {}.", number(self.replies), self.cut_words());
        let time = |ms: u64| duration(ms as f64 / 1_000.0);
        match (self.median_first_text_ms, self.longest_first_text_ms) {
            (Some(median), Some(longest)) if median < longest => {
                words.push_str(&format!(
                    " First text after {} (median), {} at most.",
                    time(median),
                    time(longest)
                ));
            }
            (_, Some(only)) => words.push_str(&format!(" First text after {}.", time(only))),
            _ => {}
        }
        words
    }

    fn cut_words(&self) -> String {
        match (self.causes.as_slice(), self.cut) {
            ([], _) => "none cut".to_owned(),
            ([(cause, _)], 1) => format!("1 cut, by {}", cause.words()),
            ([(cause, _)], cut) => format!("{} cut, all by {}", number(cut), cause.words()),
            ([(cause, most), (_, next), ..], cut) if most > next => {
                format!("{} cut, most often by {} ({})", number(cut), cause.words(), number(*most))
            }
            (_, cut) => format!("{} cut, by several causes alike", number(cut)),
        }
    }
}

/// So many, with the thousands apart.
fn number(of: usize) -> String {
    count(u64::try_from(of).unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stall::record::End;

    fn record(
        started_ms: u64,
        model: &str,
        first_text_ms: Option<u64>,
        cut_by: Option<CutBy>,
    ) -> StreamRecord {
        StreamRecord {
            started_ms,
            chat: format!("chat-{model}"),
            chat_title: Some("The Repo".to_owned()),
            model: Some(model.to_owned()),
            first_text_ms,
            end: if cut_by.is_some() { End::Cut } else { End::Finished },
            cut_by,
            why: cut_by.map(|_| "stream attempt 1 was superseded".to_owned()),
            ..StreamRecord::default()
        }
    }

    fn some() -> Vec<StreamRecord> {
        vec![
            record(5, "large", Some(900), None),
            record(4, "small", None, Some(CutBy::Stale)),
            record(3, "small", Some(200), Some(CutBy::User)),
            record(2, "large", Some(100), Some(CutBy::Stale)),
            record(1, "small", Some(300), None),
        ]
    }

    #[test]
    fn what_is_wanted_is_found() {
        let check = |filter: Filter, expected: &[u64]| {
            let found: Vec<u64> =
                some().iter().filter(|it| filter.wants(it)).map(|it| it.started_ms).collect();
            assert_eq!(found, expected, "{filter:?}");
        };
        let all = Filter::default;
        check(all(), &[5, 4, 3, 2, 1]);
        check(Filter { ends: Ends::Finished, ..all() }, &[5, 1]);
        check(Filter { ends: Ends::Cut, ..all() }, &[4, 3, 2]);
        check(Filter { ends: Ends::CutBy(CutBy::Stale), ..all() }, &[4, 2]);
        check(Filter { ends: Ends::CutBy(CutBy::Cap), ..all() }, &[]);
        check(Filter { model: "large".into(), ..all() }, &[5, 2]);
        check(Filter { model: "larg".into(), ..all() }, &[]);
        check(Filter { chat: "chat-small".into(), ..all() }, &[4, 3, 1]);
        check(Filter { since_ms: 4, ..all() }, &[5, 4]);
        check(Filter { ends: Ends::Cut, model: "large".into(), since_ms: 2, ..all() }, &[2]);
        for (words, expected) in [
            ("  ", &[5, 4, 3, 2, 1][..]),
            ("LARGE", &[5, 2]),
            ("repo small", &[4, 3, 1]),
            ("superseded the user", &[3]),
            ("finished", &[5, 1]),
            ("nothing like it", &[]),
        ] {
            check(Filter { words: words.into(), ..all() }, expected);
        }
    }

    #[test]
    fn the_summary_counts_what_it_is_given() {
        let records = some();
        let expected = Summary {
            replies: 5,
            cut: 3,
            causes: vec![(CutBy::Stale, 2), (CutBy::User, 1)],
            median_first_text_ms: Some(300),
            longest_first_text_ms: Some(900),
        };
        assert_eq!(Summary::of(records.iter()), expected);
        assert_eq!(Summary::of(records.iter().take(0)), Summary::default());
        let silent = Summary::of(records.iter().skip(1).take(1));
        assert_eq!(
            (silent.replies, silent.median_first_text_ms, silent.longest_first_text_ms),
            (1, None, None)
        );
    }

    #[test]
    fn the_summary_is_sentences() {
        let check = |records: &[StreamRecord], expected: &str| {
            assert_eq!(Summary::of(records.iter()).words(), expected);
        };
        let all = some();
        check(
            &all,
            "5 replies, 3 cut, most often by the stale watchdog (2). First text after 0.3 s (median), 0.9 s at most.",
        );
        check(&all[..1], "1 reply, none cut. First text after 0.9 s.");
        check(&all[1..2], "1 reply, 1 cut, by the stale watchdog.");
        check(
            &[all[1].clone(), all[3].clone()],
            "2 replies, 2 cut, all by the stale watchdog. First text after 0.1 s.",
        );
        check(&all[1..3], "2 replies, 2 cut, by several causes alike. First text after 0.2 s.");
        check(&vec![all[0].clone(); 1_234], "1,234 replies, none cut. First text after 0.9 s.");
        check(&[], "0 replies, none cut.");
    }

    #[test]
    fn what_cannot_be_read_is_counted_and_takes_nothing_along() {
        let good = serde_json::to_string(&record(1, "m", None, Some(CutBy::Cap))).unwrap();
        let newer = good.replace("\"cap\"", "\"eclipse\"");
        let read = |json: &str| Records::read(json).map(|read| (read.all.len(), read.unread));
        assert_eq!(read(&format!("[{good},{newer},null,7,{{}},{good}]")), Some((2, 4)));
        assert_eq!(read("[]"), Some((0, 0)));
        for none in ["", "{}", "null", "<!doctype html>", &format!("[{good}")] {
            assert_eq!(read(none), None, "{none}");
        }
    }

    #[test]
    fn one_that_was_cut_by_nobody_knows_what_is_cut() {
        let odd = StreamRecord { cut_by: None, ..record(1, "m", None, Some(CutBy::Cap)) };
        assert_eq!(odd.cause(), Some(CutBy::Unknown));
        assert!(Filter { ends: Ends::Cut, ..Filter::default() }.wants(&odd));
        assert_eq!(Summary::of([&odd].into_iter()).causes, [(CutBy::Unknown, 1)]);
    }
}
