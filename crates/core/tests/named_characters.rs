//! HTML's named characters come out of comrak as the standard has them: `crates/small/phf` holds them in a form of its own.

use comrak::{Arena, Options, nodes::NodeValue, parse_document};
use entities::ENTITIES;

/// The text that a paragraph of `markdown` holds.
fn text(markdown: &str) -> String {
    let arena = Arena::new();
    let root = parse_document(&arena, markdown, &Options::default());
    let texts = root.descendants().filter_map(|node| match &node.data().value {
        NodeValue::Text(text) => Some(text.to_string()),
        NodeValue::SoftBreak => Some("\n".to_owned()),
        _ => None,
    });
    texts.collect()
}

#[test]
fn every_name_is_its_characters() {
    let names: Vec<_> = ENTITIES.iter().filter(|entity| entity.entity.ends_with(';')).collect();
    assert_eq!(names.len(), 2125);
    for name in names {
        assert_eq!(text(&format!("x{}x", name.entity)), format!("x{}x", name.characters), "{}", name.entity);
    }
}

#[test]
fn other_names_are_words() {
    for word in ["&amp", "&Amp;", "&x;", "&ampx;", "&amp ;", "&;", "&copyright;", "&zwnjx;", "& amp;"] {
        assert_eq!(text(&format!("x{word}x")), format!("x{word}x"));
    }
}
