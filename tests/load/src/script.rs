//! What a measurement asks of the made-up Hermes, as the text of a message: the only way to it leads through the product.

use std::{str::FromStr, time::Duration};

use anyhow::Context;

/// One turn that can be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Script {
    /// A text that grows in steps.
    Stream(Stream),
    /// So many finished messages, half of them the user's.
    History {
        /// How many.
        messages: usize,
    },
}

/// A text that grows in steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stream {
    /// Bytes that stand there at once.
    pub base: usize,
    /// Steps after that.
    pub steps: usize,
    /// Characters of a step; each is one byte.
    pub step: usize,
    /// From one step to the next; zero: as fast as the adapter takes them.
    pub pause: Duration,
}

impl Script {
    /// The message that asks for it.
    pub fn text(&self) -> String {
        match self {
            Self::Stream(Stream { base, steps, step, pause }) => {
                format!("stream {base} {steps} {step} {}", pause.as_micros())
            }
            Self::History { messages } => format!("history {messages}"),
        }
    }
}

impl FromStr for Script {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Self> {
        let mut words = text.split_whitespace();
        let kind = words.next();
        let numbers: Vec<usize> =
            words.map(|word| word.parse().context("a number")).collect::<Result<_, _>>()?;
        match (kind, numbers.as_slice()) {
            (Some("stream"), &[base, steps, step, pause]) => {
                let pause = Duration::from_micros(u64::try_from(pause)?);
                Ok(Self::Stream(Stream { base, steps, step, pause }))
            }
            (Some("history"), &[messages]) => Ok(Self::History { messages }),
            _ => anyhow::bail!("no script: {text}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_survives_the_way_through_a_message() -> anyhow::Result<()> {
        let stream = Stream { base: 5, steps: 3, step: 24, pause: Duration::from_micros(50) };
        for script in [Script::Stream(stream), Script::History { messages: 7 }] {
            assert_eq!(script.text().parse::<Script>()?, script);
        }
        assert!("hello".parse::<Script>().is_err());
        Ok(())
    }
}
