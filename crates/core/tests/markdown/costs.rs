//! What a growing text costs: bytes given to the parser for each byte of the text, and that every way of going on
//! inside an open block is really taken.

use crate::corpus;
use iris_core::markdown::{Document, parse};
use std::collections::BTreeMap;

/// How a text was read: the cost, and in how many frames which containers were open.
struct Reading {
    parsed: usize,
    /// The most that one frame had parsed.
    most: usize,
    frames: BTreeMap<String, usize>,
}

/// Pushes a text by 6 characters a frame.
fn read(text: &str) -> Reading {
    let mut document = Document::new();
    let mut reading = Reading { parsed: 0, most: 0, frames: BTreeMap::new() };
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.char_indices().nth(6).map_or(rest.len(), |(at, _)| at);
        document.push(&rest[..end]);
        rest = &rest[end..];
        reading.most = reading.most.max(document.parsed_bytes() - reading.parsed);
        reading.parsed = document.parsed_bytes();
        let open = document.open_containers().collect::<Vec<_>>().join(" ");
        *reading.frames.entry(open).or_default() += 1;
    }
    assert!(document.blocks() == parse(text), "the tree of {:?}…", &text[..60]);
    reading
}

/// Checks that a text costs at most so many bytes for each of its own, and one frame at most so many, and that
/// nine in ten frames went on inside of these containers.
#[track_caller]
fn check(name: &str, text: &str, ratio: usize, most: usize, containers: &str) {
    let reading = check_cost(name, text, ratio, most);
    let frames: usize = reading.frames.values().sum();
    let inside: usize = reading
        .frames
        .iter()
        .filter(|(open, _)| open.starts_with(containers))
        .map(|(_, frames)| frames)
        .sum();
    assert!(inside * 10 >= frames * 9, "{name}: {:?}", reading.frames);
}

#[track_caller]
fn check_cost(name: &str, text: &str, ratio: usize, most: usize) -> Reading {
    let reading = read(text);
    let found = reading.parsed.div_ceil(text.len());
    println!(
        "{name}: {} bytes, {found} parsed for each, at most {} a frame, {:?}",
        text.len(),
        reading.most,
        reading.frames
    );
    assert!(found <= ratio, "{name}: {found} bytes parsed for each of the text");
    assert!(reading.most <= most, "{name}: {} bytes parsed in one frame", reading.most);
    reading
}

fn code(lines: usize) -> String {
    (0..lines).map(|n| format!("    let value_{n} = compute(&input[{n}], \"name\"); // {n}\n")).collect()
}

fn items(count: usize, between: &str) -> String {
    let item = |n| {
        format!("- Item {n} with **bold** words, `code` and a [link](https://example.com/{n}).\n{between}")
    };
    (0..count).map(item).collect()
}

fn quoted(text: &str) -> String {
    text.lines().map(|line| format!("> {line}\n").replace("> \n", ">\n")).collect()
}

fn indented(text: &str) -> String {
    text.lines().map(|line| if line.is_empty() { "\n".to_owned() } else { format!("  {line}\n") }).collect()
}

fn table(rows: usize) -> String {
    let row = |n| format!("| row {n} | some **text** here | {n} |\n");
    let rows: String = (0..rows).map(row).collect();
    format!("| name | what it is | number |\n|---|:-:|--:|\n{rows}")
}

#[test]
fn a_long_fence_costs_nothing() {
    let text = format!("Look:\n\n```rust\n{}```\n\nDone.\n", code(3_600));
    assert!(text.len() > 200_000);
    check("fence", &text, 1, 200, "code");
}

#[test]
fn a_long_table_costs_its_rows() {
    check("table", &format!("{}\nDone.\n", table(500)), 25, 400, "table");
    check("table below a line", &format!("Look:\n{}\nDone.\n", table(500)), 25, 400, "table");
}

#[test]
fn a_long_list_costs_its_items() {
    check("list", &format!("{}\nDone.\n", items(300, "")), 40, 600, "list");
    check("loose list", &format!("{}\nDone.\n", items(300, "\n")), 40, 600, "list");
    let loosened = format!("{}\n{}\nDone.\n", items(150, ""), items(150, ""));
    check("list that becomes loose", &loosened, 40, 600, "list");
    let tasks = items(300, "").replace("- Item", "- [x] Item");
    check("tasks", &format!("{tasks}\nDone.\n"), 40, 600, "list");
    check("numbers", &format!("{}\nDone.\n", items(300, "").replace("- Item", "10. Item")), 40, 600, "list");
}

#[test]
fn definitions_at_the_end_cost_what_waits_for_them() {
    let uses = |n| format!("- Finding {n} is described at length, and its source is [{n}].\n");
    let definition = |n| format!("[{n}]: https://example.com/{n} \"Source {n}\"\n");
    let (uses, definitions): (String, String) =
        ((0..300).map(uses).collect(), (0..300).map(definition).collect());
    // The list goes on until the first definition is complete; then they are one paragraph.
    check_cost("references", &format!("{uses}\n{}\nDone.\n", definitions.replace("\n", "\n\n")), 90, 60_000);
    check_cost(
        "references in a quotation",
        &format!("{}\n## Sources\n\n{}", quoted(&uses), definitions.replace("\n", "\n\n")),
        60,
        2_000,
    );
}

/// The last third of a text costs what the first third costs.
#[track_caller]
fn check_slope(name: &str, text: &str, ratio: usize, most: usize) {
    check_cost(name, text, ratio, most);
    let mut document = Document::new();
    let mut costs = [0; 3];
    for (number, chunk) in text.as_bytes().chunks(6).enumerate() {
        let before = document.parsed_bytes();
        document.push(std::str::from_utf8(chunk).unwrap());
        costs[(number * 18 / text.len()).min(2)] += document.parsed_bytes() - before;
    }
    println!("{name}: {costs:?} bytes parsed in each third");
    assert!(costs[2] * 10 <= costs[0] * 12, "{name}: {costs:?}");
}

#[test]
fn one_paragraph_of_many_lines_costs_its_lines() {
    let plain: String = (0..3_000).map(|n| format!("Line {n} of many, it ends here.\n")).collect();
    check_slope("lines", &plain, 20, 200);
    let marked: String = (0..600)
        .map(|n| {
            format!("Line {n} with **bold**,\n*two\nlines*, `code` and [a link](https://example.com/{n}).\n")
        })
        .collect();
    check_slope("marked lines", &marked, 40, 400);
    // A mark that waits for its partner is all the text that follows it.
    let open = format!("{}one * star\n{}", &plain[..33 * 50], &plain[..33 * 50]);
    check_cost("lines below an open mark", &open, 400, 4_000);
}

#[test]
fn one_long_line_costs_its_words() {
    let rich =
        |n| format!("Word {n} is **bold**, `code_{n}` or [a link](https://example.com/{n}), and so on. ");
    let line: String = (0..250).map(rich).collect();
    check_slope("one line", &line, 20, 300);
    check_slope("a line below another", &format!("{line}\n{line}"), 25, 60_000);
}

#[test]
fn definitions_in_a_row_cost_their_lines() {
    let rows: String = (0..600).map(|n| format!("[{n}]: https://example.com/{n} \"Source {n}\"\n")).collect();
    check_slope("definitions", &rows, 60, 500);
}

#[test]
fn what_stands_in_something_else_costs_what_it_costs_alone() {
    let list = format!("- one\n\n{}\n- two\n", indented(&items(300, "")));
    check("list in an item", &list, 40, 600, "list item list");
    let fence = format!("1. one\n2. two\n   ```rust\n{}   ```\n3. three\n", code(600));
    check("fence in an item", &fence, 2, 400, "list item code");
    let fence = format!("> Look:\n>\n{}\nDone.\n", quoted(&format!("```rust\n{}```", code(600))));
    check("fence in a quotation", &fence, 2, 400, "quote code");
    let table = format!("- one\n\n{}\n- two\n", indented(&table(500)));
    check("table in an item", &table, 30, 600, "list item table");
    let list = format!("> [!NOTE]\n{}\nDone.\n", quoted(&items(300, "")));
    check("list in an alert", &list, 40, 600, "quote list");
    let deep = format!("> - a\n>   - b\n{}\nDone.\n", quoted(&indented(&indented(&items(300, "")))));
    check("a list five deep", &deep, 45, 700, "quote list item list item list");
}

#[test]
fn a_long_quotation_costs_its_blocks() {
    let paragraph =
        "I should look at the file first, and then at what calls it. It may be that **nothing** does.\n\n";
    let thought = format!("{}```\nlet x = 1;\n```\n\n{}", paragraph.repeat(3), items(3, ""));
    let text = format!("{}\nDone.\n", quoted(&thought.repeat(180)));
    assert!(text.len() > 90_000);
    check("quotation", &text, 30, 600, "quote");
}

#[test]
fn a_mixed_answer_costs_its_blocks() {
    let text = corpus::answers().concat().repeat(20);
    let reading = read(&text);
    println!(
        "answers: {} bytes, {} parsed for each, {:?}",
        text.len(),
        reading.parsed / text.len(),
        reading.frames
    );
    assert!(reading.parsed <= 20 * text.len(), "{}", reading.parsed / text.len());
}

/// The texts whose every prefix is compared elsewhere really try what they are meant to try.
#[test]
fn the_random_texts_go_on_inside_of_every_container() {
    let mut frames: BTreeMap<String, usize> = BTreeMap::new();
    for text in [corpus::adversarial(), corpus::random_lines(1, 2_000), corpus::nested(1, 300)].concat() {
        let mut document = Document::new();
        for char in text.chars() {
            document.push(char.encode_utf8(&mut [0; 4]));
            let open: Vec<&str> = document.open_containers().collect();
            let all = open.iter().map(|&container| container.to_owned());
            // And the innermost one by what holds it.
            all.chain(open.last_chunk::<2>().map(|two| two.join(" "))).for_each(|at| {
                *frames.entry(at).or_default() += 1;
            });
        }
    }
    println!("{frames:?}");
    for containers in [
        "quote",
        "list",
        "item",
        "table",
        "code",
        "quote list",
        "quote code",
        "quote table",
        "item code",
        "item list",
    ] {
        let found = frames.get(containers).copied().unwrap_or_default();
        assert!(found > 100, "{containers}: {found}");
    }
}
