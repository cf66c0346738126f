//! What can be handed to `hermes chat` of what is attached to a message: one picture, by its path. The rest cannot, and
//! that is said, not glossed over.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use crate::backend::{Said, SaidFile};

/// The types that Hermes takes with `--image`, which goes by the name's ending.
const TYPES: [(&str, &str); 4] =
    [("image/png", "png"), ("image/jpeg", "jpg"), ("image/gif", "gif"), ("image/webp", "webp")];

/// What becomes of a message's attachments.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Attached {
    /// The picture, under a name that Hermes takes.
    pub(super) image: Option<PathBuf>,
    /// What the user is told of the others.
    pub(super) warning: Option<String>,
}

/// Puts the first picture into the chat's folder; it stays there, for Hermes' session names it.
pub(super) fn attach(said: &Said, folder: &Path) -> Attached {
    let mut attached = Attached::default();
    let mut left: Vec<&str> = Vec::new();
    for file in &said.files {
        let ending = ending(file).filter(|_| attached.image.is_none());
        match ending.and_then(|ending| placed(file, &folder.join(name(said, ending))).ok()) {
            Some(path) => attached.image = Some(path),
            None => left.push(&file.name),
        }
    }
    attached.warning = (!left.is_empty()).then(|| warning(&left));
    attached
}

/// What is said to Hermes.
pub(super) fn prompt(said: &Said, attached: &Attached) -> String {
    match (said.text.trim().is_empty(), &attached.image) {
        // Hermes takes no empty prompt. These are its own words for a picture that comes without any.
        (true, Some(_)) => {
            let name = said.files.first().map_or("image", |file| file.name.as_str());
            format!("[User attached image: {name}]")
        }
        _ => said.text.clone(),
    }
}

fn ending(file: &SaidFile) -> Option<&'static str> {
    TYPES.iter().find(|(media_type, _)| *media_type == file.media_type).map(|(_, ending)| *ending)
}

fn name(said: &Said, ending: &str) -> String {
    format!("{}.{ending}", super::file_name(said.message_id.as_str()))
}

/// A second name for the file, or a copy where there can be none.
fn placed(file: &SaidFile, path: &Path) -> io::Result<PathBuf> {
    match fs::hard_link(&file.path, path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        Ok(()) => {}
        Err(_) => {
            fs::copy(&file.path, path)?;
        }
    }
    Ok(path.to_owned())
}

fn warning(left: &[&str]) -> String {
    format!(
        "The command line of Hermes takes one picture a message (PNG, JPEG, GIF or WebP) and nothing else. Not handed \
         on: {}.",
        left.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(folder: &Path, text: &str, files: &[(&str, &str)]) -> Said {
        let files = files.iter().map(|(name, media_type)| {
            let path = folder.join(name);
            fs::write(&path, name).unwrap();
            SaidFile { path, name: (*name).to_owned(), media_type: (*media_type).to_owned() }
        });
        Said { message_id: "u1/..".into(), text: text.to_owned(), files: files.collect(), ..Said::default() }
    }

    fn check(text: &str, files: &[(&str, &str)], image: Option<&str>, left: Option<&str>, prompt_is: &str) {
        let folder = tempfile::tempdir().unwrap();
        let said = said(folder.path(), text, files);
        let attached = attach(&said, folder.path());
        assert_eq!(attached.image.as_ref().map(|path| fs::read_to_string(path).unwrap()).as_deref(), image);
        let endings = attached.image.as_ref().and_then(|path| path.extension());
        assert_eq!(endings.is_some(), image.is_some());
        assert_eq!(
            attached.warning.as_ref().map(|warning| warning.contains(left.unwrap())),
            left.map(|_| true)
        );
        assert_eq!(prompt(&said, &attached), prompt_is);
        assert_eq!(attach(&said, folder.path()), attached, "a message that is said again");
    }

    #[test]
    fn one_picture_is_handed_on_and_the_rest_is_named() {
        check("look", &[], None, None, "look");
        check("look", &[("a", "image/png")], Some("a"), None, "look");
        check("", &[("a.jpeg", "image/jpeg")], Some("a.jpeg"), None, "[User attached image: a.jpeg]");
        check("x", &[("a.pdf", "application/pdf")], None, Some(": a.pdf."), "x");
        check(
            "x",
            &[("a.pdf", "application/pdf"), ("b", "image/webp"), ("c", "image/gif")],
            Some("b"),
            Some(": a.pdf, c."),
            "x",
        );
    }
}
