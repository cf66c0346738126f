//! The session: remembered from the first record on, taken up again, and what happens when Hermes does not know it.

use iris_adapter::backend::{Backend, Opening};
use iris_core::protocol::frame::TurnStatus::{Complete, Error};

use crate::support::Talk;

#[tokio::test]
async fn the_next_turn_takes_the_session_up() {
    let mut talk = Talk::new("init s1; result 0 one");
    talk.say("one").await;
    talk.end().await;
    assert!(!talk.noted("arguments").contains("--resume"));
    assert_eq!(talk.memory, ["s1"]);
    talk.say("two").await;
    talk.end().await;
    assert!(talk.noted("arguments").contains("--resume=s1"));
    assert_eq!(talk.memory, ["s1"], "remembered once");
}

#[tokio::test]
async fn the_session_is_remembered_before_the_turn_is_over() {
    let mut talk = Talk::new("init s1; while [ ! -e $scene.go ]; do sleep 0.02; done; result 0 one");
    talk.say("one").await;
    while talk.memory.is_empty() {
        talk.event().await;
    }
    std::fs::write(talk.path("go"), "").unwrap();
    assert_eq!(talk.end().await.status, Complete);
}

#[tokio::test]
async fn an_earlier_life_of_the_adapter_left_its_session() {
    let opening = Opening { memory: Some("old".to_owned()), ..Opening::default() };
    let mut talk = Talk::open("init s1; result 0 one", opening);
    talk.say("one").await;
    talk.end().await;
    assert!(talk.noted("arguments").contains("--resume=old"));
}

#[tokio::test]
async fn an_id_that_could_be_an_option_is_none() {
    let mut talk = Talk::new("init --yolo; text x; exit 1");
    talk.say("one").await;
    talk.end().await;
    assert_eq!(talk.memory, [""; 0]);
}

/// As the real one says it: the first turn was killed before the session was written.
const UNKNOWN: &str = r#"case "$*" in
    *--resume=*) init old; echo cli.resume.session_not_found >&2; result 1 '' 'credentials or agent init failed'; exit 1 ;;
    *) init new; text fresh; result 0 fresh ;;
esac"#;

#[tokio::test]
async fn a_session_that_hermes_does_not_know_gives_way_to_a_new_one_in_the_same_turn() {
    let opening = Opening { memory: Some("old".to_owned()), ..Opening::default() };
    let mut talk = Talk::open(UNKNOWN, opening);
    talk.say("one").await;
    assert_eq!(talk.end().await.status, Complete);
    assert_eq!((talk.turns(), talk.texts(), talk.notices()), ((1, 1), vec!["fresh"], vec!["new_session"]));
    assert_eq!(talk.taken, ["u1"]);
    assert_eq!(talk.memory.last().map(String::as_str), Some("s1"), "the one that its last record names");
}

#[tokio::test]
async fn another_failure_does_not_cost_the_session() {
    let opening = Opening { memory: Some("old".to_owned()), ..Opening::default() };
    let mut talk = Talk::open("init old; result 1 '' 'credentials or agent init failed'; exit 1", opening);
    talk.say("one").await;
    assert_eq!(talk.end().await.status, Error);
    assert_eq!(talk.noted("runs").lines().count(), 1);
}

#[tokio::test]
async fn what_is_kept_of_a_chat_goes_with_it() {
    let mut talk = Talk::new("init; result 0 one");
    talk.say("one").await;
    talk.end().await;
    let folder = talk.folder.path().join("data/chat");
    assert!(folder.is_dir());
    talk.backend.forget(&"chat".into());
    assert!(!folder.exists());
}
