//! Words and sentences out of a seed: the same on every machine, so that two runs measure the same text.

/// A source of numbers that look random (`SplitMix64`).
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// Starts from a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `end`, which is not 0.
    pub fn below(&mut self, end: usize) -> usize {
        let end = u64::try_from(end).unwrap_or(u64::MAX).max(1);
        usize::try_from(self.next() % end).unwrap_or_default()
    }

    /// One of these.
    pub fn one_of<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list.get(self.below(list.len())).copied().unwrap_or_default()
    }
}

const ENGLISH: [&str; 48] = [
    "the",
    "queue",
    "keeps",
    "every",
    "event",
    "until",
    "a",
    "reader",
    "asks",
    "for",
    "it",
    "and",
    "then",
    "writes",
    "one",
    "line",
    "per",
    "request",
    "which",
    "is",
    "small",
    "enough",
    "to",
    "fit",
    "into",
    "memory",
    "while",
    "slow",
    "clients",
    "wait",
    "without",
    "blocking",
    "others",
    "so",
    "latency",
    "stays",
    "flat",
    "under",
    "load",
    "because",
    "each",
    "worker",
    "owns",
    "its",
    "socket",
    "buffer",
    "checkpoint",
    "index",
];

const CHINESE: [&str; 24] = [
    "系统", "会", "在", "每个", "请求", "之后", "写入", "一行", "日志", "这样", "读者", "可以", "随时",
    "恢复", "进度", "而", "不会", "丢失", "数据", "因为", "缓存", "足够", "小", "所以",
];

const JAPANESE: [&str; 20] = [
    "この",
    "システム",
    "は",
    "リクエスト",
    "ごとに",
    "ログ",
    "を",
    "書き込み",
    "ます",
    "ので",
    "読者",
    "が",
    "いつでも",
    "再開",
    "できる",
    "ように",
    "設計",
    "されて",
    "いる",
    "のです",
];

const EMOJI: [&str; 10] = ["🙂", "👩‍💻", "🇩🇪", "👍🏽", "🚀", "🧑‍🤝‍🧑", "✅", "❤️‍🔥", "🏳️‍🌈", "🧵"];

/// Lower-case English words with spaces between.
pub fn words(dice: &mut Dice, count: usize) -> String {
    let words: Vec<_> = (0..count).map(|_| dice.one_of(&ENGLISH)).collect();
    words.join(" ")
}

/// A word with a capital letter.
pub fn capital(dice: &mut Dice) -> String {
    let word = dice.one_of(&ENGLISH);
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// An English sentence.
pub fn sentence(dice: &mut Dice) -> String {
    let count = 6 + dice.below(14);
    format!("{} {}.", capital(dice), words(dice, count))
}

/// A sentence with what models like to put into one: emphasis, code, links, a struck word.
pub fn rich_sentence(dice: &mut Dice) -> String {
    let (first, last) = (3 + dice.below(6), 3 + dice.below(8));
    let (start, rest, middle) = (capital(dice), words(dice, first), words(dice, 2));
    let middle = match dice.below(6) {
        0 => format!("**{middle}**"),
        1 => format!("*{middle}*"),
        2 => format!("`{}`", middle.replace(' ', "_")),
        3 => format!("[{middle}](https://example.com/{})", middle.replace(' ', "-")),
        4 => format!("~~{middle}~~"),
        _ => middle,
    };
    format!("{start} {rest} {middle} {}.", words(dice, last))
}

/// So many sentences, made by `one`.
pub fn paragraph(dice: &mut Dice, count: usize, one: fn(&mut Dice) -> String) -> String {
    let sentences: Vec<_> = (0..count).map(|_| one(dice)).collect();
    sentences.join(" ")
}

/// A sentence in Chinese or Japanese, sometimes with an emoji of several characters.
pub fn cjk_sentence(dice: &mut Dice) -> String {
    let list: &[&str] = if dice.below(2) == 0 { &CHINESE } else { &JAPANESE };
    let mut text: String = (0..8 + dice.below(10)).map(|_| dice.one_of(list)).collect();
    match dice.below(4) {
        0 => text.push_str(&format!("**{}**", dice.one_of(list))),
        1 => text.push_str(dice.one_of(&EMOJI)),
        _ => {}
    }
    text + "。"
}

/// A line of a program.
pub fn code_line(dice: &mut Dice) -> String {
    let indent = "    ".repeat(dice.below(4));
    let (name, call, argument) = (words(dice, 1), words(dice, 1), words(dice, 2).replace(' ', "_"));
    match dice.below(6) {
        0 => format!("{indent}// {}", sentence(dice)),
        1 => format!("{indent}if {name}.{call}(&{argument}) {{"),
        2 => format!("{indent}}}"),
        3 => format!("{indent}let {argument} = \"{}\";", words(dice, 4)),
        _ => format!("{indent}let {name} = {call}({argument}, {});", dice.below(1000)),
    }
}
