//! Nothing dies here: two chats, three devices, and everybody talks at once.

use chaos::{
    Device,
    check::{self, Held, Sent},
    world::{Behind, World},
};
use iris_core::{ids::ChatId, protocol::frame::SendMode};

/// What each device says in each chat, one after the other.
const EACH: usize = 2;

/// Three devices say something in two chats while a turn streams in both; all of them, and one that comes later, see the
/// same in the end.
async fn check(behind: Behind, begin: &str, more: &str) -> anyhow::Result<()> {
    let world = World::start(behind).await?;
    let devices = [world.device(0, 1, None, 1)?, world.device(1, 1, None, 2)?, world.device(2, 1, None, 3)?];
    let [anna, ..] = &devices;
    let chats = [anna.create(1).await?, anna.create(2).await?];
    for device in &devices {
        for chat in &chats {
            device.follow(chat);
            device.until("the chat", |view| view.seq(chat).is_some()).await?;
        }
    }
    for chat in &chats {
        anna.say(chat, begin, None);
    }
    for chat in &chats {
        anna.until("a turn", |view| view.sees_turn(chat)).await?;
    }
    for nth in 0..EACH {
        for (number, device) in devices.iter().enumerate() {
            for chat in &chats {
                device.say(chat, &format!("{more} {number} {nth}"), Some(SendMode::Queue));
            }
        }
    }
    for chat in &chats {
        settle(&devices, chat).await?;
        let fresh = world.device(3, 1, None, 4)?;
        fresh.follow(chat);
        let seq = anna.see(|view| view.seq(chat));
        fresh.until("what the others have", |view| view.seq(chat) == seq).await?;
        judge(&devices, &fresh, chat)?;
    }
    world.done();
    Ok(())
}

/// Everything is delivered and answered, and all devices have it.
async fn settle(devices: &[Device; 3], chat: &ChatId) -> anyhow::Result<()> {
    let [anna, others @ ..] = devices;
    for device in devices {
        device.until("its messages to be delivered", |view| view.is_delivered()).await?;
    }
    let said = 1 + EACH * devices.len();
    let done =
        |device: &Device| device.see(|view| turns_ended(view.items(chat)) >= said && view.is_quiet(chat));
    anna.until("every answer", |view| turns_ended(view.items(chat)) >= said && view.is_quiet(chat)).await?;
    for other in others {
        let same = || anna.see(|view| view.seq(chat));
        other.until("what the first device has", |view| view.seq(chat) == same()).await?;
        anyhow::ensure!(done(other), "the same frames came to something else");
    }
    Ok(())
}

/// Every turn here ends in an answer with its figures below.
fn turns_ended(items: &[iris_core::timeline::Item]) -> usize {
    let ended = |item: &&iris_core::timeline::Item| match &item.kind {
        iris_core::timeline::ItemKind::Answer(answer) => answer.footer.duration_ms.is_some(),
        _ => false,
    };
    items.iter().filter(ended).count()
}

fn judge(devices: &[Device; 3], fresh: &Device, chat: &ChatId) -> anyhow::Result<()> {
    let held = devices.iter().chain([fresh]).enumerate();
    let held = held.map(|(nth, device)| device.see(|view| Held::of(&format!("device {nth}"), view, chat)));
    let held: Vec<Held> = held.collect();
    let here =
        |client_id: &iris_core::ids::ClientId| held.iter().any(|held| check::has(&held.items, client_id));
    let sent = devices.iter().flat_map(|device| device.see(|view| view.acknowledged().to_vec()));
    let sent: Vec<Sent> =
        sent.map(|(client_id, _)| Sent { client_id }).filter(|sent| here(&sent.client_id)).collect();
    anyhow::ensure!(sent.len() == 1 + EACH * devices.len(), "{} messages are in this chat", sent.len());
    let problems = check::problems(&held, &sent);
    anyhow::ensure!(problems.is_empty(), "{}", problems.join("\n"));
    Ok(())
}

#[tokio::test]
async fn three_devices_in_two_chats_see_the_same() -> anyhow::Result<()> {
    check(Behind::Demo, "A long answer please", "Something of device").await
}

#[tokio::test]
async fn three_devices_in_two_chats_of_the_real_gateway_see_the_same() -> anyhow::Result<()> {
    check(Behind::Gateway, "@@ticks40 Count", "@@ticks5 Something of device").await
}
