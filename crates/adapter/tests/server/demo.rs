//! The demo, played through real sockets: every offer to its end, and what a user can do while one plays.

use iris_adapter::server::{self, Server};
use iris_core::protocol::frame::{AppFrame, AskKind, Envelope, ServerFrame, Suggestion, TurnStatus};

use crate::support::{Client, Shown, config, serve};

fn offers(client: &Client) -> Vec<Suggestion> {
    let ServerFrame::Hello { suggestions, .. } = &client.hello else { panic!("{:?}", client.hello) };
    suggestions.clone()
}

fn offer(client: &Client, label: &str) -> String {
    offers(client).into_iter().find(|offer| offer.label == label).unwrap().text
}

/// Everything up to the turn's end; questions are answered with their first button.
async fn turn(client: &mut Client) -> Vec<Envelope> {
    let mut seen = Vec::new();
    loop {
        let envelope = client.next().await;
        if let ServerFrame::Ask { ask_id, choices, .. } = &envelope.frame {
            let choice = choices.first().map(|choice| choice.id.clone());
            let answer = AppFrame::AskAnswer {
                chat: envelope.chat.clone(),
                ask_id: ask_id.clone(),
                choice,
                text: None,
            };
            client.send(answer).await;
        }
        let ended = matches!(envelope.frame, ServerFrame::TurnEnd { .. });
        seen.push(envelope);
        if ended {
            return seen;
        }
    }
}

fn status(envelopes: &[Envelope]) -> TurnStatus {
    match envelopes.last().map(|envelope| &envelope.frame) {
        Some(ServerFrame::TurnEnd { status, .. }) => *status,
        other => panic!("{other:?}"),
    }
}

fn answers(envelopes: &[Envelope]) -> Vec<String> {
    Shown::of(envelopes).texts.into_iter().map(|(_, text)| text).collect()
}

/// A user and a bystander who sees it all.
async fn two(server: &Server) -> (Client, Client) {
    (Client::listening(server, &["append"]).await, Client::listening(server, &[]).await)
}

#[tokio::test]
async fn every_offer_plays_to_its_end_and_again_for_all_to_see() {
    let server = serve().await;
    let (mut user, mut bystander) = two(&server).await;
    for offer in offers(&user) {
        for again in ["first", "second"] {
            user.say(&format!("{} {again}", offer.label), &offer.text).await;
            let mut seen = turn(&mut user).await;
            let mut others = bystander.turn().await;
            assert_eq!(Shown::of(&seen), Shown::of(&others), "{}", offer.label);
            let shown = Shown::of(&seen);
            assert_eq!(shown.open, [""; 0], "{}", offer.label);
            assert!(
                shown.other.contains(&format!("user {}", offer.text)),
                "{}: {:?}",
                offer.label,
                shown.other
            );
            let failed = shown.other.contains(&"turn ended Error".to_owned());
            assert!(!shown.texts.is_empty() || failed, "{}: {shown:?}", offer.label);
            seen.clear();
            others.clear();
        }
    }
    // Nothing was shown under an id that another turn had: the late device sees every message.
    let mut late = Client::modern(&server).await;
    late.subscribe(&late.first_chat(), None).await;
    let all = late.until(|frame| matches!(frame, ServerFrame::SyncEnd)).await;
    assert_eq!(Shown::of(&all).open, [""; 0]);
}

#[tokio::test]
async fn each_offer_shows_what_it_is_called_after() {
    let server = serve().await;
    let mut user = Client::listening(&server, &[]).await;
    let mut play = async |label: &str| {
        let text = offer(&user, label);
        user.say(label, &text).await;
        turn(&mut user).await
    };
    let summary = play("Summarize the repository").await;
    let shown = Shown::of(&summary);
    assert_eq!(
        shown.tools.iter().filter(|tool| tool.ends_with("Some(false)")).count(),
        1,
        "{:?}",
        shown.tools
    );
    assert!(shown.tools.len() >= 4 && !shown.reasoning.is_empty());

    assert!(Shown::of(&play("Run three tools at once").await).tools.len() >= 6);
    let long = answers(&play("Write a long answer").await);
    assert!(long.iter().any(|text| text.chars().count() > 11_000), "one message, not three");
    assert!(!Shown::of(&play("Think before answering").await).reasoning.is_empty());
    assert_eq!(status(&play("Be stopped in mid-answer").await), TurnStatus::Interrupted);
    assert_eq!(status(&play("Fail at the provider").await), TurnStatus::Error);
    assert_eq!(status(&play("Wait for a provider that hangs").await), TurnStatus::Error);
    let whole = Shown::of(&play("Answer without streaming").await);
    assert!(
        !whole.reasoning.is_empty() && whole.other.iter().any(|what| what.starts_with("remark")),
        "{whole:?}"
    );
    assert_eq!(status(&play("Run from the command line").await), TurnStatus::Complete);
}

#[tokio::test]
async fn any_other_text_is_streamed_back_as_it_is() {
    let server = serve().await;
    let mut user = Client::listening(&server, &["append"]).await;
    for (nth, text) in [
        "x",
        "ola",
        "**bold** and `code`",
        "```rust\nfn main() {}\n```",
        "a\nb\n\nc",
        "▉ is a letter here",
        "👩‍👩‍👧‍👦 e\u{301}",
    ]
    .into_iter()
    .enumerate()
    {
        user.say(&nth.to_string(), text).await;
        let seen = turn(&mut user).await;
        assert_eq!(answers(&seen), [text]);
        assert_eq!(status(&seen), TurnStatus::Complete);
        let models: Vec<_> = seen
            .iter()
            .filter_map(|envelope| match &envelope.frame {
                ServerFrame::MessageStop { model, .. }
                | ServerFrame::Message { model, .. }
                | ServerFrame::TurnEnd { model, .. } => model.clone(),
                _ => None,
            })
            .collect();
        assert!(models.iter().any(|model| model == "demo echo"), "{text}: {models:?}");
    }
}

/// Asks for a command, answers by what `answer` makes of the question, and returns everything.
async fn approval(server: &Server, answer: impl Fn(&Envelope) -> AppFrame) -> Vec<Envelope> {
    let mut user = Client::listening(server, &[]).await;
    let text = offer(&user, "Ask before running a command");
    user.say(&format!("{:?}", std::time::Instant::now()), &text).await;
    let mut seen = user.until(|frame| matches!(frame, ServerFrame::Ask { .. })).await;
    let asked = seen.last().unwrap();
    let ServerFrame::Ask { kind, command, .. } = &asked.frame else { unreachable!() };
    assert_eq!((*kind, command.as_deref()), (AskKind::Approval, Some("rm -rf ./build-output")));
    user.send(answer(asked)).await;
    seen.extend(user.turn().await);
    seen
}

fn button(asked: &Envelope, choice: &str) -> AppFrame {
    let ServerFrame::Ask { ask_id, choices, .. } = &asked.frame else { panic!("{asked:?}") };
    assert!(choices.iter().any(|offered| offered.id == choice), "{choices:?}");
    AppFrame::AskAnswer { chat: None, ask_id: ask_id.clone(), choice: Some(choice.to_owned()), text: None }
}

fn typed(text: &str) -> AppFrame {
    AppFrame::MessageSend {
        client_id: text.into(),
        chat: None,
        text: text.to_owned(),
        attachments: Vec::new(),
        mode: None,
    }
}

fn last_tool(envelopes: &[Envelope]) -> Option<bool> {
    envelopes.iter().rev().find_map(|envelope| match envelope.frame {
        ServerFrame::ToolEnd { ok, .. } => Some(ok),
        _ => None,
    })?
}

#[tokio::test]
async fn a_command_runs_when_it_is_approved_by_button_or_by_word() {
    let server = serve().await;
    for choice in ["once", "session", "always"] {
        let seen = approval(&server, |asked| button(asked, choice)).await;
        assert_eq!((status(&seen), last_tool(&seen)), (TurnStatus::Complete, Some(true)), "{choice}");
        assert_eq!(Shown::of(&seen).open, [""; 0]);
    }
    for word in ["/approve", "/approve always", "yes"] {
        let seen = approval(&server, |_| typed(word)).await;
        assert_eq!((status(&seen), last_tool(&seen)), (TurnStatus::Complete, Some(true)), "{word}");
        assert!(Shown::of(&seen).other.contains(&format!("user {word}")));
    }
}

#[tokio::test]
async fn a_command_does_not_run_when_it_is_denied() {
    let server = serve().await;
    let mut denied = vec![approval(&server, |asked| button(asked, "deny")).await];
    for word in ["/deny", "/deny not now", "no"] {
        denied.push(approval(&server, |_| typed(word)).await);
    }
    for seen in denied {
        assert_eq!((status(&seen), last_tool(&seen)), (TurnStatus::Complete, Some(false)));
        let shown = Shown::of(&seen);
        assert_eq!(shown.open, [""; 0]);
        let outcome = shown.other.iter().find(|what| what.starts_with("answered")).unwrap();
        assert!(outcome.to_lowercase().contains("den"), "{outcome}");
    }
}

#[tokio::test]
async fn nothing_goes_on_until_the_question_is_answered_and_an_answer_counts_once() {
    let server = server::start(iris_adapter::config::Config { speed: 1000.0, ..config() }).await.unwrap();
    let mut user = Client::listening(&server, &[]).await;
    let text = offer(&user, "Ask before running a command");
    user.say("c1", &text).await;
    let seen = user.until(|frame| matches!(frame, ServerFrame::Ask { .. })).await;
    tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    user.say("c2", "what would it do?").await;
    let meanwhile =
        user.until(|frame| matches!(frame, ServerFrame::Notice { code, .. } if code == "queued")).await;
    assert!(
        !meanwhile
            .iter()
            .any(|e| matches!(e.frame, ServerFrame::AskClosed { .. } | ServerFrame::TurnEnd { .. }))
    );
    let answer = button(seen.last().unwrap(), "once");
    user.send(answer.clone()).await;
    user.turn().await;
    assert_eq!(
        answers(&user.turn().await),
        ["what would it do?"],
        "what was said meanwhile has its turn afterwards"
    );
    user.send(answer).await;
    user.until(|frame| matches!(frame, ServerFrame::Error { code, .. } if code == "ask_closed")).await;
}

#[tokio::test]
async fn a_question_is_answered_by_button_number_or_own_words() {
    let server = serve().await;
    let mut user = Client::listening(&server, &[]).await;
    let text = offer(&user, "Ask which way to go");
    for (nth, answer) in ["2", "neither of them", "button"].into_iter().enumerate() {
        user.say(&format!("c{nth}"), &text).await;
        let mut seen = user.until(|frame| matches!(frame, ServerFrame::Ask { .. })).await;
        if answer == "button" {
            let ServerFrame::Ask { choices, .. } = &seen.last().unwrap().frame else { unreachable!() };
            let choice = choices[0].id.clone();
            user.send(button(seen.last().unwrap(), &choice)).await;
        } else {
            user.say(&format!("a{nth}"), answer).await;
        }
        seen.extend(user.turn().await);
        assert_eq!((status(&seen), Shown::of(&seen).open), (TurnStatus::Complete, Vec::new()), "{answer}");
    }
}

#[tokio::test]
async fn whatever_plays_can_be_stopped_at_any_time() {
    let server = server::start(iris_adapter::config::Config { speed: 20.0, ..config() }).await.unwrap();
    let (mut user, mut bystander) = two(&server).await;
    let stop = || AppFrame::TurnStop { chat: None };
    let mut texts: Vec<_> = offers(&user).into_iter().map(|offer| offer.text).collect();
    texts.push("a text of one's own ".repeat(200));
    for (nth, text) in texts.into_iter().enumerate() {
        user.say(&format!("c{nth}"), &text).await;
        user.until(|frame| matches!(frame, ServerFrame::TurnStart { .. })).await;
        tokio::time::sleep(std::time::Duration::from_millis(15 * nth as u64)).await;
        user.send(stop()).await;
        user.send(stop()).await;
        user.turn().await;
        let seen = bystander.turn().await;
        assert_eq!(Shown::of(&seen).open, [""; 0], "{text}");
        assert!(
            matches!(status(&seen), TurnStatus::Interrupted | TurnStatus::Complete | TurnStatus::Error),
            "{text}"
        );
        if nth == 0 {
            assert_eq!(status(&seen), TurnStatus::Interrupted);
        }
    }
    user.send(stop()).await;
    user.say("last", "still there?").await;
    assert_eq!(answers(&user.turn().await), ["still there?"], "a stop without a turn stops nothing");
}

#[tokio::test]
async fn a_stopped_answer_keeps_what_was_written() {
    let server = server::start(iris_adapter::config::Config { speed: 20.0, ..config() }).await.unwrap();
    let mut user = Client::listening(&server, &["append"]).await;
    let text = "word ".repeat(2_000);
    user.say("c", &text).await;
    let mut seen =
        user.until(|frame| matches!(frame, ServerFrame::MessageAppend { at, .. } if *at > 50)).await;
    user.say("s", "/stop").await;
    seen.extend(user.turn().await);
    assert_eq!(status(&seen), TurnStatus::Interrupted);
    let answers = answers(&seen);
    let written = answers.iter().find(|answer| answer.starts_with("word")).unwrap();
    assert!(
        written.len() > 50 && written.len() < text.len() && text.starts_with(written.as_str()),
        "{written}"
    );
}
