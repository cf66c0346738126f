//! The backend `gateway`: the plugin inside the real gateway. Seen by a browser, by a device without a screen, and by
//! Hermes' own memory.

use std::fs;

use e2e::{
    browser::{Browser, Screen},
    page::Page,
};
use hermes_lab::{
    Client, Lab, client,
    lab::Home,
    product::Gateway,
    store,
    transcript::{device_agrees, screen_agrees},
};
use iris_core::{
    ids::ChatId,
    protocol::frame::SendMode,
    timeline::{Timeline, ToolState},
};

/// A lab with everything that a test of the gateway looks at.
struct Stage {
    lab: Lab,
    product: Gateway,
    page: Page,
    device: Client,
    chat: ChatId,
}

impl Stage {
    async fn set() -> anyhow::Result<Self> {
        Self::set_in(Home::Gateway).await
    }

    async fn set_in(home: Home) -> anyhow::Result<Self> {
        let lab = Lab::start().await?;
        let product = Gateway::start(&lab, home).await?;
        let mut device = product.client().await?;
        device.until_backend_is_well().await?;
        let chat = device.first_chat()?;
        device.subscribe(&chat).await?;
        let page = Page::open(Browser::chromium(Screen::Desktop).await?, &product.adapter.url()).await?;
        page.until_online().await?;
        Ok(Self { lab, product, page, device, chat })
    }

    /// Waits until nothing runs, here and there.
    async fn until_quiet(&mut self) -> anyhow::Result<()> {
        self.device.until_quiet(&self.chat).await?;
        self.page.until_quiet().await
    }

    /// What Hermes remembers of the chat.
    fn memory(&self) -> anyhow::Result<Vec<store::Message>> {
        self.product.memory(&self.chat)
    }

    /// Screen and device show what Hermes remembers; nothing went wrong on the page.
    async fn close(self) -> anyhow::Result<()> {
        let memory = self.memory()?;
        device_agrees(self.device.items(&self.chat), &memory)?;
        screen_agrees(&self.page.transcript().await?, &memory)?;
        self.page.assert_healthy(&self.product.adapter.url()).await?;
        self.page.browser.quit().await?;
        self.lab.done();
        Ok(())
    }
}

#[tokio::test]
async fn reasoning_is_live_and_of_three_tools_one_fails() -> anyhow::Result<()> {
    let mut stage = Stage::set_in(Home::LateText).await?;
    stage.page.send("@@tools:g Look around").await?;
    stage.lab.provider.allow("g", 1).await?;
    let live = "return !!document.querySelector('[data-action=stop]')
        && document.querySelector('[data-reasoning]')?.textContent.includes('First list the files.')";
    stage.page.until("reasoning before any answer", live).await?;
    stage.lab.provider.open("g").await?;
    stage.until_quiet().await?;

    let items = stage.device.items(&stage.chat);
    let tools: Vec<_> = client::tools(items).iter().map(|tool| (tool.name.as_str(), tool.state)).collect();
    let ok = |state: &ToolState| match state {
        ToolState::Done { ok, duration } => (*ok, duration.is_some()),
        _ => (None, false),
    };
    let states: Vec<_> = tools.iter().map(|(name, state)| (*name, ok(state))).collect();
    assert_eq!(
        states,
        [
            ("terminal", (Some(true), true)),
            ("terminal", (Some(false), true)),
            ("read_file", (Some(true), true)),
        ]
    );
    let last = client::answers(items).last().copied().cloned().expect("an answer");
    assert!(last.footer.model.is_some() && last.footer.tokens.is_some(), "{:?}", last.footer);
    let thoughts: Vec<_> = stage
        .memory()?
        .into_iter()
        .filter_map(|message| match message {
            store::Message::Assistant { reasoning, .. } => reasoning,
            _ => None,
        })
        .collect();
    let shown: String = stage.page.transcript().await?.into_iter().filter_map(|row| row.reasoning).collect();
    for thought in &thoughts {
        let lines = thought.lines().all(|line| shown.contains(line.trim()));
        assert!(lines, "Hermes thought {thought:?}, the screen shows {shown:?}");
    }
    assert_eq!(thoughts.len(), 3, "{thoughts:?}");
    stage.close().await
}

#[tokio::test]
async fn a_command_runs_when_it_is_approved_and_not_when_it_is_denied() -> anyhow::Result<()> {
    let mut stage = Stage::set_in(Home::LateText).await?;
    let folder = stage.lab.project().join("build-output");
    for (choice, stays, times) in [("deny", true, 1), ("once", false, 2)] {
        fs::create_dir_all(&folder)?;
        stage.page.send("@@approve Clean up").await?;
        let button = format!("[data-choice={choice}]:not([disabled])");
        stage.page.until("the question", &format!("return !!document.querySelector('{button}')")).await?;
        assert!(folder.exists(), "nothing runs before the answer");
        stage.page.click(&button).await?;
        stage
            .device
            .until(&stage.chat, "the answer", &|timeline| client::user_texts(timeline.items()).len() == times)
            .await?;
        stage.until_quiet().await?;
        assert_eq!(folder.exists(), stays, "{choice}");
    }
    let asks = stage.page.transcript().await?.into_iter().filter(|row| row.kind == "ask").count();
    assert_eq!(asks, 2);
    stage.close().await
}

#[tokio::test]
async fn a_question_is_answered_by_its_button() -> anyhow::Result<()> {
    let mut stage = Stage::set().await?;
    stage.page.send("@@clarify Build it").await?;
    let press = "const b = [...document.querySelectorAll('[data-choice]:not([disabled])')].find((b) => b.innerText.includes('release'));
        b?.click(); return !!b";
    stage.page.until("the choice", press).await?;
    stage.until_quiet().await?;
    let items = stage.device.items(&stage.chat);
    let last = client::answers(items).last().copied().cloned().expect("an answer");
    assert_eq!(last.text.trim(), "You chose release.");
    assert_eq!(client::user_texts(items).len(), 1, "an answer to a question is no message");
    stage.close().await
}

#[tokio::test]
async fn what_is_said_meanwhile_is_answered_afterwards() -> anyhow::Result<()> {
    let mut stage = Stage::set().await?;
    stage.page.send("@@ticks9:g Count").await?;
    stage.lab.provider.allow("g", 6).await?;
    stage.device.until(&stage.chat, "the beginning of the answer", &begun).await?;
    let queue = Some(SendMode::Queue);
    stage.device.say_with(&stage.chat, "@@plain And then greet", queue, Vec::new()).await?;
    stage
        .page
        .until("the second message", "return document.querySelectorAll('[data-row=user]').length === 2")
        .await?;
    stage.lab.provider.open("g").await?;
    stage
        .device
        .until(&stage.chat, "both answers", &|timeline| client::answers(timeline.items()).len() == 2)
        .await?;
    stage.until_quiet().await?;
    let texts: Vec<_> = client::answers(stage.device.items(&stage.chat))
        .iter()
        .map(|answer| answer.text.trim().to_owned())
        .collect();
    assert_eq!(texts, ["1 2 3 4 5 6 7 8 9", "ola"]);
    stage.close().await
}

#[tokio::test]
async fn what_is_told_to_a_running_turn_reaches_the_model() -> anyhow::Result<()> {
    let mut stage = Stage::set().await?;
    let flag = stage.lab.path().join("flag");
    stage.page.send(&format!("@@wait {}", flag.display())).await?;
    stage.page.until("a running tool", "return !!document.querySelector('[data-state=running]')").await?;
    let steer = Some(SendMode::Steer);
    stage.device.say_with(&stage.chat, "mind the gap", steer, Vec::new()).await?;
    let told =
        |timeline: &Timeline| client::notices(timeline.items()).iter().any(|notice| notice.code == "steered");
    stage.device.until(&stage.chat, "a word about it", &told).await?;
    fs::write(&flag, "")?;
    stage.until_quiet().await?;
    let asked = stage.lab.provider.asked().await?;
    let last = asked.iter().rfind(|asked| asked.tools).expect("a turn");
    assert_eq!((last.scenario.as_str(), last.step), ("wait", 1));
    assert!(last.last.contains("mind the gap"), "{last:?}");
    stage.page.assert_healthy(&stage.product.adapter.url()).await?;
    stage.page.browser.quit().await?;
    stage.lab.done();
    Ok(())
}

/// Some of the counting is there. An answer without text would stand below what is said next, and Hermes remembers it above.
fn begun(timeline: &Timeline) -> bool {
    client::answers(timeline.items()).first().is_some_and(|answer| answer.text.starts_with("1 2 3"))
}

#[tokio::test]
async fn a_turn_that_is_interrupted_goes_on_with_the_new_message() -> anyhow::Result<()> {
    let mut stage = Stage::set().await?;
    stage.page.send("@@ticks9:g Count").await?;
    stage.lab.provider.allow("g", 6).await?;
    stage.device.until(&stage.chat, "the beginning of the answer", &begun).await?;
    let interrupt = Some(SendMode::Interrupt);
    stage.device.say_with(&stage.chat, "@@plain Greet instead", interrupt, Vec::new()).await?;
    let greeted = |timeline: &Timeline| {
        client::answers(timeline.items()).last().is_some_and(|answer| answer.text.trim() == "ola")
    };
    stage.device.until(&stage.chat, "the other answer", &greeted).await?;
    stage.until_quiet().await?;
    let items = stage.device.items(&stage.chat);
    assert_eq!(client::user_texts(items), ["@@ticks9:g Count", "@@plain Greet instead"]);
    let last = client::answers(items).last().map(|answer| answer.reasoning.clone());
    assert_eq!(last.as_deref(), Some("A short greeting is enough."));
    assert!(
        client::answers(items).first().is_some_and(|answer| answer.text.starts_with("1 2 3")),
        "{items:#?}"
    );
    stage.close().await
}

#[tokio::test]
async fn stop_ends_a_turn_and_the_next_one_goes_on() -> anyhow::Result<()> {
    let mut stage = Stage::set().await?;
    stage.page.send("@@ticks:g Count").await?;
    stage.lab.provider.allow("g", 5).await?;
    let five = "return document.querySelector('[data-row=answer] [data-text]')?.innerText.trim().startsWith('1 2 3')";
    stage.page.until("some of the text", five).await?;
    stage.page.send("/stop").await?;
    stage
        .device
        .until(&stage.chat, "the stop", &|timeline| {
            client::answers(timeline.items()).iter().any(|answer| answer.cut.is_some())
        })
        .await?;
    stage.until_quiet().await?;
    let before = client::answers(stage.device.items(&stage.chat)).len();
    stage.page.send("@@plain Go on").await?;
    stage
        .device
        .until(&stage.chat, "the next answer", &|timeline| client::answers(timeline.items()).len() > before)
        .await?;
    stage.until_quiet().await?;
    stage.close().await
}

/// A small picture.
const PICTURE: &[u8] = include_bytes!("picture.png");

#[tokio::test]
async fn an_image_goes_in_and_a_file_comes_out() -> anyhow::Result<()> {
    let mut stage = Stage::set().await?;
    let picture = stage.lab.path().join("picture.png");
    fs::write(&picture, PICTURE)?;
    stage.page.attach(&picture).await?;
    stage.page.send("@@image What is this?").await?;
    stage.until_quiet().await?;
    let items = stage.device.items(&stage.chat);
    let seen = client::answers(items).last().copied().cloned().expect("an answer");
    assert_eq!(seen.text.trim(), format!("I see 1: image/png of {} bytes.", PICTURE.len()));

    let report = stage.lab.project().join("report.csv");
    fs::write(&report, "a,b\n1,2\n")?;
    stage.page.send(&format!("@@media {}", report.display())).await?;
    stage
        .page
        .until("the file", "return !!document.querySelector('[data-row=file] [data-action=download]')")
        .await?;
    stage.until_quiet().await?;
    let there = |timeline: &Timeline| client::files(timeline.items()).len() == 1;
    stage.device.until(&stage.chat, "the file", &there).await?;
    let files = client::files(stage.device.items(&stage.chat));
    assert_eq!(files.iter().map(|file| file.file.name.as_str()).collect::<Vec<_>>(), ["report.csv"]);
    let bytes = stage.product.adapter.file(&files[0].file.id.0).await?;
    assert_eq!(String::from_utf8_lossy(&bytes), "a,b\n1,2\n");
    stage.page.assert_healthy(&stage.product.adapter.url()).await?;
    stage.page.browser.quit().await?;
    stage.lab.done();
    Ok(())
}
