//! Writes `.br` and `.gz` beside every file that gains from it, at the highest level: it happens once a build, and the
//! adapter then only has to send the file.

use anyhow::{Context, Result};
use brotli::enc::{BrotliEncoderParams, backward_references::BrotliEncoderMode};
use flate2::{Compression, write::GzEncoder};
use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    thread,
};

/// Pictures and fonts are compressed already.
const EXTENSIONS: [&str; 9] = ["css", "html", "js", "json", "map", "svg", "txt", "wasm", "webmanifest"];

/// Compresses the files below `root`.
pub(crate) fn folder(root: &Path) -> Result<()> {
    let mut files = Vec::new();
    collect(root, &mut files)?;
    thread::scope(|scope| {
        let workers: Vec<_> = files.iter().map(|path| scope.spawn(|| file(path))).collect();
        workers.into_iter().try_for_each(|worker| match worker.join() {
            Ok(result) => result,
            Err(_) => anyhow::bail!("compressing failed"),
        })
    })
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if is_compressible(&path) {
            files.push(path);
        }
    }
    Ok(())
}

fn is_compressible(path: &Path) -> bool {
    path.extension()
        .and_then(|extension| extension.to_str())
        .is_some_and(|extension| EXTENSIONS.contains(&extension))
}

fn file(path: &Path) -> Result<()> {
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    for (extension, packed) in [("br", brotli(&bytes)?), ("gz", gzip(&bytes)?)] {
        let target = with_suffix(path, extension);
        fs::write(&target, packed).with_context(|| format!("cannot write {}", target.display()))?;
    }
    Ok(())
}

/// `iris.js` and `br` make `iris.js.br`.
pub(crate) fn with_suffix(path: &Path, extension: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(extension);
    PathBuf::from(name)
}

/// From what of the bytes before it Brotli guesses a byte: its own choice is good for text, but for code the upper bits of
/// the last byte are.
const CONTEXTS: [BrotliEncoderMode; 2] =
    [BrotliEncoderMode::BROTLI_MODE_GENERIC, BrotliEncoderMode::BROTLI_FORCE_MSB_PRIOR];

/// The shortest of what Brotli makes of it.
fn brotli(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut shortest: Option<Vec<u8>> = None;
    for mode in CONTEXTS {
        let params = BrotliEncoderParams { quality: 11, lgwin: 22, mode, ..Default::default() };
        let mut writer = brotli::CompressorWriter::with_params(Vec::new(), 4096, &params);
        writer.write_all(bytes)?;
        let packed = writer.into_inner();
        if shortest.as_ref().is_none_or(|shortest| packed.len() < shortest.len()) {
            shortest = Some(packed);
        }
    }
    shortest.context("Brotli was not asked")
}

fn gzip(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut writer = GzEncoder::new(Vec::new(), Compression::best());
    writer.write_all(bytes)?;
    Ok(writer.finish()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    #[test]
    fn what_is_packed_unpacks_to_the_same() {
        let text = "let the text repeat, ".repeat(200).into_bytes();
        let mut unpacked = Vec::new();
        brotli::Decompressor::new(brotli(&text).unwrap().as_slice(), 4096)
            .read_to_end(&mut unpacked)
            .unwrap();
        assert_eq!(unpacked, text);
        unpacked.clear();
        flate2::read::GzDecoder::new(gzip(&text).unwrap().as_slice()).read_to_end(&mut unpacked).unwrap();
        assert_eq!(unpacked, text);
    }

    #[test]
    fn repetition_is_packed_away() {
        let text = "let the text repeat, ".repeat(200).into_bytes();
        assert!(brotli(&text).unwrap().len() < 100);
    }

    #[test]
    fn pictures_and_packed_files_are_left_alone() {
        for (name, expected) in
            [("a.wasm", true), ("a.js", true), ("icon.png", false), ("a.js.br", false), ("LICENSE", false)]
        {
            assert_eq!(is_compressible(Path::new(name)), expected, "{name}");
        }
    }
}
