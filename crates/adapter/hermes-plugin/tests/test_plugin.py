"""The ring, the bridge and the hooks, without Hermes: `python3 -m unittest discover -s hermes-plugin/tests`."""

import json
import socket
import sys
import tempfile
import threading
import types
import unittest
from pathlib import Path

# The package without its `__init__`, which needs a gateway.
FOLDER = Path(__file__).resolve().parent.parent / "iris"
package = types.ModuleType("iris")
package.__path__ = [str(FOLDER)]
sys.modules["iris"] = package

from iris import bridge, hooks, ring  # noqa: E402


def line(text, chat="c"):
    return {"t_ms": 1, "call": "send", "chat_id": chat, "content": text}


def numbers(found):
    return [number for number, _ in found]


class RingTest(unittest.TestCase):
    def test_lines_are_numbered_and_stay_after_they_were_taken(self):
        lines = ring.Ring()
        for text in "abc":
            lines.append("c", line(text))
        self.assertEqual(numbers(lines.take(0, 0)), [1, 2, 3])
        self.assertEqual(numbers(lines.take(1, 0)), [2, 3])
        self.assertEqual(numbers(lines.take(3, 0)), [])

    def test_an_edit_takes_the_place_of_the_edit_before_it(self):
        lines = ring.Ring()
        lines.append("c", line("a"))
        for text in ("b", "c", "d"):
            lines.append("c", line(text), edit_of="m1")
            lines.append("other", line("x", "other"), edit_of="m1")
        self.assertEqual(numbers(lines.take(0, 0)), [1, 6, 7])

    def test_an_edit_stays_when_something_else_came_between(self):
        lines = ring.Ring()
        lines.append("c", line("b"), edit_of="m1")
        lines.append("c", line("redirected"))
        lines.append("c", line("c"), edit_of="m1")
        lines.append("c", line("d"), edit_of="m2")
        self.assertEqual(numbers(lines.take(0, 0)), [1, 2, 3, 4])

    def test_a_full_ring_drops_its_oldest_and_counts_what_was_not_heard(self):
        lines = ring.Ring(max_lines=3)
        for text in "abcde":
            lines.append("c", line(text))
        self.assertEqual(numbers(lines.take(0, 0)), [3, 4, 5])
        self.assertEqual(lines.span(), (3, 6))
        self.assertEqual(lines.missed(), {"c": 2})
        self.assertEqual(lines.missed(), {}, "told once")
        lines.forget_told()
        self.assertEqual(lines.missed(), {"c": 2}, "and again to a new connection")
        lines.ack(5)
        lines.forget_told()
        self.assertEqual(lines.missed(), {}, "but not after it was heard")
        lines.append("c", line("f"))
        self.assertEqual(lines.missed(), {}, "what was heard may go")

    def test_a_full_ring_is_bounded_by_bytes_too(self):
        lines = ring.Ring(max_bytes=10_000)
        for _ in range(50):
            lines.append("c", line("x" * 1_000))
        self.assertLess(len(lines.take(0, 0)), 10)

    def test_many_threads_append_at_once(self):
        lines = ring.Ring()

        def work(chat):
            for at in range(500):
                lines.append(chat, line(str(at), chat))

        threads = [threading.Thread(target=work, args=(str(at),)) for at in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(numbers(lines.take(0, 0)), list(range(1, 4_001)))

    def test_anything_can_be_told(self):
        odd = {"f": float("nan"), "o": object(), "s": {1}, 3: "\ud800", "deep": None, "long": "x" * 2_000_000}
        deep = odd
        for _ in range(100):
            deep["deep"] = {}
            deep = deep["deep"]
        found = json.loads(ring.encode(odd))
        self.assertEqual(found["f"], None)
        self.assertEqual(found["o"], "<object>")
        self.assertEqual(len(found["long"]), 1_000_001)


class Adapter:
    """The other side of the bridge."""

    def __init__(self, token="t" * 64, knows="t" * 64, protocol_ok=True):
        self.token, self.knows = token, knows
        self.server = socket.create_server(("127.0.0.1", 0))
        self.server.settimeout(10)
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name) / "bridge.json"
        self.path.write_text(json.dumps({"port": self.server.getsockname()[1], "token": token}))

    def accept(self, after=0):
        sock, _ = self.server.accept()
        sock.settimeout(10)
        self.lines = bridge.Lines(sock)
        bridge._send(sock, {"type": "challenge", "nonce": "n"})
        hello = self.lines.read()
        if hello is None:
            return sock, None
        proof = bridge.proof(self.knows, "adapter", ("n", hello["nonce"]))
        bridge._send(sock, {"type": "welcome", "proof": proof, "after": after})
        return sock, hello

    def close(self):
        self.server.close()
        self.folder.cleanup()


class BridgeTest(unittest.TestCase):
    def begin(self, adapter, ready=True, said=""):
        """Starts a bridge; what was `said` before is in its ring when it says hello."""
        self.messages, self.ready = [], ready
        self.ring = ring.Ring()
        for text in said:
            self.ring.append("c", line(text))
        self.bridge = bridge.Bridge(adapter.path, self.ring, lambda: {"commands": []}, self.messages.append, ready=lambda: self.ready)
        self.addCleanup(adapter.close)
        self.addCleanup(self.bridge.stop)
        self.bridge.start()

    def until(self, adapter, kind):
        while True:
            found = adapter.lines.read()
            if found is None or found["type"] == kind:
                return found

    def test_it_proves_itself_and_tells_lines_from_where_it_is_asked(self):
        adapter = Adapter()
        self.begin(adapter)
        for text in "abc":
            self.ring.append("c", line(text))
        sock, hello = adapter.accept(after=1)
        self.assertEqual(hello["proof"], bridge.proof("t" * 64, "plugin", ("n", hello["nonce"])))
        self.assertNotIn("t" * 64, json.dumps(hello), "the token itself is never sent")
        self.assertEqual(self.until(adapter, "line")["n"], 2)
        self.assertEqual(self.until(adapter, "line")["n"], 3)
        self.ring.append("c", line("d"))
        self.assertEqual(self.until(adapter, "line")["line"]["content"], "d")
        sock.close()

    def test_it_comes_back_for_ever_and_tells_what_was_missed(self):
        adapter = Adapter()
        self.begin(adapter)
        for _ in range(3):
            sock, hello = adapter.accept()
            sock.close()
        self.ring.append("c", line("a"))
        sock, hello = adapter.accept()
        self.assertEqual(self.until(adapter, "line")["n"], 1)
        sock.close()

    def test_whoever_does_not_know_the_token_hears_nothing_and_is_not_obeyed(self):
        adapter = Adapter(knows="x" * 64)
        self.begin(adapter)
        self.ring.append("c", line("secret"))
        sock, hello = adapter.accept()
        bridge._send(sock, {"type": "message", "chat": "c", "message_id": "u1", "text": "rm -rf"})
        try:
            self.assertIsNone(adapter.lines.read())
        except ConnectionError:
            pass
        self.assertEqual(self.messages, [])
        sock.close()

    def test_a_message_is_taken_once_and_told_again_when_it_is_sent_again(self):
        adapter = Adapter()
        self.begin(adapter)
        sock, _ = adapter.accept()
        for chat in ("c", "c", "d"):
            bridge._send(sock, {"type": "message", "chat": chat, "message_id": "u1", "text": "hi"})
        for nonsense in ({"type": "message"}, {"type": "message", "chat": 1, "message_id": []}, {"type": "sing"}):
            bridge._send(sock, nonsense)
        bridge._send(sock, {"type": "message", "chat": "c", "message_id": "u2", "text": "last"})
        for _ in range(1_000):
            if len(self.messages) == 3:
                break
            threading.Event().wait(0.01)
        self.assertEqual([(m["chat"], m["message_id"]) for m in self.messages], [("c", "u1"), ("d", "u1"), ("c", "u2")])
        self.bridge.taken("c", "u1")
        self.assertEqual(self.until(adapter, "taken")["message_id"], "u1")
        bridge._send(sock, {"type": "message", "chat": "c", "message_id": "u1", "text": "hi"})
        self.assertEqual(self.until(adapter, "taken")["message_id"], "u1")
        self.assertEqual(len(self.messages), 3)
        sock.close()

    def test_it_is_ready_when_hermes_is_and_everything_is_told(self):
        adapter = Adapter()
        self.begin(adapter, ready=False, said="ab")
        sock, hello = adapter.accept()
        self.assertEqual(hello["next"], 3)
        self.assertEqual([adapter.lines.read()["n"] for _ in "ab"], [1, 2])
        self.ring.append("c", line("c"))
        self.assertEqual(adapter.lines.read()["n"], 3, "it is not ready yet")
        self.ready = True
        self.assertEqual(adapter.lines.read(), {"type": "ready"})
        sock.close()

    def test_an_acknowledgement_lets_lines_go_unmissed(self):
        adapter = Adapter()
        self.begin(adapter)
        self.ring._max_lines = 2
        sock, _ = adapter.accept()
        self.ring.append("c", line("a"))
        self.assertEqual(self.until(adapter, "line")["n"], 1)
        bridge._send(sock, {"type": "ack", "n": 1})
        for _ in range(1_000):
            if self.ring._acked == 1:
                break
            threading.Event().wait(0.01)
        for text in "bc":
            self.ring.append("c", line(text))
        self.assertEqual(self.ring.missed(), {})
        sock.close()


class PostTest(unittest.TestCase):
    def test_a_message_from_outside_is_posted(self):
        adapter = Adapter()
        self.addCleanup(adapter.close)
        heard = []

        def serve():
            sock, hello = adapter.accept()
            heard.append(adapter.lines.read())
            bridge._send(sock, {"type": "posted", "ok": hello["courier"]})
            sock.close()

        thread = threading.Thread(target=serve)
        thread.start()
        self.assertIsNone(bridge.post(adapter.path, "c", "hi", ["/f"]))
        thread.join()
        self.assertEqual(heard, [{"type": "post", "chat": "c", "text": "hi", "files": ["/f"]}])

    def test_nobody_there_is_said_in_words(self):
        adapter = Adapter()
        adapter.server.close()
        self.assertIn("cannot be reached", bridge.post(adapter.path, "c", "hi", []))
        adapter.folder.cleanup()


class HookTest(unittest.TestCase):
    def heard(self, name, **arguments):
        heard = []
        hooks.hook(name, lambda chat, call, **record: heard.append((chat, call, record)))(**arguments)
        return heard

    def test_a_hook_is_told_with_the_arguments_that_are_read(self):
        found = self.heard("pre_approval_request", session_key="agent:main:iris:dm:c:1", command="rm", pattern_key="x")
        self.assertEqual(found, [("c:1", "hook:pre_approval_request", {"kwargs": {"command": "rm"}})])

    def test_other_platforms_are_none_of_our_business(self):
        self.assertEqual(self.heard("pre_approval_request", session_key="agent:main:telegram:dm:1", command="rm"), [])
        self.assertEqual(self.heard("on_session_end", failed=False), [])

    def test_only_reasoning_is_told_as_it_is_written(self):
        key = "agent:main:iris:dm:c"
        text = {"session_key": key, "turn_id": "t", "kind": "text"}
        [(_, _, first)] = self.heard("on_stream_delta", iteration=1, delta="a", **text)
        self.assertEqual(first["kwargs"], {"iteration": 1, "kind": "text", "delta": ""}, "that it began, not what it is")
        self.assertEqual(self.heard("on_stream_delta", iteration=1, delta="b", **text), [])
        self.assertEqual(len(self.heard("on_stream_delta", iteration=2, delta="c", **text)), 1)
        self.heard("on_stream_start", session_key=key, turn_id="t", iteration=2)
        self.assertEqual(len(self.heard("on_stream_delta", iteration=2, delta="d", **text)), 1, "tried again")
        self.assertEqual(len(self.heard("on_stream_delta", session_key=key, kind="reasoning", delta="a")), 1)

    def test_of_a_response_only_what_was_said_before_its_tools_is_told(self):
        key = "agent:main:iris:dm:c"

        def told(response):
            ((_, _, record),) = self.heard("post_api_request", session_key=key, model="m", response=response)
            self.assertEqual(record["kwargs"].pop("model"), "m")
            return record["kwargs"]["response"]

        calls = [{"id": "1", "name": "terminal", "arguments": "{}"}]
        said = {"assistant_message": {"role": "assistant", "content": "Look.", "tool_calls": calls}, "usage": {}}
        expected = {"assistant_message": {"content": "Look.", "tool_calls": [{"name": "terminal"}]}}
        self.assertEqual(told(said), expected)
        for other in ({}, {"assistant_message": {"content": "Done.", "tool_calls": []}}, {"assistant_message": None}, "x"):
            self.assertEqual(told(other), {})

    def test_a_hook_that_fails_is_nobodys_trouble(self):
        def broken(*_, **__):
            raise RuntimeError("no")

        self.assertIsNone(hooks.hook("on_session_end", broken)(session_key="agent:main:iris:dm:c"))


if __name__ == "__main__":
    unittest.main()
