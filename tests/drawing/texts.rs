//! Long texts of one kind, as agents write them.

/// A fenced block of about so many bytes.
pub(crate) fn fence(bytes: usize) -> String {
    let line = |number: usize| format!("    let value_{number} = compute({number}); // 値\n");
    let mut text = String::from("Here it is:\n\n```rust\n");
    let mut number = 0;
    while text.len() < bytes {
        text.push_str(&line(number));
        number += 1;
    }
    text
}

/// A table of so many rows.
pub(crate) fn table(rows: usize) -> String {
    let row = |number: usize| format!("| {number} | item *{number}* | `{}` |\n", number * 7);
    let mut text = String::from("| no | what | how |\n|---|:--|--:|\n");
    (0..rows).for_each(|number| text.push_str(&row(number)));
    text
}

/// A list of so many items.
pub(crate) fn list(items: usize) -> String {
    (0..items).map(|number| format!("- item {number} with **words** and `code`\n")).collect()
}
