use crate::timeline::testing::check;

#[test]
fn a_local_echo_is_confirmed_in_place() {
    let mut test = check("echo c1 Hello", "> Hello (sending)");
    let keys = test.keys();
    test.play("@1 user u1 c1 Hello\nturn t\nupdate m1 Hi").shows("> Hello\nm1: Hi…");
    assert_eq!(test.keys()[0], keys[0]);
    test.play("@1 user u1 c1 Hello\nuser u1 c1 Hello\necho c1 Hello").shows("> Hello\nm1: Hi…");
}

#[test]
fn an_acknowledgement_confirms_too() {
    let mut test = check("echo c1 Hello\nack c1 u1", "> Hello");
    test.play("user u1 c1 Hello").shows("> Hello");
    check("@1 turn t\necho c1 Hello\n@2 ack c1 u1\n@2 user u1 c1 Hello\n@3 update m1 Hi", "> Hello\nm1: Hi…");
    check("echo c1 Hello\n@9 turn t\n@2 ack c1 u1", "> Hello");
    check("ack c9 u9\nuser u9 c9 Hello", "> Hello");
    check("echo c1 Hello\ndelivered c1\nuser u1 c1 Hello", "> Hello");
}

#[test]
fn a_message_from_another_device_appears() {
    check("user u1 - From the phone\nuser u2 c7 From the desk", "> From the phone\n> From the desk");
}

#[test]
fn what_is_not_confirmed_stays_below_what_is() {
    let mut test =
        check("turn t\nupdate m1 Work\necho c1 Wait\ntool 1 x", "m1: Work…\n[1 x …]\n> Wait (sending)");
    test.play("user u1 c1 Wait\nupdate m2 Yes?").shows("m1: Work\n[1 x …]\n> Wait\nm2: Yes?…");
}

#[test]
fn two_equal_messages_stay_two() {
    check("echo c1 ok\necho c2 ok\nuser u1 c1 ok\nuser u2 c2 ok", "> ok\n> ok");
    check("user u1 - ok\nuser u2 - ok", "> ok\n> ok");
}

#[test]
fn a_message_sent_as_a_text_ends_keeps_its_order() {
    check(
        "turn t\nupdate m1 Done\necho c1 Next\nstop m1 Done.\nend t complete\nuser u1 c1 Next\nturn u\nupdate m2 Yes",
        "m1: Done.\n> Next\nm2: Yes…",
    );
}

#[test]
fn a_message_that_failed_says_why_and_can_be_sent_again() {
    let mut test = check("echo c1 Hello\nfailed c1 No connection", "> Hello (failed: No connection)");
    test.play("echo c2 Two\necho c1 Hello").shows("> Two (sending)\n> Hello (sending)");
    test.play("user u1 c1 Hello\nfailed c1 Late").shows("> Hello\n> Two (sending)");
}

#[test]
fn an_error_about_a_message_fails_that_message_only() {
    let test = check("turn t\necho c1 Hello\nerror c1 Too long", "> Hello (failed: Too long)");
    assert!(test.running);
    check("error c9 Too long", "!! Too long");
}

#[test]
fn a_failed_message_can_be_taken_back() {
    let mut test = check("echo c1 Hello\nfailed c1 No", "> Hello (failed: No)");
    let (changes, text) = test.timeline.discard(&"c1".into());
    test.take(changes);
    assert_eq!(text.as_deref(), Some("Hello"));
    test.shows("");
    let mut test = check("echo c1 Hello\nack c1 u1", "> Hello");
    assert_eq!(test.timeline.discard(&"c1".into()), (vec![], None));
    test.line("discard c9");
}

#[test]
fn the_servers_text_wins_over_the_echo() {
    check("echo c1 Hello \nuser u1 c1 Hello", "> Hello");
}

#[test]
fn an_acknowledgement_that_overtakes_other_frames_does_not_put_its_message_before_them() {
    let mut test = check("@1 turn t\n@2 update m1 Work\necho c1 Next\n@5 ack c1 u1", "m1: Work…\n> Next");
    let keys = test.keys();
    test.play("@3 stop m1 Work.\n@4 user u9 - From the phone").shows("m1: Work.\n> From the phone\n> Next");
    test.play("@5 user u1 c1 Next\n@6 update m2 Yes").shows("m1: Work.\n> From the phone\n> Next\nm2: Yes…");
    assert_eq!(test.keys()[2], keys[1], "it is the same row");
}

#[test]
fn messages_stand_in_the_order_in_which_the_adapter_took_them() {
    let mut test = check("echo c1 One\nfailed c1 No\necho c2 Two", "> One (failed: No)\n> Two (sending)");
    test.play("@1 user u2 c2 Two").shows("> Two\n> One (failed: No)");
    let mut test = check("echo c1 One\necho c2 Two\n@2 ack c2 u2", "> One (sending)\n> Two");
    test.play("@2 user u2 c2 Two\n@3 user u1 c1 One").shows("> Two\n> One");
}
