//! Every row of every table that Hermes' own resolvers answered (`tests/fixtures/stall`).

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test that goes wrong stops there"
)]

use iris_core::stall::timers::{
    self, Config, Env, EnvEntry, Inputs, Load, Route, Setting, Source, Value, giveup, giveup_error, is_local,
    notice::{self, Phase, Said},
    reasoning_floor, scale_for_context, socket, stream_stale,
};
use serde_json::Value as Json;

fn table(name: &str) -> Vec<Json> {
    let tables: Json = serde_json::from_str(include_str!("fixtures/stall/stall-table.json")).unwrap();
    let rows = tables[name].as_array().unwrap().clone();
    assert!(!rows.is_empty());
    rows
}

fn given(number: f64) -> Setting {
    Setting::Given(number, Source { name: "test".to_owned(), place: None })
}

fn env(pairs: &[(&str, &str)]) -> Env {
    Env::new(
        pairs
            .iter()
            .map(|(name, value)| EnvEntry {
                name: (*name).to_owned(),
                value: (*value).to_owned(),
                place: None,
            })
            .collect(),
    )
}

const CLOUD: &str = "https://api.example.com/v1";
const LOCAL: &str = "http://127.0.0.1:11434/v1";

fn route(base_url: &str, model: &str) -> Inputs {
    Inputs {
        route: Route {
            provider: "custom".to_owned(),
            model: model.to_owned(),
            base_url: base_url.to_owned(),
            ..Route::default()
        },
        ..Inputs::default()
    }
}

#[test]
fn a_large_context_raises_a_stale_timeout() {
    for row in table("scale_for_context") {
        let scaled = scale_for_context(row["base"].as_f64().unwrap(), row["est_tokens"].as_u64().unwrap());
        assert_eq!(Some(scaled), row["result"].as_f64(), "{row}");
    }
}

#[test]
fn a_model_that_thinks_has_a_floor() {
    for row in table("reasoning_floor") {
        // Hermes says "none" of what is no text.
        let floor = row["model"].as_str().and_then(reasoning_floor);
        assert_eq!(floor, row["floor"].as_f64(), "{row}");
    }
}

#[test]
fn every_slug_has_the_floor_that_hermes_lists_for_it() {
    let tables: Json = serde_json::from_str(include_str!("fixtures/stall/stall-table.json")).unwrap();
    let mut slugs = 0;
    for (floor, names) in tables["reasoning_floor_slugs"].as_object().unwrap() {
        for name in names.as_array().unwrap() {
            slugs += 1;
            assert_eq!(reasoning_floor(name.as_str().unwrap()), floor.parse().ok(), "{name}");
        }
    }
    assert_eq!(slugs, 39);
}

/// What a row's name means.
fn stale_case(case: &str) -> Inputs {
    let with = |inputs: Inputs, change: &dyn Fn(&mut Inputs)| {
        let mut inputs = inputs;
        change(&mut inputs);
        inputs
    };
    let sixty = || env(&[("HERMES_STREAM_STALE_TIMEOUT", "60")]);
    match case {
        "cloud default" | "cloud, >50k tokens" | "cloud, >100k tokens" => route(CLOUD, "gpt-4o"),
        "cloud, o1 (floor 600)" => route(CLOUD, "openai/o1"),
        "cloud, claude-opus-4-7 (floor 240)" => route(CLOUD, "claude-opus-4-7"),
        "cloud, qwen3 (floor 180)" => route(CLOUD, "qwen3-235b"),
        "local endpoint default" => route(LOCAL, "gpt-4o"),
        "local endpoint, agent.local_stream_stale_timeout 300" => {
            with(route(LOCAL, "gpt-4o"), &|i| i.config.local_ceiling = given(300.0))
        }
        "local endpoint, HERMES_LOCAL_STREAM_STALE_TIMEOUT=1200" => {
            with(route(LOCAL, "gpt-4o"), &|i| i.env = env(&[("HERMES_LOCAL_STREAM_STALE_TIMEOUT", "1200")]))
        }
        "local endpoint, HERMES_STREAM_STALE_TIMEOUT=60" => {
            with(route(LOCAL, "gpt-4o"), &|i| i.env = sixty())
        }
        "cloud, HERMES_STREAM_STALE_TIMEOUT=60" | "cloud, HERMES_STREAM_STALE_TIMEOUT=60, >50k tokens" => {
            with(route(CLOUD, "gpt-4o"), &|i| i.env = sixty())
        }
        "cloud, HERMES_STREAM_STALE_TIMEOUT=60, o1" => with(route(CLOUD, "o1"), &|i| i.env = sixty()),
        "providers.custom.stale_timeout_seconds 30, o1, >100k" => {
            with(route(CLOUD, "o1"), &|i| i.config.provider_stale = given(30.0))
        }
        "per-model stale_timeout_seconds 45 over provider 30" => with(route(CLOUD, "gpt-4o"), &|i| {
            i.config = Config { provider_stale: given(30.0), model_stale: given(45.0), ..Config::default() }
        }),
        "run budget 400 s, 0 elapsed, o1" => {
            with(route(CLOUD, "o1"), &|i| i.config.run_budget = given(400.0))
        }
        "run budget 100 s, 0 elapsed" => {
            with(route(CLOUD, "gpt-4o"), &|i| i.config.run_budget = given(100.0))
        }
        other => panic!("a case nobody has read: {other}"),
    }
}

#[test]
fn a_stream_is_stale_when_hermes_says_so() {
    for row in table("stream_stale_timeout") {
        let mut inputs = stale_case(row["case"].as_str().unwrap());
        inputs.load = Load { tokens: row["est_tokens"].as_u64().unwrap(), elapsed: 0.0 };
        let timer = stream_stale(&inputs);
        let Value::Seconds(seconds) = timer.value else { panic!("{row}") };
        // The table's run budget was measured by a clock.
        assert!((seconds - row["result"].as_f64().unwrap()).abs() < 0.01, "{row}: {}", timer.explain());
        assert_eq!(timer.chain.last().unwrap().value, timer.value, "the last step has the value");
    }
}

/// What a row's name means; the stale timeout comes about as it does in the row's name.
fn socket_case(case: &str) -> Inputs {
    let mut inputs = route(
        if case.contains("local") { LOCAL } else { CLOUD },
        if case.contains("reasoning") { "o1" } else { "gpt-4o" },
    );
    match case {
        "cloud default, stale 180" | "cloud, stale 600 (reasoning)" | "local" => {}
        "cloud, stale 60 (explicit)" => inputs.env = env(&[("HERMES_STREAM_STALE_TIMEOUT", "60")]),
        "local, HERMES_STREAM_READ_TIMEOUT=300" | "cloud, HERMES_STREAM_READ_TIMEOUT=300" => {
            inputs.env = env(&[("HERMES_STREAM_READ_TIMEOUT", "300")])
        }
        "HERMES_API_TIMEOUT=600 local" => inputs.env = env(&[("HERMES_API_TIMEOUT", "600")]),
        "request_timeout_seconds 45" => inputs.config.provider_request = given(45.0),
        "request_timeout_seconds 300" => inputs.config.provider_request = given(300.0),
        other => panic!("a case nobody has read: {other}"),
    }
    inputs
}

#[test]
fn a_socket_has_the_timeouts_that_hermes_gives_it() {
    for row in table("socket_timeouts_write_read_connect") {
        let [connect, write, read] = socket(&socket_case(row["case"].as_str().unwrap()))
            .map(|timer| timer.value.as_seconds().unwrap());
        assert_eq!(Json::from(vec![write, read, connect]), row["result"], "{row}");
    }
}

#[test]
fn an_endpoint_is_local_when_hermes_says_so() {
    for row in table("is_local_endpoint") {
        assert_eq!(Some(is_local(row["url"].as_str().unwrap())), row["local"].as_bool(), "{row}");
    }
}

#[test]
fn a_wait_notice_has_hermes_words() {
    let watch = |label, seconds| Some((label, seconds));
    let cases = [
        (60.0, Phase::FirstChunk, watch("stream stale", 120.0)),
        (60.0, Phase::PostChunk, watch("stream stale", 120.0)),
        (170.0, Phase::FirstChunk, watch("stream stale", 10.0)),
        (61.0, Phase::FirstChunk, None),
        (60.0, Phase::FirstEvent, watch("TTFB", 60.0)),
        (60.0, Phase::PreProgress, watch("first progress", 30.0)),
        (60.0, Phase::PostEvent, watch("stream idle", 20.0)),
        (60.0, Phase::Reconnect, watch("TTFB", 60.0)),
    ];
    let texts: Vec<Json> = cases
        .into_iter()
        .map(|(silence, phase, watchdog)| notice::text("demo-model", silence, phase, watchdog).into())
        .collect();
    assert_eq!(texts, table("wait_notice_text"));
}

#[test]
fn a_wait_notice_is_said_once_and_again_near_the_deadline() {
    let mut said = Said::default();
    for row in table("wait_notice_emission_every_30s_stale_180") {
        let silence = row["silence"].as_f64().unwrap();
        assert_eq!(
            Some(said.should_say(Phase::FirstChunk, Some(("stream stale", 180.0 - silence)))),
            row["emit"].as_bool(),
            "{row}"
        );
    }
}

#[test]
fn the_breaker_opens_at_its_count() {
    for row in table("stale_giveup") {
        let name = row["giveup"].as_str().unwrap();
        let mut inputs = route(CLOUD, "gpt-4o");
        if !name.starts_with("unset") {
            inputs.env = env(&[("HERMES_STREAM_STALE_GIVEUP", name)]);
        }
        let count = giveup(&inputs).value.as_count().unwrap_or(0);
        let error = giveup_error(count, row["streak"].as_i64().unwrap());
        assert_eq!(error.as_deref(), row["error"].as_str(), "{row}");
    }
}

#[test]
fn no_table_is_left_out() {
    let tables: Json = serde_json::from_str(include_str!("fixtures/stall/stall-table.json")).unwrap();
    let names: Vec<&str> = tables.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(
        names,
        [
            "version",
            "scale_for_context",
            "reasoning_floor",
            "reasoning_floor_slugs",
            "stream_stale_timeout",
            "socket_timeouts_write_read_connect",
            "is_local_endpoint",
            "wait_notice_text",
            "wait_notice_emission_every_30s_stale_180",
            "stale_giveup",
        ]
    );
}

/// The cap's rules, as its description gives them: key, what else is set, what comes out.
#[test]
fn the_longest_life_of_a_stream_follows_its_description() {
    let check = |given_seconds: Option<f64>, change: &dyn Fn(&mut Inputs), expected: Value| {
        let mut inputs = route(CLOUD, "gpt-4o");
        if let Some(seconds) = given_seconds {
            inputs.config.max_lifetime = given(seconds);
        }
        change(&mut inputs);
        let timer = timers::stream_max_lifetime(&inputs);
        assert_eq!(timer.value, expected, "{}", timer.explain());
        assert_eq!(timer.versions.hermes, "after 0.22.2");
    };
    let cloud: &dyn Fn(&mut Inputs) = &|_| {};
    check(None, cloud, Value::Off);
    check(Some(0.0), cloud, Value::Off);
    check(Some(-5.0), cloud, Value::Off);
    check(Some(60.0), cloud, Value::Seconds(180.0));
    check(Some(600.0), cloud, Value::Seconds(600.0));
    check(Some(60.0), &|i| i.route.base_url = LOCAL.to_owned(), Value::Seconds(900.0));
    check(Some(60.0), &|i| i.route.model = "o1".to_owned(), Value::Seconds(600.0));
    check(Some(60.0), &|i| i.config.provider_stale = given(30.0), Value::Seconds(60.0));
    check(Some(600.0), &|i| i.route.transport = timers::Transport::AnthropicMessages, Value::Seconds(600.0));
    check(Some(600.0), &|i| i.route.transport = timers::Transport::CodexResponses, Value::Off);
    check(Some(600.0), &|i| i.route.transport = timers::Transport::BedrockConverse, Value::Off);
    check(Some(600.0), &|i| i.env = env(&[("HERMES_STREAM_STALE_TIMEOUT", "inf")]), Value::Never);
}

#[test]
fn a_silent_provider_is_given_up_after_two_calls_on_the_defaults() {
    // Recorded with a stale timeout of 6 s: six stale attempts, then "6 consecutive stale attempts" in one turn.
    let (seconds, calls) = timers::silence(&route(CLOUD, "gpt-4o")).unwrap();
    assert_eq!((seconds, calls), (2.0 * (3.0 * 180.0 + 3.0), 2));
    let mut inputs = route(CLOUD, "gpt-4o");
    inputs.env = env(&[("HERMES_STREAM_STALE_GIVEUP", "0")]);
    assert_eq!(timers::silence(&inputs).unwrap().1, 3, "without the breaker every call is made");
}
