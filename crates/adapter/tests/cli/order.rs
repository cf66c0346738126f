//! The order of things: the journal before the process, one turn after the other, and what is attached.

use iris_adapter::backend::{Event, Opening, SaidFile};
use iris_core::protocol::frame::{
    ServerFrame,
    TurnStatus::{Complete, Error, Lost},
};

use crate::support::{Talk, eventually};

const ANSWER: &str = "init; text one; result 0 one";

#[tokio::test]
async fn nothing_is_run_before_the_journal_knows_of_it() {
    let mut talk = Talk::new(ANSWER);
    talk.say("hello").await;
    let Some(Event::Frame(ServerFrame::TurnStart { .. })) = talk.link.events.recv().await else { panic!() };
    let Some(Event::Frame(ServerFrame::Typing { on: true })) = talk.link.events.recv().await else {
        panic!()
    };
    let Some(Event::Taken { noted: Some(noted), .. }) = talk.link.events.recv().await else { panic!() };
    tokio::time::sleep(std::time::Duration::from_millis(200)).await;
    assert_eq!(talk.noted("runs"), "");
    noted.send(()).unwrap();
    assert_eq!(talk.end().await.status, Complete);
    assert_eq!(talk.noted("runs"), "begun\n");
}

#[tokio::test]
async fn a_hub_that_is_gone_before_it_noted_the_message_starts_nothing() {
    let mut talk = Talk::new(ANSWER);
    talk.say("hello").await;
    loop {
        match talk.link.events.recv().await {
            Some(Event::Taken { noted, .. }) => drop(noted),
            Some(_) => {}
            None => break,
        }
    }
    assert_eq!(talk.noted("runs"), "");
}

#[tokio::test]
async fn what_is_said_meanwhile_is_answered_afterwards_in_its_order() {
    let mut talk =
        Talk::new("init; while [ ! -e $scene.go ]; do sleep 0.02; done; result 0 \"$(cat $scene.prompt)\"");
    talk.say("one").await;
    talk.until(|frame| matches!(frame, ServerFrame::TurnStart { .. })).await;
    talk.say("two").await;
    talk.say("three").await;
    let count = std::cell::Cell::new(0);
    talk.until(|frame| {
        count.set(count.get() + usize::from(matches!(frame, ServerFrame::Notice { .. })));
        count.get() == 2
    })
    .await;
    assert_eq!((talk.notices(), &talk.taken[..]), (vec!["queued", "queued"], &["u1".to_owned()][..]));
    std::fs::write(talk.path("go"), "").unwrap();
    for _ in 0..3 {
        assert_eq!(talk.end().await.status, Complete);
    }
    assert_eq!(talk.texts(), ["one", "two", "three"]);
    assert_eq!(talk.taken, ["u1", "u2", "u3"]);
    assert_eq!(talk.noted("runs").lines().count(), 3);
}

#[tokio::test]
async fn the_turn_that_an_earlier_life_left_open_is_lost_and_the_next_one_is_not() {
    let opening = Opening { prefix: "q".to_owned(), open_turn: Some("old-t1".into()), ..Opening::default() };
    let mut talk = Talk::open(ANSWER, opening);
    assert_eq!(talk.end().await.status, Lost);
    assert!(
        matches!(talk.frames.last(), Some(ServerFrame::TurnEnd { turn, .. }) if turn.as_str() == "old-t1")
    );
    talk.say("hello").await;
    assert_eq!(talk.end().await.status, Complete);
    assert!(matches!(&talk.frames[1], ServerFrame::TurnStart { turn } if turn.as_str() == "q-t1"));
}

#[tokio::test]
async fn the_prompt_is_never_an_argument() {
    let mut talk = Talk::new(ANSWER);
    let prompt = "--yolo $(touch x) `id` \"quoted\"\nsecond line é 🦀";
    talk.say(prompt).await;
    talk.end().await;
    assert_eq!(talk.noted("prompt"), prompt);
    let arguments = talk.noted("arguments");
    let arguments: Vec<_> = arguments.lines().skip(3).collect();
    assert_eq!(arguments, ["--query-file", "-", "--format", "stream-json"]);
    assert!(!talk.noted("environment").contains("CARGO"), "only what Hermes needs");
}

#[tokio::test]
async fn a_picture_goes_along_and_another_file_is_named_as_left_out() {
    let mut talk = Talk::new(ANSWER);
    let path = talk.folder.path().join("f1");
    std::fs::write(&path, "png").unwrap();
    let file = |name: &str, media_type: &str| SaidFile {
        path: path.clone(),
        name: name.to_owned(),
        media_type: media_type.to_owned(),
    };
    talk.say_with("", vec![file("a.png", "image/png"), file("b.pdf", "application/pdf")]).await;
    assert_eq!(talk.end().await.status, Complete);
    assert_eq!(talk.noted("prompt"), "[User attached image: a.png]");
    assert_eq!(talk.notices(), ["not_handed_on"]);
    let arguments = talk.noted("arguments");
    let image = arguments.lines().last().and_then(|line| line.strip_prefix("--image=")).unwrap();
    assert!(image.ends_with(".png") && std::fs::read_to_string(image).unwrap() == "png", "{image}");

    talk.say_with("", vec![file("b.pdf", "application/pdf")]).await;
    assert_eq!(talk.end().await.status, Error);
    assert_eq!(talk.noted("runs").lines().count(), 1, "there was nothing to say");
    assert_eq!(talk.taken, ["u1", "u2"]);
}

#[tokio::test]
async fn what_hermes_is_becomes_known() {
    use iris_adapter::backend::Backend;
    let mut talk = Talk::new(ANSWER);
    let about = talk.backend.about();
    talk.say("hello").await;
    talk.end().await;
    eventually("its version", || about.borrow().info.label == "Hermes Agent v9.9").await;
    assert_eq!((about.borrow().info.model.as_deref(), &about.borrow().info.trouble), (Some("m"), &None));
}
