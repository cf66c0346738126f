//! Where a call goes: provider, model, endpoint, wire.

use super::RouteReport;
use super::yaml::Node;
use crate::stall::timers::{Inputs, Route, Transport};

/// The route that the configuration names, for `model` if one is given.
pub(super) fn read(root: Option<&Node>, model: Option<&str>) -> Route {
    let text = |path: &[&str]| {
        root.and_then(|root| root.at_path(path)?.value.scalar().map(|scalar| scalar.text.trim().to_owned()))
            .filter(|text| !text.is_empty())
    };
    // `model: name` is short for `model: {default: name}`.
    let model = model.map(str::trim).filter(|model| !model.is_empty()).map(str::to_owned);
    let model = model
        .or_else(|| text(&["model", "default"]))
        .or_else(|| text(&["model", "model"]))
        .or_else(|| text(&["model", "name"]))
        .or_else(|| text(&["model"]));
    let named = text(&["model", "provider"]).unwrap_or_else(|| "auto".to_owned());
    let of_provider = |key: &str| text(&["providers", &named, key]);
    let base_url = text(&["model", "base_url"])
        .or_else(|| ["base_url", "api", "url"].into_iter().find_map(of_provider))
        .unwrap_or_default();
    let mode =
        text(&["model", "api_mode"]).or_else(|| of_provider("api_mode")).or_else(|| of_provider("transport"));
    let transport = transport(&named, &base_url, mode.as_deref());
    let provider = if root.is_some_and(|root| is_own(root, &named)) { "custom".to_owned() } else { named };
    let effort = text(&["agent", "reasoning_effort"]).unwrap_or_default().to_lowercase();
    let high_effort = matches!(effort.as_str(), "high" | "xhigh" | "max" | "ultra");
    Route { provider, model: model.unwrap_or_default(), base_url, transport, high_effort }
}

/// The providers that Hermes knows by name. Not all of them: those with which an own endpoint could be mistaken.
const BUILT_IN: [&str; 20] = [
    "alibaba",
    "anthropic",
    "auto",
    "bedrock",
    "copilot",
    "custom",
    "deepseek",
    "gemini",
    "groq",
    "kimi",
    "lmstudio",
    "meta",
    "minimax",
    "mistral",
    "nous",
    "openai",
    "openai-codex",
    "openrouter",
    "xai",
    "zai",
];

/// Whether `name` is a provider of the user's own: `providers.<name>` with an endpoint. Hermes runs it as `custom`, and looks its timeouts up there.
pub(super) fn is_own(root: &Node, name: &str) -> bool {
    !BUILT_IN.contains(&name)
        && ["base_url", "api", "url"].iter().any(|key| root.at_path(&["providers", name, key]).is_some())
}

/// The wire, in Hermes' order: what is written, the provider's own, what the host demands.
fn transport(provider: &str, base_url: &str, mode: Option<&str>) -> Transport {
    match mode {
        // For a plain endpoint of the user's own Hermes believes in Responses only where the host speaks nothing else.
        Some("codex_responses") if provider != "custom" => return Transport::CodexResponses,
        Some("anthropic_messages") => return Transport::AnthropicMessages,
        Some("bedrock_converse") => return Transport::BedrockConverse,
        Some("chat_completions") => return Transport::ChatCompletions,
        _ => {}
    }
    let host = host(base_url);
    let path = base_url.trim_end_matches('/');
    match (provider, host.as_str()) {
        ("openai-codex" | "xai" | "xai-oauth", _)
        | (_, "chatgpt.com" | "api.x.ai" | "api.meta.ai" | "api.router.com" | "api.openai.com") => {
            Transport::CodexResponses
        }
        ("anthropic", _) | (_, "api.anthropic.com") => Transport::AnthropicMessages,
        ("bedrock", _) => Transport::BedrockConverse,
        _ if path.ends_with("/anthropic") => Transport::AnthropicMessages,
        _ => Transport::ChatCompletions,
    }
}

/// The host of an address; never its user or password.
pub(super) fn host(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let authority = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let end = if authority.starts_with('[') {
        authority.find(']').map(|end| end.saturating_add(1))
    } else {
        authority.find(':')
    };
    authority.get(..end.unwrap_or(authority.len())).unwrap_or(authority).to_ascii_lowercase()
}

/// The route as the report shows it.
pub(super) fn report(inputs: &Inputs) -> RouteReport {
    let route = &inputs.route;
    RouteReport {
        model: route.model.clone(),
        provider: route.provider.clone(),
        host: host(&route.base_url),
        local: inputs.local(),
        transport: route.transport,
        tokens: inputs.load.tokens,
    }
}
