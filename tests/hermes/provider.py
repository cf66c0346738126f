#!/usr/bin/env python3
"""A model provider for tests: an OpenAI-compatible server on the loopback whose answers the test chooses.

Owns what the model says. It knows nothing of Hermes, and Hermes takes it for any other provider.

The last `@@scenario` in a user's message chooses the answer; README.md lists them. A scenario may carry a number
(`@@bytes100000`) and a gate (`@@tools:g1`), and the words after it a path. Behind a gate the answer comes in the steps that the test allows, one permit a
part, so that no test depends on time.

usage: provider.py      prints its port as the first line, listens until its standard input ends
"""
import base64
import json
import re
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

MODEL = "demo-model"
# A delta has so many characters.
STEP = 24
PATH = re.compile(r"/\S+")
SCENARIO = re.compile(r"@@([a-z]+)(\d*)(?::([\w-]+))?")
USAGE = {
    "prompt_tokens": 2100,
    "completion_tokens": 120,
    "total_tokens": 2220,
    "prompt_tokens_details": {"cached_tokens": 512},
}

SUMMARY = """## Summary of the repository

The project is a **small Rust demo**. Here is what I found:

1. `Cargo.toml` declares the package `demo`.
2. `README.md` is one line long.

| File | Purpose |
| --- | --- |
| `Cargo.toml` | Package manifest |
| `README.md` | Title |

```rust
fn main() {
    println!("hello");
}
```

> The failing command was `cat missing.txt`: there is no such file, and that is harmless.

Numbers such as 1 234,56 pass through unchanged, and so do [links](https://doc.rust-lang.org/book/) and emoji: 🦀 ✅.
"""


class Gate:
    """Lets a test say how far an answer may go."""

    def __init__(self):
        self.changed = threading.Condition()
        self.permits = 0
        self.opened = False
        self.passed = 0
        self.waiting = 0

    def allow(self, permits, opened):
        with self.changed:
            self.permits += permits
            self.opened = self.opened or opened
            self.changed.notify_all()

    def take(self, alive):
        """Waits for a permit. `alive` is called now and then; it raises when nobody reads the answer any more."""
        with self.changed:
            self.waiting += 1
            self.changed.notify_all()
            try:
                while not self.opened and self.permits == 0:
                    if not self.changed.wait(0.5):
                        alive()
            finally:
                self.waiting -= 1
            if not self.opened:
                self.permits -= 1
            self.passed += 1
            self.changed.notify_all()

    def state(self):
        with self.changed:
            return {"passed": self.passed, "waiting": self.waiting}


class World:
    """What all connections share."""

    lock = threading.Lock()
    gates = {}
    requests = []

    @classmethod
    def gate(cls, name):
        with cls.lock:
            return cls.gates.setdefault(name, Gate())

    @classmethod
    def note(cls, request):
        with cls.lock:
            cls.requests.append(request)


class Request:
    """What a scenario may look at."""

    def __init__(self, body):
        self.messages = body.get("messages") or []
        self.tools = bool(body.get("tools"))
        self.stream = bool(body.get("stream"))
        self.scenario, self.number, self.gate = "plain", 0, None
        start = -1
        for index, message in enumerate(self.messages):
            found = SCENARIO.findall(text_of(message)) if message.get("role") == "user" else []
            if found:
                start = index
                self.scenario, number, gate = found[-1]
                self.number, self.gate = int(number or 0), gate or None
        self.asked = text_of(self.messages[start]).rpartition("@@")[2] if start >= 0 else ""
        self.path = PATH.search(self.asked)
        self.path = self.path.group() if self.path else ""
        after = self.messages[start + 1 :]
        # The tool results since the user asked say how far the turn is.
        self.step = sum(message.get("role") == "tool" for message in after)
        self.later = [text_of(message) for message in after if message.get("role") == "user"]
        self.images = images_of(self.messages[start]) if start >= 0 else []

    def record(self):
        return {
            "scenario": self.scenario,
            "step": self.step,
            "tools": self.tools,
            "roles": [message.get("role") for message in self.messages],
            "last": text_of(self.messages[-1]) if self.messages else "",
            "images": [{"type": kind, "bytes": size} for kind, size in self.images],
        }


def text_of(message):
    content = message.get("content") or ""
    if isinstance(content, str):
        return content
    return " ".join(part.get("text") or "" for part in content if isinstance(part, dict))


def images_of(message):
    """The images of a message, each as its media type and its length in bytes."""
    content = message.get("content")
    images = []
    for part in content if isinstance(content, list) else []:
        url = (part.get("image_url") or {}).get("url", "") if isinstance(part, dict) else ""
        kind, comma, data = url.removeprefix("data:").partition(";base64,")
        if comma:
            images.append((kind, len(base64.b64decode(data))))
    return images


# What an answer is made of.


def think(text):
    return ("think", text)


def say(text):
    return ("say", text)


def call(name, **arguments):
    return ("call", name, arguments)


FAIL = "fail"
CUT = "cut"
LENGTH = "length"


def tools(request):
    return [
        [
            think("I should look at the tree before I answer.\nFirst list the files."),
            say("Let me look at the files first."),
            call("terminal", command="ls"),
        ],
        [
            think("Now the missing file."),
            say("Found the manifest. Checking one more file."),
            call("terminal", command="cat missing.txt"),
        ],
        [call("read_file", path="README.md")],
        [think("I have enough. The tree holds a small Rust demo."), say(SUMMARY)],
    ]


def parallel(request):
    return [
        [
            say("Running three things at once."),
            call("terminal", command="echo a"),
            call("terminal", command="echo b"),
            call("read_file", path="Cargo.toml"),
        ],
        [say("All three finished.")],
    ]


def approve(request):
    return [
        [say("This needs your approval."), call("terminal", command="rm -rf ./build-output")],
        [say("Done with the command.")],
    ]


def clarify(request):
    question = {"question": "Which target?", "choices": ["debug", "release"]}
    answer = text_of(request.messages[-1])
    return [
        [say("I need one decision."), call("clarify", questions=[question])],
        [say("You chose release." if "release" in answer else "You chose something else.")],
    ]


def wait(request):
    """A tool that runs until the test puts a file there."""
    command = f"until [ -e '{request.path}' ]; do sleep 0.05; done; echo there"
    return [
        [say("Waiting for the file."), call("terminal", command=command)],
        [say("The file is there.")],
    ]


def media(request):
    """A file of the agent."""
    return [[say(f"Here is the file.\n\nMEDIA:{request.path}\n\nAnd the text after it.")]]


def image(request):
    """What the model saw."""
    seen = ", ".join(f"{kind} of {size} bytes" for kind, size in request.images)
    return [[say(f"I see {len(request.images)}: {seen or 'nothing'}.")]]


def size(request):
    """An answer of exactly so many bytes."""
    line = "{:06}: the quick brown fox jumps over the lazy dog, and the stream goes on.\n\n"
    text = "".join(line.format(number) for number in range(request.number // len(line.format(0)) + 1))
    return [[say(text[: max(request.number - 4, 0)] + "\nend"[: request.number])]]


def ticks(request):
    """Numbers, one a permit; without a number, as many as the test allows."""
    return [[say(f"{number} ") for number in range(1, (request.number or 1000) + 1)]]


def fence(request):
    """Cut off by its length inside a block of code, then continued."""
    if request.later:
        return [[say("    print(2)\n```\n\nThat is all.")]]
    return [[say("Here is code:\n\n```python\nfor i in range(3):\n    print(i)\n"), (LENGTH,)]]


SCENARIOS = {
    "plain": lambda request: [[think("A short greeting is enough."), say("ola")]],
    "tools": tools,
    "parallel": parallel,
    "approve": approve,
    "clarify": clarify,
    "wait": wait,
    "media": media,
    "image": image,
    "bytes": size,
    "ticks": ticks,
    "fence": fence,
    "inline": lambda request: [[say("<think>\nhidden thoughts\n</think>\n\nThe visible answer after inline thoughts.")]],
    "later": lambda request: [[say("First part. "), say("Heard: " + " | ".join(request.later or ["nothing"]))]],
    "error": lambda request: [[(FAIL, request.number or 500)]],
    "cut": lambda request: [[say("This answer is cut in the middle of a sen"), (CUT,)]],
}


class Gone(Exception):
    """Nobody reads the answer any more."""


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *words):
        pass

    def do_GET(self):
        if self.path.endswith("/models"):
            model = {"id": MODEL, "object": "model", "owned_by": "demo", "context_length": 200000}
            self.reply(200, {"object": "list", "data": [model]})
        elif self.path.startswith("/control/gates/"):
            self.reply(200, World.gate(self.path.rsplit("/", 1)[1]).state())
        elif self.path == "/control/requests":
            with World.lock:
                self.reply(200, list(World.requests))
        else:
            self.fail(404, "not found")

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)) or b"{}")
        if self.path.startswith("/control/gates/"):
            gate = World.gate(self.path.rsplit("/", 1)[1])
            gate.allow(body.get("permits", 0), body.get("open", False))
            self.reply(200, gate.state())
        elif self.path.endswith("/chat/completions"):
            request = Request(body)
            World.note(request.record())
            try:
                self.complete(request)
            except (Gone, BrokenPipeError, ConnectionResetError):
                self.close_connection = True
        else:
            self.fail(404, "not found")

    def complete(self, request):
        if not request.tools:
            # Hermes asks for a title or a summary beside the turn.
            return self.stream([say("Demo title")], None) if request.stream else self.whole("Demo title")
        steps = SCENARIOS.get(request.scenario, SCENARIOS["plain"])(request)
        parts = steps[min(request.step, len(steps) - 1)]
        if parts[0][0] == FAIL:
            return self.fail(parts[0][1], "The server had an error while processing your request")
        if not request.stream:
            return self.whole("".join(part[1] for part in parts if part[0] == "say"))
        gate = World.gate(request.gate) if request.gate else None
        self.stream(parts, gate)

    # A whole answer.

    def reply(self, status, value):
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def fail(self, status, message):
        self.reply(status, {"error": {"message": message, "type": "server_error", "code": "internal_error"}})

    def whole(self, text):
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
        self.reply(200, {**head("chat.completion"), "choices": [choice], "usage": USAGE})

    # A streamed one.

    def stream(self, parts, gate):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        self.delta({"role": "assistant", "content": ""})
        finish, calls = "stop", 0
        for part in parts:
            if gate:
                gate.take(self.keep_alive)
            if part[0] == "call":
                self.call(calls, part[1], part[2])
                finish, calls = "tool_calls", calls + 1
            elif part[0] == LENGTH:
                finish = "length"
            elif part[0] == CUT:
                return
            else:
                field = "content" if part[0] == "say" else "reasoning_content"
                for piece in pieces(part[1]):
                    self.delta({field: piece})
        self.delta({}, finish)
        self.event({**head("chat.completion.chunk"), "choices": [], "usage": USAGE})
        self.line("data: [DONE]")

    def call(self, index, name, arguments):
        identity = f"call_{time.monotonic_ns():x}"
        function = {"name": name, "arguments": ""}
        self.delta({"tool_calls": [{"index": index, "id": identity, "type": "function", "function": function}]})
        for piece in pieces(json.dumps(arguments)):
            self.delta({"tool_calls": [{"index": index, "function": {"arguments": piece}}]})

    def delta(self, delta, finish=None):
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        self.event({**head("chat.completion.chunk"), "choices": [choice]})

    def event(self, value):
        self.line("data: " + json.dumps(value))

    def keep_alive(self):
        self.line(": waiting")

    def line(self, text):
        try:
            self.wfile.write(text.encode() + b"\n\n")
            self.wfile.flush()
        except OSError as error:
            raise Gone from error


def head(kind):
    return {"id": "chatcmpl-demo", "object": kind, "created": int(time.time()), "model": MODEL}


def pieces(text):
    return [text[start : start + STEP] for start in range(0, len(text), STEP)]


def main():
    ThreadingHTTPServer.daemon_threads = True
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(server.server_address[1], flush=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    # Whoever started it holds the other end: it goes when that process does, however that ends.
    sys.stdin.read()


if __name__ == "__main__":
    main()
