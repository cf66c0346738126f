"""Bridge: the line to the Iris adapter on this machine. It connects, proves itself, sends lines, hands messages over,
and begins anew for ever. It runs in threads of its own and decides nothing.

Both sides prove that they know the token of `bridge.json` without ever sending it: whoever else listens on or connects
to the port learns nothing and is not talked to.
"""

import hashlib
import hmac
import json
import logging
import os
import secrets
import socket
import threading
import time
from collections import OrderedDict
from pathlib import Path

PROTOCOL = 1
MAX_LINE_BYTES = 16 << 20
HANDSHAKE_SECONDS = 5.0
SEND_SECONDS = 30.0
WAIT_SECONDS = 1.0
BACKOFF_SECONDS = (0.2, 3.0)
REMEMBERED = 4_000

logger = logging.getLogger(__name__)


class BridgeError(Exception):
    """The other side does not keep to the protocol, or is not the adapter."""


def proof(token, who, nonces):
    """What only someone who knows the token can say about these nonces."""
    text = ":".join((who, *nonces))
    return hmac.new(token.encode(), text.encode(), hashlib.sha256).hexdigest()


def settings(path):
    """`(host, port, token)` from `bridge.json`."""
    found = json.loads(Path(path).read_text("utf-8"))
    host, port, token = found.get("host", "127.0.0.1"), found["port"], found["token"]
    if not isinstance(port, int) or not isinstance(token, str) or len(token) < 32:
        raise BridgeError(f"{path} has no usable port and token")
    return str(host), port, token


class Lines:
    """Reads JSON objects, one a line, from a socket."""

    def __init__(self, sock):
        self._sock, self._rest = sock, b""

    def read(self):
        """The next object; `None` at the end. A timeout of the socket passes through and loses nothing."""
        while b"\n" not in self._rest:
            if len(self._rest) > MAX_LINE_BYTES:
                raise BridgeError("a line is too long")
            piece = self._sock.recv(65536)
            if not piece:
                return None
            self._rest += piece
        line, self._rest = self._rest.split(b"\n", 1)
        found = json.loads(line)
        if not isinstance(found, dict):
            raise BridgeError("a line holds no object")
        return found


def shake_hands(sock, lines, token, hello):
    """Proves itself and lets the adapter do so; behind which line it wants to hear."""
    challenge = lines.read() or {}
    theirs, ours = challenge.get("nonce"), secrets.token_hex(16)
    if challenge.get("type") != "challenge" or not isinstance(theirs, str):
        raise BridgeError("this is not the Iris adapter")
    own = proof(token, "plugin", (theirs, ours))
    _send(sock, {"type": "hello", "protocol": PROTOCOL, "nonce": ours, "proof": own, **hello})
    welcome = lines.read()
    if welcome is None:
        raise BridgeError("Iris does not let this plugin in: run `iris-adapter install-plugin` again")
    expected = proof(token, "adapter", (theirs, ours))
    if welcome.get("type") != "welcome" or not hmac.compare_digest(str(welcome.get("proof")), expected):
        raise BridgeError("whoever listens here is not your Iris adapter")
    after = welcome.get("after")
    return after if isinstance(after, int) and after >= 0 else 0


def post(path, chat, text, files):
    """Delivers one message from outside the gateway; what is wrong, or `None`."""
    try:
        host, port, token = settings(path)
        with socket.create_connection((host, port), timeout=HANDSHAKE_SECONDS) as sock:
            lines = Lines(sock)
            shake_hands(sock, lines, token, {"courier": True, "instance": "", "first": 1})
            _send(sock, {"type": "post", "chat": chat, "text": text, "files": files})
            posted = lines.read() or {}
    except (OSError, ValueError, KeyError, BridgeError) as error:
        return f"Iris cannot be reached: {error}"
    return None if posted.get("ok") is True else f"Iris has no chat {chat}"


class Bridge:
    """The line. `on_message(message)` is called in the bridge's thread, once for each message id; `about()` is what to say
    in `hello`, `busy()` the chats in which Hermes is at work, `ready()` whether it takes messages."""

    def __init__(self, path, ring, about, on_message, busy=list, ready=lambda: True):
        self.instance = secrets.token_hex(8)
        self._path, self._ring, self._about, self._on_message, self._busy = path, ring, about, on_message, busy
        self._ready = ready
        self._thread = None
        self._stopped = threading.Event()
        self._lock = threading.Lock()
        self._known = OrderedDict()  # (chat, message id) -> whether it is with Hermes
        self._taken = []  # ids to be told
        self._told_trouble = None

    def start(self):
        """Connects, and again whenever the line breaks; once is enough."""
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="iris-bridge", daemon=True)
                self._thread.start()

    def stop(self):
        """Ends the line for good."""
        self._stopped.set()
        with self._ring.changed:
            self._ring.changed.notify_all()

    def taken(self, chat, message_id):
        """Hermes has the message: the adapter need not keep it any more."""
        with self._lock:
            self._known[chat, message_id] = True
            self._taken.append((chat, message_id))
        with self._ring.changed:
            self._ring.changed.notify_all()

    def _run(self):
        wait = BACKOFF_SECONDS[0]
        while not self._stopped.is_set():
            began = time.monotonic()
            try:
                self._once()
            except (OSError, ValueError, KeyError, BridgeError) as error:
                self._complain(error)
            except Exception:
                logger.exception("the line to Iris broke")
            if time.monotonic() - began > BACKOFF_SECONDS[1]:
                wait = BACKOFF_SECONDS[0]
            self._stopped.wait(wait)
            wait = min(wait * 2, BACKOFF_SECONDS[1])

    def _complain(self, error):
        """Each trouble once: Iris may be away for days."""
        text = f"{type(error).__name__}: {error}"
        if text != self._told_trouble:
            self._told_trouble = text
            logger.info("Iris is not connected (%s); trying again until it is", text)

    def _once(self):
        host, port, token = settings(self._path)
        with socket.create_connection((host, port), timeout=HANDSHAKE_SECONDS) as sock:
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            lines = Lines(sock)
            first, next_ = self._ring.span()
            hello = {"instance": self.instance, "first": first, "next": next_, **self._about()}
            after, known = shake_hands(sock, lines, token, hello), next_ - 1
            logger.info("Iris is connected")
            self._told_trouble = None
            sock.settimeout(SEND_SECONDS)
            gone = threading.Event()
            reader = threading.Thread(target=self._read, args=(sock, lines, gone), name="iris-bridge-reader", daemon=True)
            reader.start()
            try:
                self._write(sock, after, known, gone)
            finally:
                gone.set()
                try:
                    sock.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass
                reader.join(SEND_SECONDS)

    def _write(self, sock, after, known, gone):
        """Tells lines and what else there is; once everything up to `known` is told and Hermes is ready, says so."""
        self._ring.forget_told()
        told_ready = False
        while not gone.is_set() and not self._stopped.is_set():
            missed = self._ring.missed()
            if missed:
                _send(sock, {"type": "missed", "chats": missed, "busy": self._busy()})
            with self._lock:
                taken, self._taken = self._taken, []
            for chat, message_id in taken:
                _send(sock, {"type": "taken", "chat": chat, "message_id": message_id})
            batch = self._ring.take(after, WAIT_SECONDS, lambda: self._taken or gone.is_set())
            if batch:
                sock.sendall(b"".join(b'{"type":"line","n":%d,"line":%s}\n' % line for line in batch))
                after = batch[-1][0]
            if not told_ready and after >= known and self._ready():
                _send(sock, {"type": "ready"})
                told_ready = True

    def _read(self, sock, lines, gone):
        try:
            while not gone.is_set():
                try:
                    found = lines.read()
                except TimeoutError:
                    continue
                if found is None:
                    return
                self._take(found)
        except (OSError, ValueError, BridgeError) as error:
            logger.debug("the line to Iris ended: %s", error)
        except Exception:
            logger.exception("a line from Iris could not be handled")
        finally:
            gone.set()
            with self._ring.changed:
                self._ring.changed.notify_all()
            # Whoever writes may be in the middle of it.
            try:
                sock.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def _take(self, found):
        if found.get("type") == "ack" and isinstance(found.get("n"), int):
            self._ring.ack(found["n"])
        elif found.get("type") == "message":
            self._message(found)

    def _message(self, message):
        chat, message_id = message.get("chat"), message.get("message_id")
        if not isinstance(message_id, str) or not isinstance(chat, str):
            return
        with self._lock:
            known = self._known.get((chat, message_id))
            if known is None:
                self._known[chat, message_id] = False
                while len(self._known) > REMEMBERED:
                    self._known.popitem(last=False)
        if known is None:
            self._on_message(message)
        elif known:
            self.taken(chat, message_id)


def _send(sock, message):
    sock.sendall(json.dumps(message, ensure_ascii=False).encode("utf-8", "replace") + b"\n")


def bridge_file():
    """Where `iris-adapter install-plugin` puts the settings: beside this file."""
    return Path(os.path.dirname(os.path.abspath(__file__))) / "bridge.json"
