//! What the first load transfers: the page and everything it names, at the size in which the adapter serves it; and what may
//! follow when it is needed. Fails above a limit, so that no change makes the app heavy unnoticed.

use crate::{compress::with_suffix, split::PART};
use anyhow::{Context, Result, bail};
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

/// Bytes, compressed: a phone on a slow line loads this in about two seconds. What a chat does not need at once follows as the
/// app's second part: what is to be added needs a place there, or something else moved there.
const LIMIT: u64 = 300_000;
/// Bytes, compressed, of the second part. It is fetched when the chat is there, and must not be in the way of an answer.
const SECOND_LIMIT: u64 = 50_000;

/// Bytes, compressed, of all the modules that are loaded when needed. Nobody needs them all.
const MODULES_LIMIT: u64 = 300_000;
/// Where they are below `dist`.
const MODULES: &str = "modules";

/// Bytes, compressed, of the page's second program, which comes when somebody opens a recorded run, the doctor or an export:
/// seldom, and when the chat is already there.
const DESK_LIMIT: u64 = 355_000;
/// Its script below `MODULES`, and the folder of what that loads.
const DESK: &str = "desk";

/// Prints the tables for `dist`, and fails above a limit.
pub(crate) fn report(dist: &Path) -> Result<()> {
    report_first_load(dist)?;
    println!();
    report_second_part(dist)?;
    println!();
    report_modules(dist)?;
    println!();
    report_desk(dist)
}

fn report_first_load(dist: &Path) -> Result<()> {
    println!("{:>10} {:>11}  First load", "raw", "transferred");
    let mut total = 0;
    for name in first_load(dist)? {
        let (raw, sent) = measure(&dist.join(&name))?;
        total += sent;
        println!("{raw:>10} {sent:>11}  {name}");
    }
    println!("{:>10} {total:>11}  of {LIMIT} allowed", "");
    if total > LIMIT {
        bail!("the first load transfers {total} bytes, more than {LIMIT}: see what grew, or load it later");
    }
    Ok(())
}

/// What the glue fetches by itself once the chat is there.
fn report_second_part(dist: &Path) -> Result<()> {
    println!("{:>10} {:>11}  The app's second part, after the first load", "raw", "transferred");
    let mut total = 0;
    for part in files(dist, "wasm")?.into_iter().filter(|path| is_second_part(path)) {
        let (raw, sent) = measure(&part)?;
        println!("{raw:>10} {sent:>11}  {}", part.strip_prefix(dist).unwrap_or(&part).display());
        total += sent;
    }
    println!("{:>10} {total:>11}  of {SECOND_LIMIT} allowed", "");
    if total > SECOND_LIMIT {
        bail!("the second part transfers {total} bytes, more than {SECOND_LIMIT}: see what grew");
    }
    Ok(())
}

fn is_second_part(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().ends_with(PART))
}

/// A line for each module, and one for the parts of it that it loads one by one.
fn report_modules(dist: &Path) -> Result<()> {
    println!("{:>10} {:>11}  Loaded when needed", "raw", "transferred");
    let mut total = 0;
    let is_desk = |script: &PathBuf| script.file_stem().is_some_and(|name| name == DESK);
    for script in scripts(&dist.join(MODULES))?.into_iter().filter(|script| !is_desk(script)) {
        let name = script.file_stem().unwrap_or_default().display();
        let (raw, sent) = measure(&script)?;
        println!("{raw:>10} {sent:>11}  {MODULES}/{name}.js");
        total += sent;
        let folder = script.with_extension("");
        if folder.is_dir() {
            let parts = [scripts(&folder)?, files(&folder, "woff2")?].concat();
            let parts = parts.iter().map(|part| measure(part)).collect::<Result<Vec<_>>>()?;
            let (raw, sent) = parts.iter().fold((0, 0), |sum, part| (sum.0 + part.0, sum.1 + part.1));
            let largest = parts.iter().map(|part| part.1).max().unwrap_or_default();
            println!("{raw:>10} {sent:>11}  {MODULES}/{name}/: {} parts, the largest {largest}", parts.len());
            total += sent;
        }
    }
    println!("{:>10} {total:>11}  of {MODULES_LIMIT} allowed", "");
    if total > MODULES_LIMIT {
        bail!("the modules transfer {total} bytes, more than {MODULES_LIMIT}: see what grew");
    }
    Ok(())
}

/// The second program: its script, and its WebAssembly.
fn report_desk(dist: &Path) -> Result<()> {
    println!("{:>10} {:>11}  The desk, loaded when asked for", "raw", "transferred");
    let modules = dist.join(MODULES);
    let mut total = 0;
    for file in [vec![modules.join(DESK).with_extension("js")], files(&modules.join(DESK), "wasm")?].concat()
    {
        let (raw, sent) = measure(&file)?;
        println!("{raw:>10} {sent:>11}  {}", file.strip_prefix(dist).unwrap_or(&file).display());
        total += sent;
    }
    println!("{:>10} {total:>11}  of {DESK_LIMIT} allowed", "");
    if total > DESK_LIMIT {
        bail!("the desk transfers {total} bytes, more than {DESK_LIMIT}: see what grew");
    }
    Ok(())
}

/// The scripts in a folder, by name.
fn scripts(folder: &Path) -> Result<Vec<PathBuf>> {
    files(folder, "js")
}

/// The files in a folder with this ending, by name.
fn files(folder: &Path, ending: &str) -> Result<Vec<PathBuf>> {
    let files = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let paths = files.map(|file| Ok(file?.path())).collect::<Result<Vec<_>>>()?;
    let has_ending = |path: &PathBuf| path.extension().is_some_and(|extension| extension == ending);
    let mut found: Vec<_> = paths.into_iter().filter(has_ending).collect();
    found.sort();
    Ok(found)
}

/// The size on the disk, and of what goes over the wire: the Brotli form, where there is one.
fn measure(path: &Path) -> Result<(u64, u64)> {
    let length = |path: PathBuf| fs::metadata(path).map(|data| data.len());
    let raw = length(path.to_path_buf())
        .with_context(|| format!("the page names {}, which is missing", path.display()))?;
    Ok((raw, length(with_suffix(path, "br")).unwrap_or(raw)))
}

/// The page, what it names, and the snippets that wasm-bindgen's glue imports.
fn first_load(dist: &Path) -> Result<BTreeSet<String>> {
    let page = dist.join("index.html");
    let html = fs::read_to_string(&page).with_context(|| format!("cannot read {}", page.display()))?;
    let mut names = named_in(&html);
    names.insert("index.html".into());
    let glue: Vec<_> = names.iter().filter(|name| name.ends_with(".js")).cloned().collect();
    for name in glue {
        let text = fs::read_to_string(dist.join(&name)).with_context(|| format!("cannot read {name}"))?;
        names.extend(imported_in(&text));
    }
    Ok(names)
}

/// Links a browser follows by itself, without a click and before the page is idle.
const LOADED: [&str; 6] = ["stylesheet", "modulepreload", "preload", "icon", "manifest", "script"];

/// The files of our own that the page's `link` and `script` tags load.
fn named_in(html: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for tag in tags(html) {
        let loads = match tag.split([' ', '\n']).next() {
            Some("script") => true,
            Some("link") => {
                attribute(tag, "rel").is_some_and(|rel| rel.split(' ').any(|word| LOADED.contains(&word)))
            }
            _ => false,
        };
        if loads {
            let values =
                ["href", "src", "data-js", "data-wasm"].into_iter().filter_map(|name| attribute(tag, name));
            names.extend(values.filter_map(own_file));
        }
    }
    names
}

/// The inside of every tag outside of comments.
fn tags(html: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = html;
    while let Some((_, after)) = rest.split_once('<') {
        let (comment, end) = if after.starts_with("!--") { (true, "-->") } else { (false, ">") };
        let Some((tag, next)) = after.split_once(end) else { return found };
        if !comment {
            found.push(tag);
        }
        rest = next;
    }
    found
}

/// The value of an attribute, quoted or not.
fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let mut rest = tag;
    loop {
        let (before, after) = rest.split_once(name)?;
        let starts_word = before.ends_with(|c: char| c.is_ascii_whitespace());
        if let Some(value) = after.strip_prefix('=').filter(|_| starts_word) {
            return match value.chars().next()? {
                quote @ ('"' | '\'') => value.trim_start_matches(quote).split(quote).next(),
                _ => value.split(|c: char| c.is_ascii_whitespace()).next(),
            };
        }
        rest = after;
    }
}

/// The path below `dist`, or nothing for data and for other hosts.
fn own_file(url: &str) -> Option<String> {
    let foreign = url.starts_with("//") || url.contains(':');
    let path = url.split(['?', '#']).next()?.trim_start_matches("./").trim_start_matches('/');
    (!foreign && !path.is_empty()).then(|| path.to_owned())
}

/// The modules beside the glue that it imports (wasm-bindgen's snippets), and the worker that the first script starts. What
/// it may start later is below `MODULES`.
fn imported_in(script: &str) -> BTreeSet<String> {
    let imports = script.lines().filter(|line| line.trim_start().starts_with("import "));
    let quoted = imports.filter_map(|line| line.split(['"', '\'']).nth(1));
    let modules = quoted.filter(|url| url.starts_with("./") || url.starts_with('/'));
    let workers = script.split("new URL(\"").skip(1).filter_map(|rest| rest.split('"').next());
    modules.chain(workers.filter(|url| is_started(url))).filter_map(own_file).collect()
}

fn is_started(url: &str) -> bool {
    url.ends_with(".js") && !url.starts_with(MODULES)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(html: &str, expected: &[&str]) {
        let expected: BTreeSet<String> = expected.iter().map(|name| (*name).to_owned()).collect();
        assert_eq!(named_in(html), expected, "{html}");
    }

    #[test]
    fn the_page_that_trunk_writes_names_glue_wasm_and_style() {
        check(
            r#"<html><head><script src="/boot.js" data-js="/iris-1.js" data-wasm="/iris-1_bg.wasm"></script>
               <link rel="stylesheet" href="/iris-2.css"/>
               <link rel="modulepreload" href="/iris-1.js"><link rel="preload" href="/iris-1_bg.wasm" as="fetch">
               <link rel="icon" href="/icon.svg"><link rel="manifest" href="/app.webmanifest"></head></html>"#,
            &["app.webmanifest", "boot.js", "icon.svg", "iris-1.js", "iris-1_bg.wasm", "iris-2.css"],
        );
    }

    #[test]
    fn what_is_not_loaded_does_not_count() {
        check(
            r#"<!-- <script src="/old.js"></script> --><a href="/page.html">x</a><link rel="author" href="/me">"#,
            &[],
        );
        check(r#"<script src="//cdn.example/x.js"></script><link rel="icon" href="data:,">"#, &[]);
    }

    #[test]
    fn attributes_are_read_with_and_without_quotes() {
        assert_eq!(attribute(r#"script src="/a.js" defer"#, "src"), Some("/a.js"));
        assert_eq!(attribute("script src='/a.js'", "src"), Some("/a.js"));
        assert_eq!(attribute("script src=/a.js defer", "src"), Some("/a.js"));
        assert_eq!(attribute(r#"script data-src="/b.js" src="/a.js""#, "src"), Some("/a.js"));
        assert_eq!(attribute("script defer", "src"), None);
        assert_eq!(attribute("script src=", "src"), None);
    }

    #[test]
    fn snippets_count_and_the_words_in_the_code_do_not() {
        let script = "import { a } from './snippets/leptos-1/a.js';\nconst text = \"import nothing\";\nimport x from \"module\";\n";
        assert_eq!(imported_in(script), BTreeSet::from(["snippets/leptos-1/a.js".to_owned()]));
        let script = "const WORKER = new URL(\"worker.js\", location.href).href;\nnew URL(\"pair\", here);\nnew URL(\"modules/desk.js\", here);";
        assert_eq!(imported_in(script), BTreeSet::from(["worker.js".to_owned()]));
    }

    #[test]
    fn modules_and_their_parts_count_at_the_size_that_is_sent() {
        let dist = std::env::temp_dir().join(format!("iris-size-{}", std::process::id()));
        let _ = fs::remove_dir_all(&dist);
        let folder = dist.join(MODULES);
        fs::create_dir_all(folder.join("a")).unwrap();
        let put = |name: &str, length: u64| {
            fs::write(folder.join(name), vec![b'x'; usize::try_from(length).unwrap()]).unwrap();
        };
        put("a.js", 2 * MODULES_LIMIT);
        put("a.js.br", MODULES_LIMIT - 30);
        put("LICENSES.txt", MODULES_LIMIT);
        put("a/one-7QZ2AB4C.js", 20);
        report_modules(&dist).unwrap();
        put("a/two-7QZ2AB4C.js", 11);
        let error = report_modules(&dist).unwrap_err().to_string();
        let over = format!("the modules transfer {} bytes", MODULES_LIMIT + 1);
        assert!(error.contains(&over), "{error}");
        fs::remove_file(folder.join("a/two-7QZ2AB4C.js")).unwrap();
        fs::create_dir_all(folder.join(DESK)).unwrap();
        put("desk.js", 11);
        put("desk/desk_bg-7QZ2AB4C.wasm", DESK_LIMIT);
        report_modules(&dist).unwrap();
        let error = report_desk(&dist).unwrap_err().to_string();
        let over = format!("the desk transfers {} bytes", DESK_LIMIT + 11);
        assert!(error.contains(&over), "{error}");
        fs::remove_dir_all(&dist).unwrap();
    }

    #[test]
    fn the_second_part_counts_by_itself() {
        let dist = std::env::temp_dir().join(format!("iris-second-{}", std::process::id()));
        let _ = fs::remove_dir_all(&dist);
        fs::create_dir_all(&dist).unwrap();
        let put = |name: &str, length: u64| {
            fs::write(dist.join(name), vec![b'x'; usize::try_from(length).unwrap()]).unwrap();
        };
        put("iris-1_bg.wasm", 2 * SECOND_LIMIT);
        put("iris-1_later.wasm", 2 * SECOND_LIMIT);
        put("iris-1_later.wasm.br", SECOND_LIMIT);
        report_second_part(&dist).unwrap();
        put("iris-1_later.wasm.br", SECOND_LIMIT + 1);
        let error = report_second_part(&dist).unwrap_err().to_string();
        assert!(error.contains(&format!("transfers {} bytes", SECOND_LIMIT + 1)), "{error}");
        fs::remove_dir_all(&dist).unwrap();
    }

    #[test]
    fn a_query_is_not_part_of_the_file() {
        assert_eq!(own_file("/a.js?v=1#x").as_deref(), Some("a.js"));
        assert_eq!(own_file("./a.js").as_deref(), Some("a.js"));
        assert_eq!(own_file("/"), None);
    }
}
