//! Makes what connects the app with the browser smaller: wasm-bindgen's glue code and the names under which the wasm file
//! imports its functions.
//!
//! Each of 200 imports has a name like `__wbg_querySelector_4d0db17c671ea324`, in both files; the digits do not compress. They
//! only have to be the same on both sides, so each becomes a letter or two. Of the glue's text, remarks and indentation go.
//! Nothing else is touched: this is no minifier, which could misread the code.

use crate::{order, split::PART};
use anyhow::{Context, Result, ensure};
use std::{collections::HashMap, convert::Infallible, fs, path::Path};
use wasm_encoder::{
    ImportSection, Module,
    reencode::{self, Reencode},
};
use wasmparser::{Import, ImportSectionReader, Parser};

/// The scripts that are written by hand; their remarks stay at home too.
const OURS: [&str; 2] = ["boot.js", "socket-worker.js"];

/// Rewrites the pair of files in the folder that Trunk has filled.
pub(crate) fn shrink(folder: &Path) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let path = entry?.path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if OURS.contains(&name.as_str()) {
            fs::write(&path, without_remarks(&fs::read_to_string(&path)?))?;
        }
        // It has no glue of its own.
        if name.ends_with(PART) {
            fs::write(&path, order::by_likeness(&fs::read(&path)?)?)?;
        }
        let Some(stem) = name.strip_suffix("_bg.wasm") else { continue };
        let script = folder.join(format!("{stem}.js"));
        let (wasm, glue) = pair(&fs::read(&path)?, &fs::read_to_string(&script)?)
            .with_context(|| format!("cannot shrink {name} and its glue"))?;
        fs::write(&path, order::by_likeness(&wasm)?)?;
        fs::write(&script, glue)?;
    }
    Ok(())
}

fn pair(wasm: &[u8], glue: &str) -> Result<(Vec<u8>, String)> {
    let mut names = Names::default();
    let wasm = renamed_imports(wasm, &mut names)?;
    Ok((wasm, without_remarks(&renamed_words(glue, &names)?)))
}

/// Old names to new ones.
#[derive(Default)]
struct Names(HashMap<String, String>);

impl Names {
    /// The short form of a name that wasm-bindgen has made unique with 16 digits; any other stays as it is.
    fn short(&mut self, name: &str) -> String {
        let is_unique = name.rsplit_once('_').is_some_and(|(_, hash)| {
            hash.len() == 16 && hash.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
        });
        if !is_unique {
            return name.to_owned();
        }
        let next = self.0.len();
        self.0.entry(name.to_owned()).or_insert_with(|| letters(next)).clone()
    }
}

/// `a` to `z`, then `aa`, `ab`, …
fn letters(mut number: usize) -> String {
    let mut word = String::new();
    loop {
        word.insert(0, char::from(b'a' + u8::try_from(number % 26).unwrap_or_default()));
        number /= 26;
        if number == 0 {
            return word;
        }
        number -= 1;
    }
}

/// The glue with every old name, as a whole word, replaced. Each has to be there.
fn renamed_words(glue: &str, names: &Names) -> Result<String> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$');
    let mut text = String::with_capacity(glue.len());
    let mut found = 0;
    let mut rest = glue;
    while let Some(start) = rest.find(is_word) {
        let (before, from) = rest.split_at(start);
        let (word, after) = from.split_at(from.find(|c| !is_word(c)).unwrap_or(from.len()));
        let short = names.0.get(word);
        found += usize::from(short.is_some());
        text.push_str(before);
        text.push_str(short.map_or(word, String::as_str));
        rest = after;
    }
    text.push_str(rest);
    ensure!(found == names.0.len(), "the glue has {found} of {} imported names", names.0.len());
    Ok(text)
}

/// The glue without indentation, empty lines and remarks that fill their lines.
fn without_remarks(glue: &str) -> String {
    let mut text = String::new();
    let mut in_remark = false;
    for line in glue.lines().map(str::trim) {
        in_remark |= line.starts_with("/*");
        if !in_remark && !line.is_empty() && !line.starts_with("//") {
            text.push_str(line);
            text.push('\n');
        }
        in_remark &= !line.ends_with("*/");
    }
    text
}

/// The file with its imports under their short names.
fn renamed_imports(wasm: &[u8], names: &mut Names) -> Result<Vec<u8>> {
    let mut module = Module::new();
    Renaming(names).parse_core_module(&mut module, Parser::new(0), wasm)?;
    Ok(module.finish())
}

struct Renaming<'a>(&'a mut Names);

impl Reencode for Renaming<'_> {
    type Error = Infallible;

    fn parse_import_section(
        &mut self,
        imports: &mut ImportSection,
        section: ImportSectionReader<'_>,
    ) -> Result<(), reencode::Error> {
        for import in section.into_imports() {
            let Import { module, name, ty } = import?;
            imports.import(module, &self.0.short(name), self.entity_type(ty)?);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_encoder::{EntityType, ExportKind, ExportSection, TypeSection};

    /// A wasm file with these imports, and a section before and after.
    fn wasm(names: &[&str]) -> Vec<u8> {
        let mut types = TypeSection::new();
        types.ty().function([], []);
        let mut imports = ImportSection::new();
        for name in names {
            imports.import("./iris_bg.js", name, EntityType::Function(0));
        }
        let mut exports = ExportSection::new();
        exports.export("main", ExportKind::Func, 0);
        let mut module = Module::new();
        module.section(&types).section(&imports).section(&exports);
        module.finish()
    }

    #[test]
    fn imports_get_the_same_short_names_on_both_sides() {
        let old = wasm(&["__wbg_add_9ceab44da1353b80", "__wbindgen_init", "__wbg_add_8d3235978b9c69a8"]);
        let glue = "x = {\n    __wbg_add_8d3235978b9c69a8: f,\n    __wbg_add_9ceab44da1353b80: g,\n    __wbindgen_init: h };";
        let (new, text) = pair(&old, glue).unwrap();
        assert_eq!(new, wasm(&["a", "__wbindgen_init", "b"]));
        assert_eq!(text, "x = {\nb: f,\na: g,\n__wbindgen_init: h };\n");
    }

    #[test]
    fn a_name_that_the_glue_does_not_have_stops_the_build() {
        let old = wasm(&["__wbg_add_9ceab44da1353b80"]);
        let error = pair(&old, "x = { my__wbg_add_9ceab44da1353b80: f };").unwrap_err();
        assert_eq!(error.to_string(), "the glue has 0 of 1 imported names");
    }

    #[test]
    fn remarks_go_and_code_stays() {
        let glue = "/**\n * @param {any} a\n */\nfunction f(a) {\n    // no\n    return a * 2; // yes\n\n    /* no */\n}\n";
        assert_eq!(without_remarks(glue), "function f(a) {\nreturn a * 2; // yes\n}\n");
    }

    #[test]
    fn a_broken_file_is_an_error() {
        let mut names = Names::default();
        for file in
            [&b"\0asm"[..], b"html....", b"\0asm\x01\0\0\0\x02\xff", b"\0asm\x01\0\0\0\x02\x02\x01\x05"]
        {
            assert!(renamed_imports(file, &mut names).is_err(), "{file:?}");
        }
    }

    #[test]
    fn words_are_counted_in_letters() {
        let words: Vec<_> = [0, 25, 26, 27, 701, 702].into_iter().map(letters).collect();
        assert_eq!(words, ["a", "z", "aa", "ab", "zz", "aaa"]);
    }
}
