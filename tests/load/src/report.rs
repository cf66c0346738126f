//! Figures for people: what was measured, and how it was spread.

use std::time::Duration;

/// A table of two columns that grows line by line.
#[derive(Debug, Default)]
pub struct Report {
    lines: Vec<(String, String)>,
}

impl Report {
    /// Adds a line and prints it: a measurement takes its time.
    pub fn add(&mut self, what: impl Into<String>, figure: impl Into<String>) {
        let (what, figure) = (what.into(), figure.into());
        println!("  {what}: {figure}");
        self.lines.push((what, figure));
    }
}

impl std::fmt::Display for Report {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "| what | figure |\n| --- | ---: |")?;
        self.lines.iter().try_for_each(|(what, figure)| writeln!(f, "| {what} | {figure} |"))
    }
}

/// How a number of times are spread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spread {
    /// How many there are.
    pub count: usize,
    /// Half of them are at most this.
    pub median: Duration,
    /// 99 of a hundred are at most this.
    pub p99: Duration,
    /// The longest.
    pub longest: Duration,
}

impl Spread {
    /// Of these times, in microseconds.
    pub fn of(mut times: Vec<u64>) -> Self {
        times.sort_unstable();
        let at = |percent: usize| {
            let place = (times.len() * percent).div_ceil(100).saturating_sub(1);
            Duration::from_micros(times.get(place).copied().unwrap_or_default())
        };
        Self { count: times.len(), median: at(50), p99: at(99), longest: at(100) }
    }
}

impl std::fmt::Display for Spread {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { count, median, p99, longest } = self;
        write!(f, "median {}, p99 {}, longest {} ({count} times)", ms(*median), ms(*p99), ms(*longest))
    }
}

/// A time in milliseconds.
pub fn ms(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1000.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_values_that_occurred() {
        let spread = Spread::of((1..=200).rev().collect());
        let us = Duration::from_micros;
        assert_eq!(spread, Spread { count: 200, median: us(100), p99: us(198), longest: us(200) });
        assert_eq!(Spread::of(vec![7]), Spread { count: 1, median: us(7), p99: us(7), longest: us(7) });
        assert_eq!(Spread::of(Vec::new()), Spread::default());
    }
}
