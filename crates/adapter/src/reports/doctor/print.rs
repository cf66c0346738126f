//! A report at a terminal: what is wrong first, then the switches and every timer with how it came about. Pure.

use std::fmt::Write as _;

use iris_core::stall::{
    doctor::{DoctorReport, Severity, Switch, Warning},
    log::{LogReading, Weight},
    timers::{File, Place},
};

use super::Files;

/// The report.
pub(super) fn report(report: &DoctorReport, files: &Files, bold: bool) -> String {
    let mut page = Page { out: String::new(), bold };
    for warning in &report.warnings {
        page.warning(warning, files);
    }
    if report.warnings.is_empty() {
        page.line("Nothing is wrong with these settings.");
    }
    page.head("Model");
    let route = &report.route;
    let model = if route.model.is_empty() { "no model is named" } else { &route.model };
    let host = if route.host.is_empty() { "the provider's own address" } else { &route.host };
    let local = if route.local { ", which counts as local" } else { "" };
    page.line(&format!(
        "{model} of {}, at {host}{local}; reckoned with a context of {} tokens (`--tokens N`)",
        route.provider, route.tokens
    ));
    page.head("Streaming");
    let switches = &report.switches;
    for switch in [&switches.command_line, &switches.gateway, &switches.model] {
        page.switch(switch, files);
    }
    page.line(&format!("  how often a reply grows: {}", switches.cadence.effect));
    for platform in &switches.platforms {
        let streams = if platform.streams { "streams" } else { "does not stream" };
        page.line(&format!("  {} {streams}: {}", platform.name, platform.why));
    }
    page.head(&format!("Timers of Hermes {}", report.hermes));
    let width = report.timers.iter().map(|timer| timer.name.chars().count()).max().unwrap_or(0);
    for timer in &report.timers {
        page.line(&format!("  {:<width$}  {}", timer.name, timer.explain()));
    }
    page.out
}

/// What a log says.
pub(super) fn log(log: &LogReading, bold: bool) -> String {
    let mut page = Page { out: String::new(), bold };
    page.head("The log");
    for sentence in &log.summary {
        page.line(sentence);
    }
    if log.events.is_empty() {
        page.line("No line of it says anything about a model call.");
    }
    for event in &log.events {
        let sign = match event.weight {
            Weight::Error => "✗",
            Weight::Warning => "!",
            Weight::Info => " ",
        };
        let times = if event.times > 1 { format!(" ({} times)", event.times) } else { String::new() };
        let at = event.at.as_deref().unwrap_or_default();
        page.line(&format!("{sign} line {:<6} {at}  {}{times}", event.line, event.title));
    }
    for change in &log.changes {
        page.line(&format!("  {} in {}: {}", change.setting, change.file, change.what));
    }
    page.out
}

struct Page {
    out: String,
    bold: bool,
}

impl Page {
    /// A line; what somebody else wrote in it moves no cursor.
    fn line(&mut self, text: &str) {
        let clean: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let _ = writeln!(self.out, "{}", clean.trim_end());
    }

    fn head(&mut self, text: &str) {
        let _ = match self.bold {
            true => writeln!(self.out, "\n\u{1b}[1m{text}\u{1b}[0m"),
            false => writeln!(self.out, "\n{text}"),
        };
    }

    fn warning(&mut self, warning: &Warning, files: &Files) {
        let word = match warning.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Hint => "hint",
        };
        let place = warning.place.map(|place| format!("{}: ", spell(place, files))).unwrap_or_default();
        self.line(&format!("{place}{word}: {} [{}]", warning.title, warning.id));
        if let Some(line) = &warning.line {
            self.line(&format!("    | {}", line.trim()));
        }
        self.line(&format!("    {}", warning.why));
        if !warning.write.is_empty() {
            let file = warning.write_in.map(|file| format!(" in {}", path(file, files))).unwrap_or_default();
            let place = match (&warning.under, warning.replaces) {
                (Some(under), _) if under.in_place => format!(" in place of line {}", under.line),
                (Some(under), _) => format!(" below line {} ({})", under.line, under.section),
                (None, true) => " in its place".to_owned(),
                (None, false) => String::new(),
            };
            self.line(&format!("    Write{file}{place}:"));
            for line in &warning.write {
                self.line(&format!("      {line}"));
            }
        }
        self.line("");
    }

    fn switch(&mut self, switch: &Switch, files: &Files) {
        let on = if switch.on { "on" } else { "off" };
        let from = switch.place.map_or_else(|| "the default".to_owned(), |place| spell(place, files));
        self.line(&format!("  {} is {on} ({from}): {}", switch.key, switch.what));
    }
}

fn spell(place: Place, files: &Files) -> String {
    format!("{}:{}", path(place.file, files), place.line)
}

fn path(file: File, files: &Files) -> String {
    match file {
        File::Config => files.config.display().to_string(),
        File::Env => files.env.display().to_string(),
    }
}
