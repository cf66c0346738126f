//! Chats that are shared: the same for every device, nothing lost, nothing twice.

use std::{sync::Arc, time::Duration};

use iris_adapter::{
    backend::{About, Backend, Link, Opening, demo::Demo},
    server::{self, Server},
};
use iris_core::{
    ids::ChatId,
    protocol::frame::{AppFrame, Envelope, ServerFrame, Suggestion},
};
use tokio::sync::watch;

use crate::support::{Client, Shown, config, serve};

/// A text with something of everything, long enough to be streamed for a while.
const TEXT: &str = "# Ümläute 🦀\n\n- one **two** three\n- four `five` six\n\n```rust\nfn main() {}\n```\n\nand a last line.";

fn numbers(envelopes: &[Envelope]) -> Vec<u64> {
    envelopes.iter().filter_map(|envelope| envelope.seq).collect()
}

#[tokio::test]
async fn every_device_sees_the_same_whole_texts_or_appends() {
    let server = serve().await;
    let mut plain = Client::listening(&server, &[]).await;
    let mut modern = Client::listening(&server, &["append"]).await;
    let mut sender = Client::plain(&server).await;
    sender.say("c1", TEXT).await;
    let (plain, modern) = (plain.turn().await, modern.turn().await);
    assert_eq!(numbers(&plain), numbers(&modern));
    assert_eq!(Shown::of(&plain), Shown::of(&modern));
    assert_eq!(Shown::of(&plain).texts.len(), 1);
    assert_eq!(Shown::of(&plain).texts[0].1, TEXT);
    let appends = |envelopes: &[Envelope]| {
        envelopes
            .iter()
            .filter(|envelope| matches!(envelope.frame, ServerFrame::MessageAppend { .. }))
            .count()
    };
    assert_eq!(appends(&plain), 0);
    assert!(appends(&modern) > 3);
}

#[tokio::test]
async fn a_device_that_comes_late_is_shown_what_the_others_saw_and_less_of_it() {
    let server = serve().await;
    let mut live = Client::listening(&server, &[]).await;
    for (nth, text) in ["first **text**", TEXT, "Summarize the repo"].into_iter().enumerate() {
        live.say(&format!("c{nth}"), text).await;
    }
    let mut seen = Vec::new();
    for _ in 0..3 {
        seen.extend(live.turn().await);
    }
    let mut late = Client::modern(&server).await;
    late.subscribe(&late.first_chat(), None).await;
    let synced = late.until(|frame| matches!(frame, ServerFrame::SyncEnd)).await;
    assert!(matches!(synced[0].frame, ServerFrame::SyncBegin { reset: true, .. }), "{:?}", synced[0]);
    assert_eq!(Shown::of(&synced), Shown::of(&seen));
    assert!(synced.len() < seen.len(), "{} of {}", synced.len(), seen.len());
    assert_eq!(late.next().await.frame, ServerFrame::Typing { on: false });
}

#[tokio::test]
async fn a_device_that_comes_in_mid_turn_ends_with_the_same_picture() {
    let server = serve().await;
    let mut live = Client::listening(&server, &["append"]).await;
    live.say("c", &TEXT.repeat(20)).await;
    let mut seen = live.until(|frame| matches!(frame, ServerFrame::MessageAppend { .. })).await;
    let mut late = Client::modern(&server).await;
    late.subscribe(&late.first_chat(), None).await;
    let late = late.turn().await;
    seen.extend(live.turn().await);
    assert_eq!(Shown::of(&late), Shown::of(&seen));
}

#[tokio::test]
async fn a_device_that_was_away_gets_only_what_it_missed() {
    let server = serve().await;
    let mut live = Client::listening(&server, &[]).await;
    live.say("c1", "one").await;
    let mut seen = live.turn().await;
    let last = numbers(&seen).into_iter().max();
    live.say("c2", "two").await;
    live.turn().await;

    let mut back = Client::modern(&server).await;
    back.subscribe(&back.first_chat(), last).await;
    let missed = back.until(|frame| matches!(frame, ServerFrame::SyncEnd)).await;
    assert!(matches!(missed[0].frame, ServerFrame::SyncBegin { reset: false, .. }), "{:?}", missed[0]);
    assert!(numbers(&missed).into_iter().min() > last);
    seen.extend(missed);

    for unknown in [0, 17, u64::MAX] {
        let mut stranger = Client::modern(&server).await;
        stranger.subscribe(&stranger.first_chat(), Some(unknown)).await;
        let all = stranger.until(|frame| matches!(frame, ServerFrame::SyncEnd)).await;
        assert!(matches!(all[0].frame, ServerFrame::SyncBegin { reset: true, .. }), "{unknown}");
        assert_eq!(Shown::of(&all), Shown::of(&seen), "{unknown}");
    }
}

#[tokio::test]
async fn a_message_that_is_sent_again_is_acknowledged_again_and_said_once() {
    let server = serve().await;
    let mut client = Client::listening(&server, &[]).await;
    client.say("c1", "hello there").await;
    let ack = client.next().await;
    let mut seen = client.turn().await;
    client.say("c1", "hello there").await;
    assert_eq!(client.next().await, ack);
    let mut other = Client::plain(&server).await;
    other.say("c1", "hello there").await;
    assert_eq!(other.next().await, ack, "the device's name and its id count, not the socket");
    client.say("c2", "and again").await;
    seen.extend(client.turn().await);
    let said: Vec<_> = Shown::of(&seen).other.into_iter().filter(|what| what.starts_with("user")).collect();
    assert_eq!(said, ["user hello there", "user and again"]);
    assert!(matches!(ack, Envelope { seq: Some(_), frame: ServerFrame::Ack { .. }, .. }));
}

#[tokio::test]
async fn the_first_message_replaces_the_senders_echo_on_every_device() {
    let server = serve().await;
    let mut one = Client::listening(&server, &[]).await;
    let mut two = Client::listening(&server, &[]).await;
    one.say("c1", "hello").await;
    let ServerFrame::Ack { message_id: acknowledged, .. } = one.next().await.frame else { panic!() };
    for client in [&mut one, &mut two] {
        let ServerFrame::UserMessage { message_id, client_id, text, ts, .. } = client.next().await.frame
        else {
            panic!()
        };
        assert_eq!(
            (message_id, client_id, text.as_str()),
            (acknowledged.clone(), Some("c1".into()), "hello")
        );
        assert!(ts > Some(1_700_000_000_000));
    }
}

#[tokio::test]
async fn chats_are_made_named_and_removed_on_every_device() {
    let server = serve().await;
    let mut one = Client::plain(&server).await;
    let mut two = Client::plain(&server).await;
    one.send(AppFrame::ChatCreate { client_id: "n1".into(), title: Some("Plans".into()) }).await;
    let Envelope { chat: Some(chat), frame: ServerFrame::Ack { client_id, .. }, .. } = one.next().await
    else {
        panic!()
    };
    assert_eq!(client_id, "n1".into());
    assert_eq!(news(&mut two).await, (chat.clone(), Some("Plans".to_owned())));
    one.send(AppFrame::ChatCreate { client_id: "n1".into(), title: Some("Plans".into()) }).await;
    assert_eq!(one.next().await.chat, Some(chat.clone()), "the same wish makes no second chat");

    let changed = updated_ms(&server, &chat).await;
    tokio::time::sleep(Duration::from_millis(2)).await;
    one.send(AppFrame::ChatRename { chat: chat.clone(), title: "Other plans".into() }).await;
    assert_eq!(news(&mut two).await, (chat.clone(), Some("Other plans".to_owned())));
    assert_eq!(updated_ms(&server, &chat).await, changed, "another title is no news in the chat");

    one.subscribe(&chat, None).await;
    one.until(|frame| matches!(frame, ServerFrame::Typing { .. })).await;
    one.send(AppFrame::MessageSend {
        client_id: "c1".into(),
        chat: Some(chat.clone()),
        text: "hi".into(),
        attachments: Vec::new(),
        mode: None,
    })
    .await;
    assert!(one.turn().await.iter().all(|envelope| envelope.chat == Some(chat.clone())));

    one.send(AppFrame::ChatDelete { chat: chat.clone() }).await;
    loop {
        let (id, title) = news(&mut two).await;
        if title.is_none() {
            assert_eq!(id, chat);
            break;
        }
    }
    one.send(AppFrame::ChatDelete { chat }).await;
    one.until(|frame| matches!(frame, ServerFrame::Error { code, .. } if code == "unknown_chat")).await;
    let ServerFrame::Hello { chats, .. } = Client::plain(&server).await.hello else { panic!() };
    assert_eq!(chats.len(), 1);
}

/// The next news about the list of chats; no title = removed.
/// When the chat last changed, as a device that comes now is told.
async fn updated_ms(server: &Server, chat: &ChatId) -> u64 {
    let ServerFrame::Hello { chats, .. } = Client::modern(server).await.hello else { panic!("hello") };
    chats.iter().find(|summary| summary.id == *chat).expect("the chat").updated_ms
}

async fn news(client: &mut Client) -> (ChatId, Option<String>) {
    let envelope = client.try_next().await.unwrap();
    let title = match envelope.frame {
        ServerFrame::ChatUpdated { chat } => Some(chat.title),
        ServerFrame::ChatRemoved => None,
        other => panic!("{other:?}"),
    };
    (envelope.chat.unwrap(), title)
}

#[tokio::test]
async fn a_device_that_reads_nothing_for_a_while_is_brought_up_to_date() {
    let server = serve().await;
    let mut quick = Client::listening(&server, &["append"]).await;
    let mut slow = Client::listening(&server, &[]).await;
    // Whole texts of a long answer: many times what the buffers between the two hold.
    let text = "All work and no play. ".repeat(2_900);
    let mut seen = Vec::new();
    for nth in 0..3 {
        quick.say(&format!("c{nth}"), &text).await;
        seen.extend(quick.turn().await);
    }
    let mut frames = Vec::new();
    for _ in 0..200 {
        frames.extend(slow.turn().await);
        if Shown::of(&frames).last_seq >= Shown::of(&seen).last_seq {
            break;
        }
    }
    assert_eq!(Shown::of(&frames), Shown::of(&seen));
    let syncs = frames
        .iter()
        .filter(|envelope| matches!(envelope.frame, ServerFrame::SyncBegin { reset: false, .. }));
    assert!(syncs.count() > 0, "it was told that it had missed something");
    assert!(frames.len() < seen.len());
}

#[tokio::test]
async fn a_device_goes_on_where_it_was_when_the_adapter_started_again() {
    let config = config();
    let first = server::start(config.clone()).await.unwrap();
    let mut client = Client::listening(&first, &[]).await;
    let mut away = Client::listening(&first, &[]).await;
    client.say("c1", &TEXT.repeat(5)).await;
    let ack = client.next().await;
    client.turn().await;
    let mut seen = away.turn().await;
    let last = numbers(&seen).into_iter().max();
    drop(away);
    client.say("c2", "while it was away").await;
    client.turn().await;
    let chat = client.first_chat();
    client.send(AppFrame::ChatRename { chat: chat.clone(), title: "Kept".into() }).await;
    while news(&mut client).await.1.as_deref() != Some("Kept") {}
    drop(client);
    first.stop().await.unwrap();

    let second = server::start(config).await.unwrap();
    let mut back = Client::modern(&second).await;
    let ServerFrame::Hello { chats, .. } = &back.hello else { panic!() };
    assert_eq!((&chats[0].id, chats[0].title.as_str(), chats[0].running), (&chat, "Kept", false));
    back.subscribe(&chat, last).await;
    let missed = back.until(|frame| matches!(frame, ServerFrame::SyncEnd)).await;
    assert!(matches!(missed[0].frame, ServerFrame::SyncBegin { reset: false, .. }), "{:?}", missed[0]);
    seen.extend(missed);
    let mut fresh = Client::modern(&second).await;
    fresh.subscribe(&chat, None).await;
    let all = fresh.until(|frame| matches!(frame, ServerFrame::SyncEnd)).await;
    assert_eq!(Shown::of(&all), Shown::of(&seen));

    fresh.until(|frame| matches!(frame, ServerFrame::Typing { .. })).await;
    fresh.say("c1", "whatever it says now").await;
    assert_eq!(fresh.next().await, ack, "it was taken in an earlier life");
    fresh.say("c3", "and on").await;
    assert_eq!(Shown::of(&fresh.turn().await).texts.len(), 1);
}

#[tokio::test]
async fn a_chat_and_what_was_wished_for_survive_the_adapter_and_the_deleted_do_not() {
    let config = config();
    let first = server::start(config.clone()).await.unwrap();
    let mut client = Client::plain(&first).await;
    let wish = AppFrame::ChatCreate { client_id: "n1".into(), title: Some("Plans".into()) };
    client.send(wish.clone()).await;
    let made = client.next().await;
    let gone = client.first_chat();
    client.send(AppFrame::ChatDelete { chat: gone.clone() }).await;
    client.until(|frame| matches!(frame, ServerFrame::ChatRemoved)).await;
    first.stop().await.unwrap();

    let second = server::start(config).await.unwrap();
    let mut client = Client::plain(&second).await;
    assert_eq!(Some(client.first_chat()), made.chat);
    client.send(wish).await;
    assert_eq!(client.next().await, made);
    client.subscribe(&gone, None).await;
    client.until(|frame| matches!(frame, ServerFrame::Error { code, .. } if code == "unknown_chat")).await;
}

/// The frames of a page and where the next one begins.
fn page(envelope: Envelope) -> (Option<u64>, Vec<Envelope>) {
    match envelope.frame {
        ServerFrame::HistoryPage { before_seq, frames } => (before_seq, frames),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_long_chat_comes_by_its_end_and_the_rest_in_whole_turns() {
    let server = serve().await;
    let mut live = Client::listening(&server, &[]).await;
    for nth in 0..30 {
        live.say(&format!("c{nth}"), &format!("say {nth}")).await;
        live.turn().await;
    }
    let chat = live.first_chat();
    let mut whole = Client::modern(&server).await;
    whole.subscribe(&chat, None).await;
    let all = whole.until(|frame| matches!(frame, ServerFrame::SyncEnd)).await;

    let mut client = Client::modern(&server).await;
    client.send(AppFrame::Subscribe { chat: chat.clone(), after_seq: None, limit: Some(10) }).await;
    let tail = client.until(|frame| matches!(frame, ServerFrame::SyncEnd)).await;
    let ServerFrame::SyncBegin { reset: true, before_seq, .. } = tail[0].frame else {
        panic!("{:?}", tail[0])
    };
    assert!(before_seq.is_some() && tail.len() < 30, "{}", tail.len());
    client.next().await;
    let mut frames: Vec<_> = tail.into_iter().filter(|envelope| envelope.seq.is_some()).collect();
    let mut before = before_seq;
    let mut pages = 0;
    while let Some(before_seq) = before {
        client.send(AppFrame::History { chat: chat.clone(), before_seq, limit: 10 }).await;
        let (next, older) = page(client.next().await);
        assert!(matches!(older[0].frame, ServerFrame::UserMessage { .. }), "{:?}", older[0]);
        assert!(older.len() >= 10 || next.is_none());
        frames.splice(0..0, older);
        before = next;
        pages += 1;
    }
    assert!(pages > 3, "{pages}");
    let numbered: Vec<_> = all.iter().filter(|envelope| envelope.seq.is_some()).collect();
    assert_eq!(
        frames.iter().map(|e| (e.seq, &e.frame)).collect::<Vec<_>>(),
        numbered.iter().map(|e| (e.seq, &e.frame)).collect::<Vec<_>>()
    );

    // Far behind: the end, and not everything since.
    let early = numbered[2].seq;
    client.send(AppFrame::Subscribe { chat: chat.clone(), after_seq: early, limit: Some(10) }).await;
    let again = client.until(|frame| matches!(frame, ServerFrame::SyncEnd)).await;
    assert!(matches!(again[0].frame, ServerFrame::SyncBegin { reset: true, before_seq: Some(_), .. }));
    for (before_seq, limit) in [(0, 1), (u64::MAX, u32::MAX), (7, 0)] {
        client.send(AppFrame::History { chat: chat.clone(), before_seq, limit }).await;
        client.until(|frame| matches!(frame, ServerFrame::HistoryPage { .. })).await;
    }
}

#[tokio::test]
async fn words_are_found_wherever_they_were_said() {
    let server = serve().await;
    let mut client = Client::listening(&server, &[]).await;
    client.say("c1", "Übergroße Pläne für den \"Garten\" und das Haus").await;
    client.turn().await;
    client.say("c2", "nothing here").await;
    client.turn().await;
    let chat = client.first_chat();
    let mut search = async |query: &str| {
        client.send(AppFrame::Search { client_id: query.into(), query: query.to_owned() }).await;
        let found = client.until(|frame| matches!(frame, ServerFrame::SearchResult { .. })).await;
        match found.into_iter().last().unwrap().frame {
            ServerFrame::SearchResult { client_id, hits } => {
                assert_eq!(client_id, query.into());
                hits
            }
            other => panic!("{other:?}"),
        }
    };
    // The user's message, and the echo.
    for query in ["plane", "GARTEN haus", "\"garten\"", "gart", "uber pla"] {
        let hits = search(query).await;
        assert_eq!(hits.len(), if query == "uber pla" { 0 } else { 2 }, "{query}: {hits:?}");
        assert!(hits.iter().all(|hit| hit.chat == chat && hit.seq > 0));
    }
    let hit = &search("plane").await[0];
    assert_eq!((hit.before.as_str(), hit.matched.as_str()), ("Übergroße ", "Pläne"));
    assert!(hit.after.starts_with(" für den"), "{}", hit.after);
    for query in
        ["", "\"", "*", "a AND", "NEAR(", "text:plane", "-garten", "(", "'; DROP TABLE words; --", "\u{0}"]
    {
        search(query).await;
    }
    assert_eq!(search("garten").await.len(), 2);
    client.send(AppFrame::ChatCreate { client_id: "n".into(), title: None }).await;
    client.send(AppFrame::ChatDelete { chat: client.first_chat() }).await;
    client.until(|frame| matches!(frame, ServerFrame::ChatRemoved)).await;
    client.send(AppFrame::Search { client_id: "s".into(), query: "garten".into() }).await;
    let found = client.until(|frame| matches!(frame, ServerFrame::SearchResult { .. })).await;
    let ServerFrame::SearchResult { hits, .. } = &found.last().unwrap().frame else { panic!() };
    assert_eq!(hits, &[], "what is deleted is not found");
}

/// A backend that takes no files, and is the demo otherwise.
struct WithoutFiles(Demo, watch::Sender<About>);

impl WithoutFiles {
    fn new(demo: Demo) -> Self {
        let about = demo.about().borrow().clone();
        let capabilities = vec!["queue".to_owned()];
        Self(demo, watch::Sender::new(About { capabilities, ..about }))
    }
}

impl Backend for WithoutFiles {
    fn about(&self) -> watch::Receiver<About> {
        self.1.subscribe()
    }

    fn suggestions(&self) -> Vec<Suggestion> {
        self.0.suggestions()
    }

    fn open(&self, chat: &ChatId, opening: Opening) -> Link {
        self.0.open(chat, opening)
    }
}

#[tokio::test]
async fn files_are_refused_where_nobody_takes_them_or_nobody_knows_them() {
    let bare =
        server::start_with(config(), |config, _| Ok(Arc::new(WithoutFiles::new(Demo::new(config.speed)))));
    for (server, offered, code) in [
        (bare.await.unwrap(), &["append", "continue", "history", "search", "queue"][..], "no_files"),
        (serve().await, &["append", "continue", "history", "search", "files", "queue"][..], "unknown_file"),
    ] {
        let mut client = Client::listening(&server, &[]).await;
        let ServerFrame::Hello { capabilities, .. } = &client.hello else { panic!() };
        assert_eq!(capabilities, offered);
        client
            .send(AppFrame::MessageSend {
                client_id: "c1".into(),
                chat: None,
                text: String::new(),
                attachments: vec!["f1".into()],
                mode: None,
            })
            .await;
        let ServerFrame::Error { code: found, re, .. } = client.next().await.frame else { panic!() };
        assert_eq!((found.as_str(), re.as_deref()), (code, Some("c1")));
    }
}
