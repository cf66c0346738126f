"""The plugin hooks that Iris uses, and of each the arguments that it reads."""

HOOKS = {
    "on_stream_start": ("iteration", "model", "provider"),
    "on_stream_delta": ("iteration", "kind", "delta"),
    "on_stream_end": ("iteration", "final_text", "error"),
    "on_interim_message": (),
    "pre_tool_call": ("tool_name", "args", "tool_call_id"),
    "post_tool_call": ("tool_name", "args", "tool_call_id", "result", "duration_ms", "status"),
    "post_api_request": ("response_model", "model", "usage", "response"),
    "api_request_error": ("error", "api_call_count"),
    "on_session_end": ("failed", "interrupted"),
    "pre_approval_request": ("command", "description"),
    "post_approval_response": ("choice",),
    "on_human_input_request": ("kind", "prompt"),
    "on_human_input_resolved": ("kind", "outcome"),
}
# An agent may work aside in the same chat. Its questions are for the user, its steps are not shown.
QUESTIONS = {"pre_approval_request", "post_approval_response", "on_human_input_request", "on_human_input_resolved"}
_KEY = "agent:main:iris:dm:"
# Of the newest turns the request that writes text: the text comes with the messages, only when it began does not.
_WRITING = {}
_TURNS = 100


def chat_of(arguments):
    """The chat that a hook is about: by its session key, else by the session that runs in this context."""
    key = arguments.get("session_key")
    if isinstance(key, str) and key:
        return key[len(_KEY):] if key.startswith(_KEY) else None
    try:
        from gateway.session_context import get_session_env
    except ImportError:
        return None
    if get_session_env("HERMES_SESSION_PLATFORM") != "iris":
        return None
    return get_session_env("HERMES_SESSION_CHAT_ID") or None


def works_aside():
    """Whether the agent that works in this context is not the one that talks in the chat: another sent it, or it looks
    back at the turn when that is over."""
    try:
        from agent.delegation_context import is_delegated_child_context
        from tools.skill_provenance import get_current_write_origin
    except ImportError:
        return False
    return is_delegated_child_context() or get_current_write_origin() not in ("", "foreground", "assistant_tool")


def spoken(response):
    """Of a response, what was said before its tools, and of those the names: the rest comes with their own hooks."""
    said = response.get("assistant_message") if isinstance(response, dict) else None
    if not isinstance(said, dict) or not said.get("tool_calls"):
        return {}
    names = [{"name": call.get("name")} for call in said["tool_calls"] if isinstance(call, dict)]
    return {"assistant_message": {"content": said.get("content"), "tool_calls": names}}


def begins_text(arguments):
    """Whether this is the first text of its request."""
    turn, request = arguments.get("turn_id"), arguments.get("iteration")
    if turn in _WRITING and _WRITING[turn] == request:
        return False
    while len(_WRITING) >= _TURNS:
        _WRITING.pop(next(iter(_WRITING)), None)
    _WRITING[turn] = request
    return True


def hook(name, record):
    """The callback for a hook: it observes, and whatever happens in it, Hermes does not notice."""
    wanted = HOOKS[name]

    def callback(**arguments):
        try:
            if name == "on_stream_start":
                _WRITING.pop(arguments.get("turn_id"), None)
            if name == "on_stream_delta" and arguments.get("kind") != "reasoning":
                if not begins_text(arguments):
                    return
                arguments["delta"] = ""
            if name not in QUESTIONS and works_aside():
                return
            chat = chat_of(arguments)
            if chat is not None:
                kwargs = {key: arguments[key] for key in wanted if arguments.get(key) is not None}
                if "response" in kwargs:
                    kwargs["response"] = spoken(kwargs["response"])
                record(chat, f"hook:{name}", kwargs=kwargs)
        except Exception:  # an observer must never stop a turn
            pass

    callback.__name__ = f"iris_{name}"
    return callback
