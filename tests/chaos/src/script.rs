//! What happens in a run and when, drawn from a seed: who says what, and the moments of the disturbance. *Pure.*

use fastrand::Rng;

/// What can be said to a backend.
#[derive(Clone, Debug)]
pub struct Menu {
    /// Texts that it has something to say to.
    pub texts: Vec<String>,
    /// It answers any text with the text itself.
    pub echoes: bool,
    /// What is said at the end of a run, and the end of the answer.
    pub last: (String, String),
    /// How long a turn takes, about, milliseconds: moments are drawn from it.
    pub span_ms: u64,
    /// How long something may be away before it comes back.
    pub away_ms: u64,
}

/// The devices that say something.
pub const SPEAKERS: usize = 2;

/// Something that happens at a moment, milliseconds after the first message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct At<T> {
    /// When.
    pub ms: u64,
    /// Which device.
    pub device: usize,
    /// What.
    pub what: T,
}

/// A run.
#[derive(Clone, Debug)]
pub struct Script {
    /// What is said, in the order of the moments; the first at once.
    pub says: Vec<At<String>>,
    /// When somebody presses stop.
    pub stop: Option<At<()>>,
    /// When the disturbance comes.
    pub moment_ms: u64,
    /// Something is said just then, so many microseconds before: it is on its way, on disk or acknowledged, or not yet.
    pub word: Option<At<(u64, String)>>,
    /// The wires go first: the adapter has time to take what was said, and nobody hears that it did.
    pub deaf: bool,
    /// How long what was killed stays away.
    pub away_ms: u64,
    /// What is said meanwhile.
    pub meanwhile: Option<At<String>>,
    /// It is killed once more, so long after it came back.
    pub again_ms: Option<u64>,
    /// The cuts, each so long after the disturbance began, after so many more bytes.
    pub cuts: Vec<At<usize>>,
}

impl Script {
    /// Draws a run.
    pub fn draw(rng: &mut Rng, menu: &Menu) -> Self {
        let mut texts = menu.texts.clone();
        rng.shuffle(&mut texts);
        let mut says = Vec::new();
        for nth in 0..rng.usize(1..=3) {
            let ms = if nth == 0 { 0 } else { rng.u64(0..=menu.span_ms) };
            says.push(At { ms, device: rng.usize(0..SPEAKERS), what: text(rng, menu, &mut texts) });
        }
        says.sort_by_key(|say| say.ms);
        let stop = rng.u8(0..8) == 0;
        let stop =
            stop.then(|| At { ms: rng.u64(0..=menu.span_ms), device: rng.usize(0..SPEAKERS), what: () });
        let meanwhile = rng.bool().then(|| At {
            ms: 0,
            device: rng.usize(0..SPEAKERS),
            what: text(rng, menu, &mut texts),
        });
        let word = rng.bool().then(|| At {
            ms: 0,
            device: rng.usize(0..SPEAKERS),
            what: (soon(rng), text(rng, menu, &mut texts)),
        });
        let cuts = (0..rng.usize(1..=3)).map(|nth| At {
            ms: if nth == 0 { 0 } else { rng.u64(0..300) },
            device: rng.usize(0..SPEAKERS),
            what: if rng.bool() { 0 } else { rng.usize(1..4_000) },
        });
        let cuts = cuts.collect();
        Self {
            says,
            stop,
            moment_ms: rng.u64(0..=menu.span_ms),
            away_ms: rng.u64(0..=menu.away_ms),
            word,
            deaf: rng.u8(0..3) == 0,
            meanwhile,
            cuts,
            again_ms: (rng.u8(0..5) == 0).then(|| rng.u64(0..=menu.away_ms)),
        }
    }
}

/// A moment within some milliseconds; each of its powers of two is as likely as the others, for a disk is quick or slow.
fn soon(rng: &mut Rng) -> u64 {
    let order = rng.u32(5..13);
    rng.u64((1 << order)..(2 << order))
}

/// One of the texts that are left, or any other.
fn text(rng: &mut Rng, menu: &Menu, texts: &mut Vec<String>) -> String {
    let free = menu.echoes && rng.bool();
    match texts.pop().filter(|_| !free) {
        Some(text) => text,
        None if menu.echoes => words(rng),
        None => menu.last.0.clone(),
    }
}

/// Markdown of some length, with characters of several bytes.
fn words(rng: &mut Rng) -> String {
    let words =
        ["one", "**two**", "drei", "`four`", "пять", "六", "🦀", "\n\n- item", "\n\n# Title\n\n", "seven"];
    let count = rng.usize(1..300);
    let text: Vec<&str> = (0..count).filter_map(|_| rng.choice(words)).collect();
    format!("Text {:08x}: {}", rng.u32(..), text.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn menu() -> Menu {
        Menu {
            texts: ["a", "b", "c"].map(String::from).to_vec(),
            echoes: true,
            last: ("last".to_owned(), "last".to_owned()),
            span_ms: 500,
            away_ms: 100,
        }
    }

    #[test]
    fn the_same_seed_draws_the_same_run() {
        let draw = |seed| format!("{:?}", Script::draw(&mut Rng::with_seed(seed), &menu()));
        assert_eq!(draw(7), draw(7));
        assert_ne!(draw(7), draw(8));
    }

    #[test]
    fn nothing_is_said_twice_in_a_run_and_moments_are_spread_over_the_turn() {
        let mut early = 0;
        for seed in 0..400 {
            let script = Script::draw(&mut Rng::with_seed(seed), &menu());
            let mut texts: Vec<_> =
                script.says.iter().chain(&script.meanwhile).map(|say| &say.what).collect();
            texts.extend(script.word.iter().map(|word| &word.what.1));
            let said = texts.len();
            texts.sort();
            texts.dedup();
            assert_eq!(texts.len(), said, "{script:?}");
            assert_eq!(script.says[0].ms, 0);
            early += usize::from(script.moment_ms < 250);
        }
        assert!((150..250).contains(&early), "{early}");
    }
}
