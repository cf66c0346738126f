//! The page that a chat is saved as, when everything in the chat was written by an attacker: opened as a file, with the network
//! off, it asks for nothing and runs nothing.

use std::fs;
use std::path::Path;

use e2e::adapter::{Adapter, Setup};
use e2e::browser::{Browser, Screen};
use e2e::hostile::{CANARY, VECTORS};
use e2e::page::Page;
use e2e::wait;
use serde_json::json;

/// What a page that is a file of its own could fall for, besides what a message in the app could.
const FILE_VECTORS: [&str; 12] = [
    "<base href=\"https://canary.invalid/base/\">",
    "<meta http-equiv=\"refresh\" content=\"0;url=https://canary.invalid/refresh\">",
    "<link rel=\"stylesheet\" href=\"https://canary.invalid/style.css\">",
    "<link rel=\"icon\" href=\"https://canary.invalid/icon\"><link rel=\"dns-prefetch\" href=\"//canary.invalid\">",
    "<style>@import url(https://canary.invalid/import); body { background: url(https://canary.invalid/css) }</style>",
    "</style><script src=\"https://canary.invalid/script.js\"></script>",
    "</title></head><body onload=\"window.__pwned=1\"><img src=\"https://canary.invalid/image\">",
    "</pre></code></details></article></main><iframe src=\"https://canary.invalid/frame\"></iframe>",
    "<object data=\"https://canary.invalid/object\"></object><embed src=\"https://canary.invalid/embed\">",
    "<audio autoplay src=\"https://canary.invalid/audio\"></audio><input type=image src=\"https://canary.invalid/input\">",
    "--><script>window.__pwned=1; fetch('https://canary.invalid/fetch')</script><!--",
    "]]><script type=module>import 'https://canary.invalid/module'</script>",
];

fn everything() -> String {
    let vectors = VECTORS.iter().map(|(_, vector)| *vector);
    vectors.chain(FILE_VECTORS).collect::<Vec<_>>().join("\n\n")
}

/// The lines of a Hermes that says nothing else: in its text, in a tool's name, arguments and output, in its error.
fn lines(hostile: &str) -> String {
    let tool = |name: &str, failed: bool| {
        [
            json!({"type": "tool_use", "name": name, "input": {"command": hostile, hostile: 1}, "timestamp": 3}),
            json!({"type": "tool_result", "name": name, "output": hostile, "duration_ms": 5, "is_error": failed, "timestamp": 4}),
        ]
    };
    let begin = [
        json!({"type": "system", "subtype": "init", "model": hostile, "session_id": "s1", "timestamp": 1}),
        json!({"type": "text", "text": hostile, "timestamp": 2}),
    ];
    let failed = format!("It failed: {hostile}");
    let end = [
        json!({"type": "text", "text": format!("\n\n```{hostile}"), "timestamp": 5}),
        json!({"type": "result", "session_id": "s1", "exit_code": 1, "text": failed, "error": failed, "duration_ms": 5}),
    ];
    let all = begin.into_iter().chain(tool("terminal", false)).chain(tool(hostile, true)).chain(end);
    all.map(|line| format!("{line}\n")).collect()
}

/// An adapter whose Hermes prints these lines each turn.
async fn hermes_that_says(folder: &Path, lines: &str) -> anyhow::Result<Adapter> {
    let (said, scene) = (folder.join("said.jsonl"), folder.join("scene"));
    fs::write(&said, lines)?;
    fs::write(&scene, format!("cat '{}'; exit 1", said.display()))?;
    let hermes = e2e::workspace().join("crates/adapter/tests/cli/hermes.sh").canonicalize()?;
    let words = ["--backend", "cli", "--hermes-arg", "--scene", "--hermes-arg"].map(Into::into);
    let paths = [scene.into(), "--hermes".into(), hermes.into(), "--workdir".into(), folder.into()];
    Adapter::start_with(Setup { arguments: words.into_iter().chain(paths).collect(), ..Setup::default() })
        .await
}

/// Opens a file of this machine without a network, and everything that can be opened in it; what it asked for.
async fn open_offline(page: &Page, file: &Path) -> anyhow::Result<Vec<String>> {
    page.browser.offline(true).await?;
    page.browser.requests().await?;
    page.browser.driver.goto(format!("file://{}", file.display())).await?;
    page.until("the page", "return document.readyState === 'complete'").await?;
    // What is laid out late is asked for late; two frames are one that was drawn.
    let open = "for (const one of document.querySelectorAll('details')) one.open = true;\
        scrollTo(0, document.documentElement.scrollHeight);\
        requestAnimationFrame(() => requestAnimationFrame(() => { window.__drawn = true }))";
    page.script(open, vec![]).await?;
    page.until("a frame", "return window.__drawn").await?;
    page.browser.requests().await
}

/// Opens what can be done with the chat on screen.
async fn menu(page: &Page) -> anyhow::Result<()> {
    page.click("[data-chat][aria-current] + [data-action=chat-menu]").await?;
    page.until("the menu", "return !!document.querySelector('[data-action=export-chat]')").await?;
    Ok(())
}

#[tokio::test]
async fn a_page_that_is_saved_of_a_hostile_chat_asks_for_nothing_and_runs_nothing() -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let hostile = everything();
    let adapter = hermes_that_says(folder.path(), &lines(&hostile)).await?;
    let page = Page::open(Browser::chromium(Screen::Desktop).await?, &adapter.url()).await?;
    page.until_online().await?;
    let into = json!({ "behavior": "allow", "downloadPath": folder.path().to_string_lossy() });
    page.browser.cdp("Browser.setDownloadBehavior", into).await?;
    page.paste_and_send(&hostile).await?;
    page.until_quiet().await?;
    let title = FILE_VECTORS.concat().chars().take(200).collect::<String>();
    let renamed = "const field = document.querySelector('.chat-input'); field.value = arguments[0];\
        field.form.requestSubmit()";
    menu(&page).await?;
    page.click("[data-action=rename-chat]").await?;
    page.until("the field", "return !!document.querySelector('.chat-input')").await?;
    page.script(renamed, vec![json!(title)]).await?;
    page.until("the title", "return document.querySelector('.top-title')?.innerText.startsWith('<base')")
        .await?;
    menu(&page).await?;
    page.click("[data-action=export-chat]").await?;
    page.until("the sheet", "return !!document.querySelector('.desk-sheet .export')").await?;
    page.assert_inert().await?;
    page.click("[data-export=html]").await?;
    let name = page.until("the file", "return document.querySelector('[data-saved]')?.dataset.saved").await?;
    let file = folder.path().join(name.as_str().unwrap_or_default());
    wait::until("the file on disk", || async { Ok(file.is_file().then_some(())) }).await?;
    page.assert_healthy(&adapter.url()).await?;
    drop(adapter);

    // The same words as a page: the browser does ask, and it is seen.
    let control = folder.path().join("control.html");
    fs::write(&control, format!("<!DOCTYPE html><title>x</title><body>{hostile}"))?;
    let asked = open_offline(&page, &control).await?;
    assert!(asked.iter().any(|url| url.contains(CANARY)), "the control was not hostile: {asked:?}");

    let asked = open_offline(&page, &file).await?;
    assert_eq!(asked, [format!("file://{}", file.display())], "nothing but the file itself");
    let found = page.script(FOUND, vec![]).await?;
    assert_eq!(found["wrong"], json!([]), "{found}");
    assert_eq!(found["where"], json!(asked[0]), "it is still there");
    let text = found["text"].as_str().unwrap_or_default();
    for said in
        ["<script>window.__pwned=1</script>", "http-equiv=\"refresh\"", "@import url(https://canary.invalid"]
    {
        assert!(text.contains(said), "{said:?} is left out");
    }
    let counts = [("user", 1), ("answer", 2), ("tool", 1), ("tool failed", 1), ("notice error", 1)];
    for (class, count) in counts {
        assert_eq!(found["rows"][class], json!(count), "{class}: {}", found["rows"]);
    }
    page.browser.quit().await
}

/// What the file became, and what a hostile string may not bring about.
const FOUND: &str = "const wrong = [...(window.__health ?? [])];\
    if (window.__pwned !== undefined) wrong.push('a script ran');\
    if (document.scripts.length || document.styleSheets.length !== 1) wrong.push('scripts or styles');\
    const known = 'HTML HEAD META TITLE STYLE BODY HEADER H1 H2 H3 H4 H5 H6 P MAIN ARTICLE DETAILS SUMMARY PRE CODE A FOOTER \
    BR HR EM STRONG S BLOCKQUOTE UL OL LI DIV TABLE TBODY TR TH TD SUP SECTION'.split(/ +/);\
    for (const e of document.querySelectorAll('*')) {\
      if (!known.includes(e.tagName)) wrong.push('element ' + e.tagName);\
      for (const { name, value } of e.attributes) {\
        if (!/^(lang|charset|http-equiv|content|name|class|aria-label|href|rel|title|start|open)$/.test(name)) wrong.push(name);\
        if (name === 'href' && (e.tagName !== 'A' || !/^(https?:|mailto:|tel:)/i.test(value))) wrong.push('href ' + value);\
      }\
    }\
    const rows = {};\
    for (const e of document.querySelectorAll('main > *')) rows[e.className] = (rows[e.className] ?? 0) + 1;\
    return { wrong: [...new Set(wrong)], where: location.href, text: document.body.innerText, rows }";
