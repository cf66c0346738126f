//! Reads how many tests passed and failed out of what the test runners print. Text in, numbers out.

use std::ops::AddAssign;

/// A line that a test begins like this is for the end of the report: how much it has compared.
const COUNTED: &str = "counted: ";
/// nextest's word for a test that passed at the second try.
const FLAKY: &str = "FLAKY ";

/// Tests that passed and failed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Count {
    pub(crate) passed: usize,
    pub(crate) failed: usize,
}

impl AddAssign for Count {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
    }
}

impl Count {
    /// A runner that ended badly without naming a failed test has failed itself: it did not compile, or it crashed.
    /// One that ran nothing has proven nothing.
    pub(crate) fn settle(mut self, ended_well: bool) -> Self {
        if self.failed == 0 && (!ended_well || self.passed == 0) {
            self.failed = 1;
        }
        self
    }
}

/// The counts of every summary in the output of nextest, `cargo test`, wasm-bindgen's or Node's runner.
///
/// nextest repeats what a failed test printed, the test's own summary included; its word is the last one then, also
/// about a test that passed at the second try.
pub(crate) fn count(output: &str) -> Count {
    let lines: Vec<String> = output.lines().map(|line| strip_ansi(line).trim().to_owned()).collect();
    let sum = |read: fn(&str) -> Option<Count>| {
        let found: Vec<Count> = lines.iter().filter_map(|line| read(line)).collect();
        let any = !found.is_empty();
        any.then(|| {
            found.into_iter().fold(Count::default(), |mut total, count| {
                total += count;
                total
            })
        })
    };
    sum(nextest).or_else(|| sum(libtest)).or_else(|| node(&lines)).unwrap_or_default()
}

/// The runner's own words for the end of the report: each summary with a failure, how many there were without, what tests have
/// counted, and which of them needed a second try.
pub(crate) fn digest(output: &str) -> Vec<String> {
    let mut shown = Vec::new();
    let mut clean = Vec::new();
    let mut file = String::new();
    for line in output.lines() {
        let line = strip_ansi(line).trim().to_owned();
        // `Running tests/a.rs (target/…)` is cargo's; "Running headless tests in Chrome" is the runner's.
        if let Some((name, _)) = line.strip_prefix("Running ").and_then(|rest| rest.split_once(" (")) {
            file = name.to_owned();
        }
        if let Some(counted) = line.strip_prefix(COUNTED) {
            shown.push(counted.to_owned());
        }
        if line.starts_with(FLAKY) {
            shown.push(line.clone());
        }
        match summary(&line) {
            Some(count) if count.failed > 0 => shown.push(format!("{file} {line}").trim().to_owned()),
            Some(_) => clean.push(line),
            None => {}
        }
    }
    match clean.as_slice() {
        [] => {}
        [only] => shown.push(only.clone()),
        several => shown.push(format!("{} test files without a failure", several.len())),
    }
    shown
}

fn summary(line: &str) -> Option<Count> {
    libtest(line).or_else(|| nextest(line))
}

/// `test result: FAILED. 3 passed; 1 failed; 0 ignored; …`
fn libtest(line: &str) -> Option<Count> {
    let (_, numbers) = line.strip_prefix("test result: ")?.split_once(". ")?;
    let number =
        |word| numbers.split(';').find_map(|part| part.trim().strip_suffix(word)?.trim().parse().ok());
    Some(Count { passed: number("passed")?, failed: number("failed")? })
}

/// `Summary [   1.2s] 12 tests run: 9 passed (1 slow, 1 flaky), 2 failed, 1 timed out, 3 skipped`
fn nextest(line: &str) -> Option<Count> {
    let (_, result) = line.strip_prefix("Summary [")?.split_once("] ")?;
    let (run, numbers) = result.split_once(" run: ")?;
    // "5/12 tests run" when it was cancelled: what did not run has not passed, and the runner's end says so.
    let ran: usize = run.split([' ', '/']).next()?.parse().ok()?;
    let passed =
        numbers.split_once(" passed").and_then(|(before, _)| before.split(' ').next_back()?.parse().ok());
    let passed: usize = passed.unwrap_or(0);
    Some(Count { passed, failed: ran.saturating_sub(passed) })
}

/// `ℹ pass 12` and `ℹ fail 0`, each a line.
fn node(lines: &[String]) -> Option<Count> {
    let number = |word| lines.iter().find_map(|line| line.strip_prefix(word)?.trim().parse().ok());
    Some(Count { passed: number("ℹ pass ")?, failed: number("ℹ fail ")? })
}

/// The text without terminal colours.
pub(crate) fn strip_ansi(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\u{1b}' {
            plain.push(c);
        } else if chars.next() == Some('[') {
            // A control sequence ends with a letter or another byte from "@" to "~".
            chars.by_ref().find(|c| ('@'..='~').contains(c));
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(output: &str, passed: usize, failed: usize) {
        assert_eq!(count(output), Count { passed, failed }, "{output}");
    }

    #[test]
    fn what_a_failed_test_printed_is_not_counted_beside_the_runner() {
        let output = "test result: FAILED. 0 passed; 1 failed; 0 ignored\n  Summary [ 1.0s] 3 tests run: 3 passed (1 flaky), 0 skipped";
        assert_eq!(count(output), Count { passed: 3, failed: 0 });
    }

    #[test]
    fn node_says_in_two_lines_what_passed_and_failed() {
        check("✔ a test (1.2ms)\nℹ tests 3\nℹ suites 0\nℹ pass 2\nℹ fail 1\nℹ cancelled 0", 2, 1);
    }

    #[test]
    fn nextest_counts_everything_that_ran_and_did_not_pass_as_failed() {
        check("     Summary [   0.012s] 3 tests run: 3 passed, 0 skipped", 3, 0);
        check(
            "     Summary [   1.204s] 12 tests run: 9 passed (1 slow, 1 flaky), 2 failed, 1 timed out, 3 skipped",
            9,
            3,
        );
        check("     Summary [   0.500s] 1 test run: 0 passed, 1 failed, 0 skipped", 0, 1);
        check("     Summary [   0.500s] 5/12 tests run: 4 passed, 1 exec failed, 0 skipped", 4, 1);
        check("     Summary [   0.000s] 0 tests run: 0 passed, 0 skipped", 0, 0);
    }

    #[test]
    fn the_results_of_all_test_binaries_are_added_up() {
        check(
            "test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\
             noise\n\
             test result: FAILED. 10 passed; 2 failed; 0 ignored; 0 filtered out; finished in 1.51s",
            13,
            2,
        );
    }

    #[test]
    fn colours_do_not_hide_a_summary() {
        check(
            "\u{1b}[32;1m     Summary\u{1b}[0m [   0.012s] \u{1b}[1m3\u{1b}[0m tests run: \u{1b}[1m3\u{1b}[0m \u{1b}[32;1mpassed\u{1b}[0m, 0 skipped",
            3,
            0,
        );
        check("test result: \u{1b}[32mok\u{1b}[0m. 3 passed; 0 failed; 0 ignored", 3, 0);
    }

    #[test]
    fn a_test_that_prints_something_alike_does_not_count() {
        check("the Summary [0s] 3 tests run: 3 passed", 0, 0);
        check("test result: pending", 0, 0);
        check("Summary [ of my day ] nothing", 0, 0);
        check("", 0, 0);
    }

    #[test]
    fn the_digest_names_the_file_that_failed_and_counts_the_others() {
        let output = "Running tests/a.rs (target/a.wasm)\ntest result: ok. 3 passed; 0 failed; 0 ignored\n\
                      Running tests/b.rs (target/b.wasm)\nRunning headless tests in Chrome on `http://127.0.0.1:1/`\ntest result: FAILED. 1 passed; 1 failed; 0 ignored\n\
                      Running tests/c.rs (target/c.wasm)\ntest result: ok. 2 passed; 0 failed; 0 ignored\n";
        let expected = [
            "tests/b.rs test result: FAILED. 1 passed; 1 failed; 0 ignored",
            "2 test files without a failure",
        ];
        assert_eq!(digest(output), expected);
        assert_eq!(digest("    counted: 7 prefixes\n  uncounted: 8\n"), ["7 prefixes"]);
        assert_eq!(digest("   FLAKY 2/2 [   3.1s] (1/1) e2e::tabs two_tabs\n").len(), 1);
        let one = "     Summary [   0.012s] 3 tests run: 3 passed, 0 skipped";
        assert_eq!(digest(one), [one.trim()]);
        assert!(digest("nothing").is_empty());
    }

    #[test]
    fn a_runner_that_broke_or_ran_nothing_has_failed() {
        let check = |passed, failed, ended_well, expected| {
            assert_eq!(
                Count { passed, failed }.settle(ended_well).failed,
                expected,
                "{passed} {failed} {ended_well}"
            );
        };
        check(3, 0, true, 0);
        check(3, 0, false, 1);
        check(0, 0, true, 1);
        check(0, 2, false, 2);
    }

    #[test]
    fn an_unfinished_control_sequence_ends_with_the_text() {
        assert_eq!(strip_ansi("a\u{1b}["), "a");
        assert_eq!(strip_ansi("a\u{1b}"), "a");
        assert_eq!(strip_ansi("\u{1b}[1;31mrot\u{1b}[0m"), "rot");
    }
}
