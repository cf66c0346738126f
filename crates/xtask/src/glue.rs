//! Makes what connects the app with the browser smaller: wasm-bindgen's glue code and the names under which the wasm file
//! imports its functions.
//!
//! Each of 200 imports has a name like `__wbg_querySelector_4d0db17c671ea324`, in both files; the digits do not compress. They
//! only have to be the same on both sides, so each becomes a letter or two. Of the glue's text, remarks and indentation go.
//! Nothing else is touched: this is no minifier, which could misread the code.

use anyhow::{Context, Result, bail, ensure};
use std::{collections::HashMap, fs, path::Path};

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
        let Some(stem) = name.strip_suffix("_bg.wasm") else { continue };
        let script = folder.join(format!("{stem}.js"));
        let (wasm, glue) = pair(&fs::read(&path)?, &fs::read_to_string(&script)?)
            .with_context(|| format!("cannot shrink {name} and its glue"))?;
        fs::write(&path, wasm)?;
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

/// The section of a wasm file that has the imports.
const IMPORTS: u8 = 2;

/// The file with its imports under their short names.
fn renamed_imports(wasm: &[u8], names: &mut Names) -> Result<Vec<u8>> {
    let mut reader = Reader(wasm);
    let mut out = reader.take(8)?.to_vec();
    ensure!(out.starts_with(b"\0asm"), "no wasm file");
    while !reader.0.is_empty() {
        let id = reader.byte()?;
        let length = reader.number()?;
        let section = reader.take(length)?;
        out.push(id);
        if id == IMPORTS {
            push_bytes(&mut out, &renamed_section(section, names)?);
        } else {
            push_bytes(&mut out, section);
        }
    }
    Ok(out)
}

fn renamed_section(section: &[u8], names: &mut Names) -> Result<Vec<u8>> {
    let mut reader = Reader(section);
    let mut out = Vec::new();
    let count = reader.number()?;
    push_number(&mut out, count);
    for _ in 0..count {
        let module = reader.text()?;
        let name = reader.text()?;
        if reader.byte()? != 0 {
            bail!("{name} is imported and no function");
        }
        let kind = reader.number()?;
        push_bytes(&mut out, module.as_bytes());
        push_bytes(&mut out, names.short(name).as_bytes());
        out.push(0);
        push_number(&mut out, kind);
    }
    ensure!(reader.0.is_empty(), "more imports than the file says");
    Ok(out)
}

/// The rest of some bytes.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, length: usize) -> Result<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length).context("the file ends too soon")?;
        self.0 = rest;
        Ok(taken)
    }

    fn byte(&mut self) -> Result<u8> {
        self.take(1)?.first().copied().context("the file ends too soon")
    }

    /// LEB128, as all numbers in wasm.
    fn number(&mut self) -> Result<usize> {
        let (mut number, mut shift) = (0, 0);
        loop {
            let byte = self.byte()?;
            ensure!(shift < 32, "a number is too long");
            number |= usize::from(byte & 0x7f) << shift;
            shift += 7;
            if byte < 0x80 {
                return Ok(number);
            }
        }
    }

    fn text(&mut self) -> Result<&'a str> {
        let length = self.number()?;
        std::str::from_utf8(self.take(length)?).context("a name is no text")
    }
}

fn push_number(out: &mut Vec<u8>, mut number: usize) {
    while number >= 0x80 {
        out.push((number & 0x7f) as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

fn push_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    push_number(out, bytes.len());
    out.extend_from_slice(bytes);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A wasm file with these imports, and a section before and after.
    fn wasm(imports: &[&str]) -> Vec<u8> {
        let mut section = Vec::new();
        push_number(&mut section, imports.len());
        for name in imports {
            push_bytes(&mut section, b"./iris_bg.js");
            push_bytes(&mut section, name.as_bytes());
            section.extend([0, 3]);
        }
        let mut file = b"\0asm\x01\0\0\0\x01\x02ab\x02".to_vec();
        push_bytes(&mut file, &section);
        file.extend(b"\x0a\x03xyz");
        file
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
