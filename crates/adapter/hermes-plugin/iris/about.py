"""What Hermes says of itself in `hello`: version, model, slash commands. Everything here may fail alone."""

import logging

logger = logging.getLogger(__name__)
MAX_COMMANDS = 500
# A text that every gateway has.
TEXT = "gateway.progress.tool_preview"


def about():
    """The fields for `hello`; what cannot be found is left out."""
    return {
        "plugin": plugin_version(),
        "hermes": _try(_version, ""),
        "model": _try(_model, ""),
        "commands": commands(),
        "texts": _try(_texts, None),
    }


def plugin_version():
    """The version that the plugin's own manifest names."""
    from pathlib import Path

    for line in (Path(__file__).parent / "plugin.yaml").read_text("utf-8").splitlines():
        if line.startswith("version:"):
            return line.split(":", 1)[1].strip()
    return ""


def commands():
    """Every slash command that the gateway takes: `{name, description, args}`."""
    found = {}
    for source in (_built_in, _plugins, _skills):
        for name, description, args in _try(source, []):
            name = str(name).lstrip("/")
            if name and name not in found:
                found[name] = {"name": name, "description": str(description or ""), "args": str(args or "")}
    return list(found.values())[:MAX_COMMANDS]


def _try(find, fallback):
    try:
        return find()
    except Exception:
        logger.debug("Hermes does not tell %s", find.__name__, exc_info=True)
        return fallback


def _version():
    from importlib import metadata

    from hermes_cli import __version__

    return str(__version__ or metadata.version("hermes-agent"))


def _model():
    from hermes_cli.config import cfg_get, load_config_readonly

    found = cfg_get(load_config_readonly(), "model", "default", default="")
    return found if isinstance(found, str) else ""


def _texts():
    """Whether Hermes has its texts: one that is packaged without them says their names instead."""
    from agent.i18n import t

    return t(TEXT) != TEXT


def _built_in():
    from hermes_cli import commands as registry

    gates = registry._resolve_config_gates()
    return [
        (command.name, command.describe(), command.args_hint)
        for command in registry.COMMAND_REGISTRY
        if registry._is_gateway_available(command, gates) and command.name not in ("start", "topic")
    ]


def _plugins():
    from hermes_cli import commands as registry

    return registry._iter_plugin_command_entries()


def _skills():
    from agent.skill_commands import get_skill_commands

    return [(name, found.get("description", ""), "") for name, found in get_skill_commands().items()]
