//! The doctor on real and on sick configurations (`tests/fixtures/doctor`), and on every row of `more-table.json`.
//!
//! A case is a folder: `config.yaml`, `env`, and `case.json` with what is asked (`model`, `tokens`, `has_texts`) and what is expected:
//! `warnings` lists them all (`id@file:line:column`), `write` some replacements, `timers` some values, `streams` the platforms.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test that goes wrong stops there"
)]

use iris_core::stall::doctor::{DoctorInput, DoctorReport, examine};
use iris_core::stall::timers::{Timer, TimerId, Value};
use serde_json::{Map, Value as Json, json};
use std::{fs, path::Path};

fn input(folder: &Path, case: &Json) -> DoctorInput {
    let text = |name: &str| fs::read_to_string(folder.join(name)).ok();
    DoctorInput {
        config: text("config.yaml"),
        env: text("env"),
        model: case["model"].as_str().map(str::to_owned),
        tokens: case["tokens"].as_u64(),
        has_texts: case["has_texts"].as_bool(),
    }
}

fn shown(timer: &Timer) -> Json {
    timer.value.to_string().into()
}

/// What the report says, in the form of a case; of the timers and the replacements only what the case asks for.
fn said(report: &DoctorReport, case: &Json) -> Json {
    let asked = |name: &str| {
        case[name].as_object().map(|map| map.keys().cloned().collect::<Vec<_>>()).unwrap_or_default()
    };
    let name = |timer: &Timer| serde_json::to_value(timer.id).unwrap().as_str().unwrap().to_owned();
    let timers: Map<String, Json> = asked("timers")
        .into_iter()
        .map(|id| {
            let timer = report.timers.iter().find(|timer| name(timer) == id);
            let value = timer.map_or(Json::Null, shown);
            (id, value)
        })
        .collect();
    let write: Map<String, Json> = asked("write")
        .into_iter()
        .map(|id| {
            let lines =
                report.warnings.iter().find(|warning| warning.id == id).map(|warning| warning.write.clone());
            (id, json!(lines))
        })
        .collect();
    let warnings: Vec<String> = report
        .warnings
        .iter()
        .map(|warning| {
            warning.place.map_or_else(|| warning.id.clone(), |place| format!("{}@{place}", warning.id))
        })
        .collect();
    let streams: Map<String, Json> = report
        .switches
        .platforms
        .iter()
        .map(|platform| (platform.name.clone(), platform.streams.into()))
        .collect();
    json!({"config": report.config, "warnings": warnings, "timers": timers, "write": write, "streams": streams})
}

#[test]
fn every_case_has_the_report_that_it_expects() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/doctor");
    let mut folders: Vec<_> =
        fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()).collect();
    folders.sort();
    assert!(folders.len() >= 50, "{} cases", folders.len());
    let mut wrong = Vec::new();
    for folder in folders {
        let case: Json =
            serde_json::from_str(&fs::read_to_string(folder.join("case.json")).unwrap()).unwrap();
        let report = examine(&input(&folder, &case));
        let said = said(&report, &case);
        for (key, value) in said.as_object().unwrap() {
            let expected = case
                .get(key)
                .cloned()
                .unwrap_or_else(|| if value.is_array() { json!([]) } else { json!({}) });
            if *value != expected {
                wrong.push(format!("{} {key}:\n  said     {value}\n  expected {expected}", folder.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn table(name: &str) -> Vec<Json> {
    let tables: Json = serde_json::from_str(include_str!("fixtures/stall/more-table.json")).unwrap();
    let rows = tables[name].as_array().unwrap().clone();
    assert!(!rows.is_empty());
    rows
}

/// The report on a row: its own lines after those that say where the call goes.
fn examine_row(row: &Json) -> DoctorReport {
    let text = |key: &str| row[key].as_str().unwrap_or_default().to_owned();
    let budget =
        if text("case").starts_with("budget 400") { "agent:\n  run_budget_seconds: 400\n" } else { "" };
    let (model, url) = (text("model"), text("base_url"));
    let route = format!("model:\n  default: {model}\n  provider: custom\n  base_url: {url}\n");
    examine_lines(row, &format!("{route}{budget}{}\n", text("config")))
}

/// The same over Responses: an endpoint with a name of its own, which Hermes runs as `custom`, or the official one.
fn examine_responses(row: &Json) -> DoctorReport {
    let text = |key: &str| row[key].as_str().unwrap_or_default().to_owned();
    let (model, url, own) = (text("model"), text("base_url"), text("config"));
    let effort = row["effort"]
        .as_str()
        .map(|effort| format!("agent:\n  reasoning_effort: {effort}\n"))
        .unwrap_or_default();
    let name = if text("provider") == "custom" { "lab".to_owned() } else { text("provider") };
    // Providers of the row stand beside the endpoint, in the same section.
    let (beside, after) = own
        .strip_prefix("providers:\n")
        .map_or((String::new(), own.clone()), |inside| (format!("{inside}\n"), String::new()));
    let endpoint =
        format!("providers:\n  {name}:\n    base_url: {url}\n    api_mode: codex_responses\n{beside}");
    examine_lines(
        row,
        &format!("model:\n  default: {model}\n  provider: {name}\n{endpoint}{effort}{after}\n"),
    )
}

fn examine_lines(row: &Json, config: &str) -> DoctorReport {
    let env: String = row["env"]
        .as_object()
        .unwrap()
        .iter()
        .map(|(name, value)| format!("{name}='{}'\n", value.as_str().unwrap()))
        .collect();
    examine(&DoctorInput {
        config: Some(config.to_owned()),
        env: Some(env),
        tokens: row["est_tokens"].as_u64(),
        ..DoctorInput::default()
    })
}

fn value(report: &DoctorReport, id: TimerId) -> Option<Value> {
    report.timers.iter().find(|timer| timer.id == id).map(|timer| timer.value)
}

/// A cell of a table: seconds, or what Python made of them.
fn cell(cell: &Json) -> Value {
    match cell.as_str() {
        Some("inf" | "nan") => Value::Never,
        Some(raised) => {
            assert!(raised.starts_with("raises ValueError"), "{raised}");
            Value::Breaks
        }
        None => Value::Seconds(cell.as_f64().unwrap()),
    }
}

#[test]
fn a_timeout_is_coerced_as_hermes_does_it() {
    for row in table("stale") {
        let report = examine_row(&row);
        let socket = &row["stream_stale_write_read_connect"];
        let ids = [TimerId::StreamStale, TimerId::SocketWrite, TimerId::SocketRead, TimerId::SocketConnect];
        for (index, id) in ids.into_iter().enumerate() {
            assert_eq!(value(&report, id), Some(cell(&socket[index])), "{row} {id:?}");
        }
        assert_eq!(value(&report, TimerId::NonStreamStale), Some(cell(&row["non_stream_stale"])), "{row}");
    }
}

#[test]
fn a_responses_stream_has_the_watchdogs_that_hermes_gives_it() {
    for row in table("codex") {
        let report = examine_responses(&row);
        let or_off = |cell: &Json| Some(cell.as_f64().map_or(Value::Off, Value::Seconds));
        let result = &row["result"];
        assert_eq!(value(&report, TimerId::NonStreamStale), Some(cell(&result["stale"])), "{row}");
        assert_eq!(value(&report, TimerId::CodexTtfb), or_off(&result["ttfb"]), "{row}");
        assert_eq!(value(&report, TimerId::CodexIdle), or_off(&result["idle"]), "{row}");
        assert_eq!(
            value(&report, TimerId::CodexFirstProgress),
            result["first_progress"].as_f64().map(Value::Seconds),
            "{row}"
        );
        assert_eq!(value(&report, TimerId::StreamStale), None, "a Responses stream has no stale timeout");
    }
}

/// The value of `agent.<key>: text` in a report.
fn of_agent(key: &str, text: &Json, id: TimerId) -> Option<Value> {
    let config = format!(
        "model:\n  default: x\n  api_mode: codex_responses\nagent:\n  {key}: {}\n",
        text.as_str().unwrap()
    );
    value(&examine(&DoctorInput { config: Some(config), ..DoctorInput::default() }), id)
}

#[test]
fn a_number_under_agent_is_read_as_hermes_reads_it() {
    for row in table("counts") {
        let cycles =
            row["auto_recovery_cycles"].as_i64().filter(|count| *count > 0).map_or(Value::Off, Value::Count);
        assert_eq!(
            of_agent("api_max_retries", &row["value"], TimerId::ApiMaxRetries),
            row["api_max_retries"].as_i64().map(Value::Count),
            "{row}"
        );
        assert_eq!(
            of_agent("auto_recovery_cycles", &row["value"], TimerId::AutoRecoveryCycles),
            Some(cycles),
            "{row}"
        );
    }
    for row in table("run_budget_seconds") {
        let budget = row["result"].as_f64().map_or(Value::Off, Value::Seconds);
        assert_eq!(of_agent("run_budget_seconds", &row["value"], TimerId::RunBudget), Some(budget), "{row}");
    }
    for row in table("stream_drain_timeout") {
        let drain =
            row["result"].as_f64().filter(|seconds| *seconds > 0.0).map_or(Value::Off, Value::Seconds);
        assert_eq!(
            of_agent("stream_drain_timeout", &row["value"], TimerId::StreamDrain),
            Some(drain),
            "{row}"
        );
    }
}

#[test]
fn the_gateway_streams_when_hermes_says_so() {
    for row in table("streaming") {
        let config = format!("streaming: {}\n", row["streaming"].as_str().unwrap());
        let switches = examine(&DoctorInput { config: Some(config), ..DoctorInput::default() }).switches;
        let cadence = switches.cadence;
        let said =
            json!([switches.gateway.on, cadence.transport, cadence.edit_interval, cadence.buffer_threshold]);
        assert_eq!(
            said,
            json!([row["on"], row["transport"], row["edit_interval"], row["buffer_threshold"]]),
            "{row}"
        );
    }
}

#[test]
fn a_platform_streams_by_default_when_hermes_says_so() {
    for row in table("platform_defaults") {
        let name = row["platform"].as_str().unwrap();
        let config = format!("streaming: {{enabled: true}}\nplatforms: {{{name}: {{enabled: true}}}}\n");
        let platforms =
            examine(&DoctorInput { config: Some(config), ..DoctorInput::default() }).switches.platforms;
        // Hermes' answer is `null` where the gateway's switch is followed.
        assert_eq!(platforms[0].streams, row["streaming"].as_bool() != Some(false), "{row}");
    }
    for row in table("platform_overrides") {
        let (name, config) = (row["platform"].as_str().unwrap(), row["config"].as_str().unwrap());
        let inner = config.strip_prefix('{').and_then(|config| config.strip_suffix('}')).unwrap();
        let config =
            format!("{inner}\nstreaming: {{enabled: true}}\nplatforms: {{{name}: {{enabled: true}}}}\n");
        let platforms =
            examine(&DoctorInput { config: Some(config), ..DoctorInput::default() }).switches.platforms;
        // Hermes' switch may be on for a platform that cannot edit; it does not stream all the same.
        let expected = row["on_with_global"].as_bool().unwrap() && name != "signal";
        assert_eq!(
            (platforms[0].streams, platforms[0].show_reasoning),
            (expected, row["show_reasoning"].as_bool().unwrap()),
            "{row}"
        );
    }
}

#[test]
fn no_secret_reaches_the_report() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/doctor/secrets");
    let report = serde_json::to_string(&examine(&input(&folder, &json!({})))).unwrap();
    for secret in ["super-secret", "hunter2", "ABCDEF0123456789", "k-0123456789"] {
        assert!(!report.contains(secret), "{secret} in {report}");
    }
    assert!(report.contains("models.example.com"), "the host is no secret");
}

#[test]
fn a_report_survives_its_own_json() {
    let report = examine(&DoctorInput {
        config: Some("agent: {stream_max_lifetime: 60}".to_owned()),
        ..DoctorInput::default()
    });
    assert_eq!(
        serde_json::from_str::<DoctorReport>(&serde_json::to_string(&report).unwrap()).unwrap(),
        report
    );
}

#[test]
fn hostile_text_is_examined_without_a_panic() {
    let deep = "[".repeat(10_000);
    let wide = "a: 1\n".repeat(3).replace('a', "é");
    let long = format!("k: {}", "x".repeat(2 << 20));
    let many: String = (0..60_000).map(|number| format!("k{number}: [1]\n")).collect();
    for text in [
        "\u{0}",
        "\u{feff}agent: {}",
        ": :",
        "- - - -",
        "a: !!python/object x",
        "? [a]\n: b",
        "*a",
        "&a *a",
        "<<: 1",
        "agent: [1]\nstreaming: {a: {b: c}}",
        "%YAML 9.9\n---\na: 1",
    ]
    .into_iter()
    .map(str::to_owned)
    .chain([deep, wide, long, many])
    {
        let report =
            examine(&DoctorInput { config: Some(text.clone()), env: Some(text), ..DoctorInput::default() });
        assert!(!report.timers.is_empty());
    }
}

proptest::proptest! {
    #[test]
    fn whatever_is_written_is_examined(config in "([a-z_]{1,9}: ?|[ \\t\\n:\\[\\]{},&*#'\"|>-]|[0-9.e]{1,4}|(on|off|null|~|<<)|\\PC){0,60}", env in "(HERMES_[A-Z_]{1,20}=?|[ \\n'\"#=]|\\PC){0,40}") {
        let report = examine(&DoctorInput { config: Some(config), env: Some(env), ..DoctorInput::default() });
        proptest::prop_assert!(report.timers.len() > 10);
    }
}
