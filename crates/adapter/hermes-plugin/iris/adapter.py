"""The platform adapter: everything Hermes calls on it becomes a line, every message from Iris a `MessageEvent`.

What a call means is decided in Iris. Nothing here waits for Iris: a call appends a line and returns.
"""

import asyncio
import itertools
import logging
import time

from gateway.config import Platform
from gateway.platforms.base import BasePlatformAdapter, SendResult
from gateway.platforms.event import MessageEvent, MessageType

from .bridge import Bridge, bridge_file, post
from .hooks import HOOKS, hook
from .ring import Ring

PLATFORM = "iris"
USER = "iris"
# How long a message may keep the next one of its chat waiting.
HANDING_SECONDS = 10.0

logger = logging.getLogger(__name__)

# One of each in a gateway process: an adapter may be made anew while the process goes on.
RING = Ring()
_IDS = itertools.count(1)
_STARTED = time.monotonic()
_adapter = None
_busy = set()


def record(chat, call, edit_of=None, **arguments):
    """Appends a line."""
    t_ms = int((time.monotonic() - _STARTED) * 1000)
    RING.append(chat, {"t_ms": t_ms, "call": call, "chat_id": chat, **arguments}, edit_of)


class IrisAdapter(BasePlatformAdapter):
    """Hermes' side of Iris."""

    # An answer of any length stays one message.
    MAX_MESSAGE_LENGTH = 1_000_000
    splits_long_messages = True
    supports_code_blocks = True
    REQUIRES_EDIT_FINALIZE = True

    def __init__(self, config):
        super().__init__(config=config, platform=Platform(PLATFORM))
        self._loop = None
        self._queues = {}

    async def connect(self, *, is_reconnect=False):
        global _adapter
        _adapter, self._loop = self, asyncio.get_running_loop()
        BRIDGE.start()
        self._mark_connected()
        return True

    async def disconnect(self):
        self._mark_disconnected()

    async def get_chat_info(self, chat_id):
        return {"name": "Iris", "type": "dm"}

    # What Hermes says.

    async def send(self, chat_id, content, reply_to=None, metadata=None):
        message_id = f"m{next(_IDS)}"
        record(chat_id, "send", content=content, reply_to=reply_to, metadata=metadata, returns=message_id)
        return SendResult(success=True, message_id=message_id)

    async def edit_message(self, chat_id, message_id, content, *, finalize=False, metadata=None):
        arguments = {"message_id": message_id, "content": content, "finalize": finalize}
        record(chat_id, "edit_message", None if finalize else message_id, **arguments)
        return SendResult(success=True, message_id=message_id)

    async def delete_message(self, chat_id, message_id):
        record(chat_id, "delete_message", message_id=message_id)
        return True

    async def on_processing_start(self, event):
        _busy.add(event.source.chat_id)
        record(event.source.chat_id, "on_processing_start", text=event.text, message_id=event.message_id)

    async def on_processing_complete(self, event, outcome):
        _busy.discard(event.source.chat_id)
        value = getattr(outcome, "value", str(outcome))
        record(event.source.chat_id, "on_processing_complete", text=event.text, outcome=value)

    # Files.

    def _file(self, chat_id, call, caption, **arguments):
        record(chat_id, call, caption=caption, **arguments)
        return SendResult(success=True, message_id=f"m{next(_IDS)}")

    async def send_image(self, chat_id, image_url, caption=None, reply_to=None, metadata=None):
        return self._file(chat_id, "send_image", caption, image_url=image_url)

    async def send_animation(self, chat_id, animation_url, caption=None, reply_to=None, metadata=None):
        return self._file(chat_id, "send_animation", caption, animation_url=animation_url)

    async def send_image_file(self, chat_id, image_path, caption=None, reply_to=None, metadata=None, **_):
        return self._file(chat_id, "send_image_file", caption, image_path=str(image_path))

    async def send_document(self, chat_id, file_path, caption=None, file_name=None, reply_to=None, metadata=None, **_):
        return self._file(chat_id, "send_document", caption, file_path=str(file_path), file_name=file_name)

    async def send_voice(self, chat_id, audio_path, caption=None, reply_to=None, metadata=None, **_):
        return self._file(chat_id, "send_voice", caption, audio_path=str(audio_path))

    async def send_video(self, chat_id, video_path, caption=None, reply_to=None, metadata=None, **_):
        return self._file(chat_id, "send_video", caption, video_path=str(video_path))

    # What the user says.

    def take(self, message):
        """In the gateway's loop: the messages of a chat one after the other."""
        chat = message["chat"]
        queue = self._queues.get(chat)
        if queue is None:
            queue = self._queues[chat] = asyncio.Queue()
            task = asyncio.create_task(self._hand_in(queue))
            self._background_tasks.add(task)
            task.add_done_callback(self._background_tasks.discard)
        queue.put_nowait(message)

    async def _hand_in(self, queue):
        while True:
            message = await queue.get()
            chat, message_id = message["chat"], message["message_id"]
            event = self._event(message)
            record(chat, "inbound", text=event.text, message_id=message_id)
            task = asyncio.create_task(self.handle_message(event))
            task.add_done_callback(lambda done, chat=chat: _report(chat, done))
            await asyncio.wait({task}, timeout=HANDING_SECONDS)
            BRIDGE.taken(chat, message_id)

    def _event(self, message):
        text, media = str(message.get("text") or ""), message.get("media") or []
        kind = "command" if text.startswith("/") and not media else str(message.get("kind") or "text")
        source = self.build_source(
            chat_id=message["chat"], chat_name="Iris", chat_type="dm", user_id=USER, user_name="Iris")
        return MessageEvent(
            text=text, message_type=MessageType(kind), source=source, message_id=message["message_id"],
            media_urls=[str(item["path"]) for item in media], media_types=[str(item["type"]) for item in media])


def _report(chat, done):
    if not done.cancelled() and done.exception() is not None:
        logger.error("Hermes could not take a message", exc_info=done.exception())
        record(chat, "send", content=f"⚠️ Hermes could not take this message: {done.exception()}", metadata=None)


def _message(message):
    """In the bridge's thread."""
    adapter = _adapter
    if adapter is not None:
        adapter._loop.call_soon_threadsafe(adapter.take, message)


def _ready():
    """Whether Hermes takes messages: while a gateway starts, it only sets them aside."""
    return _adapter is not None and not getattr(_adapter.gateway_runner, "_startup_restore_in_progress", False)


def _about():
    from .about import about

    # When the lines' clock began, milliseconds since 1970: it is measured anew each time, because it does not sleep with the
    # machine.
    clock_ms = int(time.time() * 1000 - (time.monotonic() - _STARTED) * 1000)
    return {"clock_ms": clock_ms, **about()}


BRIDGE = Bridge(bridge_file(), RING, _about, _message, lambda: list(_busy), _ready)


async def _send_alone(config, chat_id, message, *, thread_id=None, media_files=None, force_document=False):
    """`hermes send`, and scheduled messages of another process than the gateway."""
    files = [str(item[0] if isinstance(item, (list, tuple)) else item) for item in media_files or []]
    trouble = await asyncio.to_thread(post, bridge_file(), str(chat_id), message, files)
    return {"error": trouble} if trouble else {"success": True, "message_id": f"m{next(_IDS)}"}


def register(ctx):
    """What Hermes calls when it loads the plugin."""
    for name in HOOKS:
        ctx.register_hook(name, hook(name, record))
    ctx.register_platform(
        name=PLATFORM, label="Iris", adapter_factory=IrisAdapter, check_fn=lambda: True,
        is_connected=lambda config: bridge_file().exists(),
        allowed_users_env="IRIS_ALLOWED_USERS", allow_all_env="IRIS_ALLOW_ALL_USERS",
        standalone_sender_fn=_send_alone, cron_deliver_env_var="IRIS_HOME_CHANNEL", emoji="🌈", display_tier="high",
        platform_hint="You are chatting in Iris, a web chat. It renders Markdown, tables and fenced code, shows images, "
                      "and offers other files for download.")
