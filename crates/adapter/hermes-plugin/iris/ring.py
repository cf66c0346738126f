"""Ring: the newest lines of what Hermes did, numbered, bounded, and safe to append to from any thread.

Lines stay after they were sent, so that an Iris that starts anew can ask for them again. When the ring is full the
oldest go. Lines that went before Iris acknowledged them are counted, by chat, until Iris has heard of it.
"""

import json
import threading
from collections import OrderedDict

MAX_LINES = 20_000
MAX_BYTES = 16 << 20
MAX_LINE_BYTES = 8 << 20
MAX_TEXT = 1_000_000
BATCH_BYTES = 256 << 10


def plain(value, depth=0):
    """The value as JSON can hold it; nothing in it is shared with the caller, and no text in it is endless."""
    if value is None or isinstance(value, (bool, int)):
        return value
    if isinstance(value, float):
        return value if value == value and abs(value) != float("inf") else None
    if isinstance(value, str):
        return value if len(value) <= MAX_TEXT else value[:MAX_TEXT] + "…"
    if depth > 20:
        return "…"
    if isinstance(value, dict):
        return {str(key): plain(item, depth + 1) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(item, depth + 1) for item in value]
    return f"<{type(value).__name__}>"


def encode(record):
    """One line of JSON as bytes, without the newline. A text that is no Unicode loses what is not."""
    text = json.dumps(plain(record), ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "replace")


class Ring:
    """The lines. Every method may be called from any thread and returns at once, `take` excepted."""

    def __init__(self, max_lines=MAX_LINES, max_bytes=MAX_BYTES):
        self.changed = threading.Condition()
        self._max_lines, self._max_bytes = max_lines, max_bytes
        self._lines = OrderedDict()  # number -> (chat, bytes)
        self._bytes = 0
        self._next = 1
        self._first = 1  # everything from here on is there
        self._acked = 0
        self._missed = {}  # chat -> lines that went before Iris had them
        self._told = 0  # the number up to which a told loss reaches
        self._last_edit = {}  # chat -> (message, number), while nothing else of the chat came after it

    def append(self, chat, record, edit_of=None):
        """Adds a line of a chat. An edit that directly follows an edit of the same message takes its place."""
        data = encode(record)
        if len(data) > MAX_LINE_BYTES:
            data = encode({"t_ms": record.get("t_ms", 0), "call": "too_long", "chat_id": chat})
        with self.changed:
            number = self._next
            self._next += 1
            before = self._last_edit.pop(chat, None)
            if edit_of is not None:
                self._last_edit[chat] = (edit_of, number)
                if before is not None and before[0] == edit_of:
                    self._forget(before[1])
            self._lines[number] = (chat, data)
            self._bytes += len(data)
            while len(self._lines) > 1 and (len(self._lines) > self._max_lines or self._bytes > self._max_bytes):
                self._drop_oldest()
            self.changed.notify_all()
            return number

    def _forget(self, number):
        line = self._lines.pop(number, None)
        if line is not None:
            self._bytes -= len(line[1])
        return line

    def _drop_oldest(self):
        number = next(iter(self._lines))
        chat, _ = self._forget(number)
        self._first = number + 1
        if number > self._acked:
            self._missed[chat] = self._missed.get(chat, 0) + 1

    def span(self):
        """The number of the first line from which on nothing is missing, and of the next one to come."""
        with self.changed:
            return self._first, self._next

    def ack(self, number):
        """Iris has every line up to this one, and what was told of lost ones before it."""
        with self.changed:
            self._acked = max(self._acked, min(number, self._next - 1))
            if self._told and number >= self._told:
                self._missed, self._told = {}, 0

    def missed(self):
        """How many lines of which chats went unheard; `{}` when none did, or when they were told already."""
        with self.changed:
            if not self._missed or self._told >= self._first:
                return {}
            self._told = self._first
            return dict(self._missed)

    def forget_told(self):
        """A new connection: what was told to the one before may not have arrived."""
        with self.changed:
            self._told = 0

    def take(self, after, timeout, other_work=lambda: False):
        """The lines behind `after` as `(number, bytes)`, some of them; empty when none came within the time, or there is
        other work for whoever waits."""
        with self.changed:
            if self._next <= after + 1 and not other_work():
                self.changed.wait(timeout)
            found, size = [], 0
            for number in range(max(after + 1, self._first), self._next):
                line = self._lines.get(number)
                if line is None:
                    continue
                found.append((number, line[1]))
                size += len(line[1])
                if size >= BATCH_BYTES:
                    break
            return found
