//! The keys that Hermes knows, so that a slip of the pen can be told from a key of somebody else's.
//!
//! Only what is close to a known key is ever named: Hermes and its plugins read more than is listed here.

/// Keys of the whole file.
#[rustfmt::skip]
pub(super) const ROOT: &[&str] = &[
    "agent", "approvals", "attachments", "auth", "auxiliary", "bedrock", "browser", "checkpoints", "code_execution",
    "compression", "computer_use", "context", "cron", "curator", "custom_providers", "dashboard", "database", "delegation",
    "desktop", "discord", "display", "doctor", "fallback", "fallback_model", "fallback_providers", "gateway", "goals", "hooks",
    "human_delay", "kanban", "local_runtime", "logging", "loops", "lsp", "matrix", "mattermost", "mcp", "mcp_servers", "memory",
    "moa", "model", "model_catalog", "model_overrides", "monitoring", "network", "nous", "onboarding", "openrouter",
    "personalities", "platform_hints", "platform_toolsets", "platforms", "plugins", "privacy", "prompt_caching", "providers",
    "proxy", "runtime", "secrets", "security", "session", "sessions", "signal", "skills", "slack", "streaming", "stt",
    "telegram", "telemetry", "terminal", "timeouts", "timezone", "tool_loop_guardrails", "tool_output", "tools", "toolsets",
    "tts", "updates", "vertex", "vision", "voice", "web", "whatsapp",
];

/// Keys of `agent`.
#[rustfmt::skip]
pub(super) const AGENT: &[&str] = &[
    "api_max_retries", "auto_recovery_cycles", "budget_warning_ratio", "build_wait_timeout", "clarify_timeout",
    "coding_context", "coding_instructions", "cron_drain_timeout", "disabled_toolsets", "empty_response_guard",
    "environment_hint", "environment_probe", "execution_guidance", "fast_auto_seconds", "gateway_auto_continue_freshness",
    "gateway_notify_interval", "gateway_startup_restore_drain_timeout", "gateway_startup_warmup_timeout", "gateway_timeout",
    "gateway_timeout_warning", "gateway_turn_lease_timeout", "image_input_mode", "intent_ack_continuation",
    "local_stream_stale_timeout", "max_turns", "max_verify_nudges", "parallel_tool_call_guidance", "personalities",
    "prefill_messages_file", "reasoning_echo", "reasoning_effort", "reasoning_overrides", "reconnect_attention_after",
    "restart_after_turn_timeout", "restart_drain_timeout", "run_budget_seconds", "service_tier", "session_stall_timeout",
    "stall_guards", "stream_drain_timeout", "stream_max_lifetime", "system_prompt", "task_completion_guidance",
    "text_verbosity", "tool_use_enforcement", "turn_liveness", "verbose", "verify_guidance", "verify_on_stop",
];

/// Keys of `streaming`.
#[rustfmt::skip]
pub(super) const STREAMING: &[&str] = &[
    "buffer_threshold", "cursor", "edit_interval", "enabled", "fresh_final_after_seconds", "mode", "transport",
];

/// Keys of `display`.
#[rustfmt::skip]
pub(super) const DISPLAY: &[&str] = &[
    "background_process_notifications", "battery", "bell_on_complete", "bell_on_prompt", "busy_ack_detail", "busy_input_mode",
    "busy_steer_ack_enabled", "cleanup_progress", "cli_refresh_interval", "compact", "copy_shortcut", "ephemeral_system_ttl",
    "final_response_markdown", "focus_view", "friendly_tool_labels", "inline_diffs", "interface", "interim_assistant_messages",
    "language", "live_status", "long_running_notifications", "memory_notifications", "message_reactions", "mouse_tracking",
    "persist_prompts", "persistent_output", "persistent_output_max_lines", "personality", "platforms", "reasoning_full",
    "reasoning_style", "resume_display", "resume_exchanges", "resume_last_session", "runtime_footer", "show_commentary",
    "show_cost", "show_reasoning", "skin", "spinner_token_flow", "status_bar", "status_phrases", "streaming",
    "suppress_warning_notifications", "thinking_progress", "timestamp_format", "timestamps", "tool_preview_length",
    "tool_progress", "tool_progress_command", "tool_progress_grouping", "tool_progress_overrides", "tui_native",
    "turn_completion_explainer", "turn_summary", "user_message_preview", "vim_mode",
];

/// Keys of `display.platforms.<platform>`.
#[rustfmt::skip]
pub(super) const PLATFORM_DISPLAY: &[&str] = &[
    "busy_ack_detail", "busy_steer_ack_enabled", "cleanup_progress", "interim_assistant_messages", "live_status",
    "long_running_notifications", "memory_notifications", "reasoning_style", "runtime_footer", "show_reasoning",
    "status_phrases", "streaming", "suppress_warning_notifications", "thinking_progress", "tool_preview_length",
    "tool_progress", "tool_progress_grouping",
];

/// Keys of `model`.
#[rustfmt::skip]
pub(super) const MODEL: &[&str] = &[
    "aliases", "api_key", "api_key_env", "api_mode", "auth_mode", "base_url", "context_length", "default", "extra", "key_env",
    "lmstudio_load_mode", "max_tokens", "name", "ollama_num_ctx", "openai_runtime", "persist_switch_by_default", "provider",
    "reasoning_echo", "service_tier", "streaming", "supports_vision",
];

/// Keys of `providers.<provider>`.
#[rustfmt::skip]
pub(super) const PROVIDER: &[&str] = &[
    "api", "api_key", "api_key_env", "api_mode", "base_url", "context_length", "default_model", "enabled", "extra_body",
    "extra_headers", "key_env", "model", "models", "name", "request_timeout_seconds", "ssl_ca_cert", "ssl_verify",
    "stale_timeout_seconds", "transport", "url",
];

/// Keys of `providers.<provider>.models.<model>`.
#[rustfmt::skip]
pub(super) const PROVIDER_MODEL: &[&str] =
    &["context_length", "max_tokens", "stale_timeout_seconds", "supports_vision", "timeout_seconds"];

/// Keys of `plugins`.
#[rustfmt::skip]
pub(super) const PLUGINS: &[&str] = &[
    "auto_apply", "auto_update_check_hours", "clone_timeout_seconds", "disabled", "enabled", "hook_callback_timeout", "host",
    "isolation", "load_timeout_seconds", "stream_reasoning_deltas",
];

/// The variables that decide a timer.
#[rustfmt::skip]
pub(super) const VARIABLES: &[&str] = &[
    "HERMES_AGENT_NOTIFY_INTERVAL", "HERMES_AGENT_TIMEOUT", "HERMES_AGENT_TIMEOUT_WARNING", "HERMES_API_CALL_STALE_TIMEOUT",
    "HERMES_API_TIMEOUT", "HERMES_CODEX_EVENT_STALE_TIMEOUT_SECONDS", "HERMES_CODEX_HARD_TIMEOUT_SECONDS",
    "HERMES_CODEX_TTFB_DISABLE_ABOVE_TOKENS", "HERMES_CODEX_TTFB_MAX_SECONDS", "HERMES_CODEX_TTFB_STRICT",
    "HERMES_CODEX_TTFB_TIMEOUT_SECONDS", "HERMES_LOCAL_STREAM_STALE_TIMEOUT", "HERMES_STREAM_READ_TIMEOUT",
    "HERMES_STREAM_RETRIES", "HERMES_STREAM_STALE_GIVEUP", "HERMES_STREAM_STALE_TIMEOUT",
];

/// The known key that `key` was most likely meant to be; `None` when it is known or like none.
pub(super) fn nearest(key: &str, known: &'static [&'static str]) -> Option<&'static str> {
    if key.is_empty() || key.chars().count() > 64 || known.contains(&key) {
        return None;
    }
    let plain = |text: &str| text.to_lowercase().replace(['-', ' ', '.'], "_");
    let written = plain(key);
    let scored = known.iter().map(|name| (strsim::osa_distance(&written, &plain(name)), *name));
    let (distance, name) = scored.min_by_key(|(distance, _)| *distance)?;
    // Two slips in a short name are another name.
    let most = if name.chars().count() < 6 { 1 } else { 1usize.saturating_add(name.chars().count() / 6) };
    (distance <= most).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_pen_is_told_from_another_key() {
        for (key, expected) in [
            ("edit_intervall", Some("edit_interval")),
            ("edit-interval", Some("edit_interval")),
            ("Enabled", Some("enabled")),
            ("buffer_treshold", Some("buffer_threshold")),
            ("enabled", None),
            ("chunk_size", None),
            ("", None),
        ] {
            assert_eq!(nearest(key, STREAMING), expected, "{key}");
        }
        assert_eq!(nearest("steaming", ROOT), Some("streaming"));
        assert_eq!(nearest("mem", ROOT), None);
    }
}
