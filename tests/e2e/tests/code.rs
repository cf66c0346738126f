//! A code block in the built app: its colours come from a module of its own, and change nothing else.

use e2e::adapter::Adapter;
use e2e::browser::{Browser, Screen};
use e2e::page::Page;
use serde_json::{Value, json};

/// What is coloured: for each kind, the texts of its ranges in the order of the page.
const COLOURED: &str = "const found = {};
for (const [name, highlight] of CSS.highlights) {
  for (const range of highlight) {
    (found[name] ??= []).push(range.startContainer.data.slice(range.startOffset, range.endOffset));
  }
  found[name]?.sort();
}
return Object.keys(found).length > 0 && found;";

/// The scripts that are no part of the first load, by their names without checksums.
const LOADED: &str = "return performance.getEntriesByType('resource').map((entry) => entry.name)
  .filter((name) => name.includes('/modules/')).map((name) => name.split('/modules/')[1].replace(/-[A-Z2-7]{8}/, ''));";

/// All code on the page, and what there is in it besides chunks and their text.
const CODE: &str =
    "return [[...document.querySelectorAll('.code code')].map((code) => code.textContent).join(''),
  document.querySelectorAll('.code .lines *').length,
  [...document.querySelectorAll('.code .lines')].filter((lines) => lines.childNodes.length !== 1).length];";

/// Looks at the beginning of each frame whether a whole line on the screen that begins with `let` is without its colour,
/// once the first one has had it. What is seen then is what was painted.
const WATCH: &str = "window.__plain = 0; window.__seen = 0;
const look = () => {
  const starts = new Map();
  for (const range of CSS.highlights.get('code-keyword') ?? []) {
    if (!starts.has(range.startContainer)) starts.set(range.startContainer, new Set());
    starts.get(range.startContainer).add(range.startOffset);
  }
  for (const lines of starts.size > 0 ? document.querySelectorAll('.code .lines') : []) {
    const text = lines.firstChild;
    for (let from = 0, to; (to = text.data.indexOf('\\n', from)) >= 0; from = to + 1) {
      if (!text.data.startsWith('let', from)) continue;
      const range = new Range();
      range.setStart(text, from);
      range.setEnd(text, from + 3);
      const { top, bottom } = range.getBoundingClientRect();
      if (bottom < 0 || top > innerHeight) continue;
      window.__seen += 1;
      if (!starts.get(text)?.has(from)) window.__plain += 1;
    }
  }
  requestAnimationFrame(look);
};
requestAnimationFrame(look);";

async fn open(adapter: &Adapter) -> anyhow::Result<Page> {
    let page = Page::open(Browser::chromium(Screen::Desktop).await?, &adapter.url()).await?;
    page.until_online().await?;
    Ok(page)
}

#[tokio::test]
async fn a_page_without_a_language_loads_no_module() -> anyhow::Result<()> {
    let adapter = Adapter::start(10.0).await?;
    let page = open(&adapter).await?;
    page.paste_and_send("Words, `code`, and a block without a language:\n\n```\nlet a;\n```").await?;
    page.until_quiet().await?;
    assert_eq!(page.script(LOADED, vec![]).await?, json!([]));
    page.assert_healthy(&adapter.url()).await?;
    page.browser.quit().await
}

#[tokio::test]
async fn the_first_language_brings_its_colours_and_the_text_stays_as_it_is() -> anyhow::Result<()> {
    let adapter = Adapter::start(10.0).await?;
    let page = open(&adapter).await?;
    page.paste_and_send("```rust\nlet a = \"b\"; // c\n```").await?;
    page.until_quiet().await?;
    let coloured = page.until("colours", COLOURED).await?;
    assert_eq!(
        coloured,
        json!({"code-keyword": ["let"], "code-string": ["\"b\""], "code-comment": ["// c"]})
    );
    let loaded = page.script(LOADED, vec![]).await?;
    let loaded: Vec<&str> = loaded.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    assert!(
        loaded.contains(&"highlight.js") && loaded.contains(&"highlight/rust_highlight_rules.js"),
        "{loaded:?}"
    );
    assert!(!loaded.iter().any(|name| name.contains("python")), "{loaded:?}");
    assert_eq!(page.script(CODE, vec![]).await?, json!(["let a = \"b\"; // c\n", 0, 0]));
    // What has left the page is let go.
    page.new_chat().await?;
    page.until(
        "no range to be left",
        "return [...CSS.highlights.values()].every((highlight) => highlight.size === 0)",
    )
    .await?;
    page.assert_healthy(&adapter.url()).await?;
    page.browser.quit().await
}

#[tokio::test]
async fn a_language_that_nobody_knows_stays_plain() -> anyhow::Result<()> {
    let adapter = Adapter::start(10.0).await?;
    let page = open(&adapter).await?;
    // Also one that the stream has cut off, and names that every object of JavaScript has.
    page.paste_and_send("```rus\nlet a;\n```\n\n```constructor\nlet a;\n```\n\n```__proto__\nlet a;\n```\n\n```js\nlet z;\n```")
        .await?;
    page.until_quiet().await?;
    assert_eq!(page.until("colours", COLOURED).await?, json!({"code-keyword": ["let"]}));
    page.assert_healthy(&adapter.url()).await?;
    page.browser.quit().await
}

#[tokio::test]
async fn code_is_coloured_in_the_frame_that_shows_it() -> anyhow::Result<()> {
    let adapter = Adapter::start(2.0).await?;
    let page = open(&adapter).await?;
    // The module is there before: its first download takes its time, and text does not wait for it.
    page.paste_and_send("```js\nlet first;\n```").await?;
    page.until_quiet().await?;
    page.until("colours", COLOURED).await?;
    page.script(WATCH, vec![]).await?;
    let code = "let a = `x\n  y ${b}` + 1; /* c\n d */\n".repeat(60);
    page.paste_and_send(&format!("```js\n{code}```")).await?;
    page.until_quiet().await?;
    let watched = page.script("return [window.__plain, window.__seen > 50]", vec![]).await?;
    assert_eq!(watched, json!([0, true]));
    page.browser.quit().await
}

#[tokio::test]
async fn a_long_block_has_ranges_only_where_it_is_seen() -> anyhow::Result<()> {
    let adapter = Adapter::start(50.0).await?;
    let page = open(&adapter).await?;
    let lines: String = (0..1000).map(|line| format!("let value_{line} = \"{line}\"; // {line}\n")).collect();
    page.paste_and_send(&format!("```js\n/* first */\n{lines}```")).await?;
    page.until_quiet().await?;
    let seen = "let ranges = 0; let last = false;
        for (const highlight of CSS.highlights.values()) for (const range of highlight) {
          ranges += 1; last ||= range.startContainer.data.slice(range.startOffset, range.endOffset) === arguments[0];
        }
        return last && ranges";
    let ranges = |text: &'static str| {
        let source = seen.replace("arguments[0]", &json!(text).to_string());
        let page = &page;
        async move { page.until(text, &source).await }
    };
    let at_the_end = ranges("// 999").await?;
    page.script("document.querySelector('.code').scrollIntoView()", vec![]).await?;
    let at_the_start = ranges("/* first */").await?;
    for count in [at_the_end, at_the_start] {
        assert!(count.as_u64().is_some_and(|count| count < 600), "{count}");
    }
    let lines_and_one = format!("/* first */\n{lines}");
    assert_eq!(page.script(CODE, vec![]).await?, json!([lines_and_one, 0, 0]));
    page.browser.quit().await
}

#[tokio::test]
async fn finished_blocks_are_not_touched_while_another_one_is_written() -> anyhow::Result<()> {
    let adapter = Adapter::start(10.0).await?;
    let page = open(&adapter).await?;
    let block = "```js\nlet a = 1;\n```\n\n";
    let long: String = (0..300).map(|line| format!("let b{line};\n")).collect();
    page.paste_and_send(&format!("{block}{block}```js\n{long}```")).await?;
    let watch = "const blocks = document.querySelectorAll('[data-row=answer] .code');
        if (blocks.length < 3 || !CSS.highlights.get('code-keyword')?.size) return false;
        window.__touched = 0;
        const observer = new MutationObserver((records) => { window.__touched += records.length; });
        for (const block of [blocks[0], blocks[1]]) {
          observer.observe(block, { subtree: true, childList: true, characterData: true, attributes: true });
        }
        return true";
    page.until("the third block to begin", watch).await?;
    page.until_quiet().await?;
    assert_eq!(page.script("return window.__touched", vec![]).await?, json!(0));
    page.browser.quit().await
}

#[tokio::test]
async fn what_looks_like_other_syntax_in_code_stays_code() -> anyhow::Result<()> {
    let adapter = Adapter::start(10.0).await?;
    let page = open(&adapter).await?;
    page.paste_and_send("```sh\npstree -p $$\necho '[^\\s]' $$ | cat\n```\n\nAfter[^\\s] $$.").await?;
    page.until_quiet().await?;
    page.until("colours", COLOURED).await?;
    assert_eq!(page.script(CODE, vec![]).await?, json!(["pstree -p $$\necho '[^\\s]' $$ | cat\n", 0, 0]));
    assert_eq!(page.count("[data-row=answer] .code").await?, 1);
    page.browser.quit().await
}

#[tokio::test]
async fn a_block_that_was_cut_off_gives_its_code() -> anyhow::Result<()> {
    let adapter = Adapter::start(1.0).await?;
    let browser = Browser::chromium(Screen::Phone).await?;
    browser.grant_clipboard(adapter.url().trim_end_matches('/')).await?;
    let page = Page::open(browser, &adapter.url()).await?;
    page.until_online().await?;
    let long: String = (0..200).map(|line| format!("print({line})\n")).collect();
    page.paste_and_send(&format!("text\n```py\n{long}```")).await?;
    page.until(
        "some code",
        "return document.querySelector('[data-row=answer] .lines')?.textContent.length > 30",
    )
    .await?;
    page.click("[data-action=stop]").await?;
    page.until_quiet().await?;
    page.paste_and_send("next").await?;
    page.until_quiet().await?;
    page.script("document.querySelector('.code').scrollIntoView()", vec![]).await?;
    page.click("[data-row=answer] .code [data-action=copy]").await?;
    let read =
        "return window.__clip ?? (navigator.clipboard.readText().then((t) => window.__clip = t), null)";
    let copied = page.until("the clipboard", read).await?;
    let shown = page
        .script("return document.querySelector('[data-row=answer] .code code').textContent", vec![])
        .await?;
    assert_eq!(copied, shown);
    assert!(
        shown.as_str().is_some_and(|shown| shown.len() < long.len() && long.starts_with(shown)),
        "{shown}"
    );
    page.browser.quit().await
}

#[tokio::test]
async fn long_lines_scroll_in_their_block_or_wrap_and_nothing_above_moves() -> anyhow::Result<()> {
    let adapter = Adapter::start(10.0).await?;
    let page = Page::open(Browser::chromium(Screen::Phone).await?, &adapter.url()).await?;
    page.until_online().await?;
    page.paste_and_send(&format!("```js\nlet a = \"{}\";\n```", "long ".repeat(60))).await?;
    page.until_quiet().await?;
    let places = "const block = document.querySelector('[data-row=answer] .code');
        const pre = block.querySelector('pre');
        return [pre.scrollWidth > pre.clientWidth, document.documentElement.scrollWidth <= innerWidth,
          block.querySelector('header').getBoundingClientRect().top];";
    let before = page.script(places, vec![]).await?;
    assert_eq!((&before[0], &before[1]), (&json!(true), &json!(true)));
    let reach = "return [...document.querySelectorAll('.code header button')].map((button) => {
        const { left, top, width, height } = button.getBoundingClientRect();
        const middle = left + width / 2;
        const hit = (y) => document.elementFromPoint(middle, y)?.closest('button') === button;
        return width >= 44 && hit(top + height / 2 - 21) && hit(top + height / 2 + 21);
      })";
    assert_eq!(page.script(reach, vec![]).await?, json!([true, true]), "44 px to the finger");
    page.script("document.querySelector('.code [data-action=wrap]').focus()", vec![]).await?;
    page.browser.driver.active_element().await?.send_keys(" ").await?;
    page.until(
        "the lines to wrap",
        "return document.querySelector('.code [data-action=wrap]').ariaPressed === 'true'",
    )
    .await?;
    let after = page.script(places, vec![]).await?;
    assert_eq!((&after[0], &after[1], &after[2]), (&json!(false), &json!(true), &before[2]));
    page.browser.quit().await
}
