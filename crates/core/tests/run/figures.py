#!/usr/bin/env python3
"""The figures of every recording, counted by another program than Iris, with nothing but the standard library.

    python3 figures.py FOLDER > figures.json

A test compares them with what `iris_core::run::summary` counts, and, where there is a python3, this file's output with
the one that is kept. It is written another way on purpose: it holds the whole file, and unites the intervals of tools.
"""

import json
import pathlib
import sys

GAP_MS = 5_000


def calls_of(events, end):
    """Each call with its beginning, its end and its result: first in, first out, among those of its name."""
    calls = []
    for at, event in events:
        if event["type"] == "tool_use":
            calls.append({"name": event["name"], "from": at, "to": None, "result": None})
        elif event["type"] == "tool_result":
            call = next(c for c in calls if c["name"] == event["name"] and c["result"] is None)
            call["to"], call["result"] = at, event
    for call in calls:
        call["to"] = end if call["to"] is None else call["to"]
    return calls


def united(intervals):
    total, reached = 0, None
    for begin, end in sorted(intervals):
        if reached is None or begin > reached:
            total += end - begin
        elif end > reached:
            total += end - reached
        reached = end if reached is None else max(reached, end)
    return total


def run_of(text):
    events = [json.loads(line) for line in text.splitlines() if line.strip()]
    events = [(event["timestamp"], event) for event in events]
    begin, end = events[0][0], events[-1][0]
    init, result = events[0][1], events[-1][1]
    assert init["type"] == "system" and result["type"] == "result"
    calls = calls_of(events, end)
    inside = lambda at: any(call["from"] <= at < call["to"] for call in calls)
    pairs = zip(events, events[1:])
    writing = sum(
        b - a
        for (a, one), (b, two) in pairs
        if one["type"] == two["type"] == "text" and b - a <= GAP_MS and not inside(a)
    )
    in_tools = united([(call["from"], call["to"]) for call in calls])
    texts = [(at, event["text"]) for at, event in events if event["type"] == "text"]
    first = next((at - begin for at, text in texts if text.strip()), None)
    tools = {}
    for call in calls:
        tool = tools.setdefault(
            call["name"],
            {"name": call["name"], "count": 0, "failed": 0, "unfinished": 0, "total_ms": 0, "longest_ms": 0},
        )
        tool["count"] += 1
        if call["result"] is None:
            tool["unfinished"] += 1
        else:
            took = call["result"]["duration_ms"]
            tool["failed"] += call["result"]["is_error"]
            tool["total_ms"] += took
            tool["longest_ms"] = max(tool["longest_ms"], took)
    code = result["exit_code"]
    return {
        "model": init["model"],
        "session": init["session_id"],
        "ended": {0: "complete", 130: "interrupted"}.get(code, "error"),
        "error": result.get("error"),
        "exit_code": code,
        "began_ms": begin,
        "duration_ms": end - begin,
        "reported_ms": result["duration_ms"],
        "first_text_ms": first,
        "waiting_ms": end - begin - in_tools - writing,
        "writing_ms": writing,
        "tools_ms": in_tools,
        "streamed_bytes": sum(len(text.encode()) for _, text in texts),
        "final_bytes": len(result["text"].encode()),
        "tokens": result["tokens"] if any(result["tokens"].values()) else None,
        "tools": list(tools.values()),
        "calls": [
            {
                "name": call["name"],
                "from_ms": call["from"] - begin,
                "duration_ms": call["result"] and call["result"]["duration_ms"],
                "ok": call["result"] and not call["result"]["is_error"],
            }
            for call in calls
        ],
    }


def main(folder):
    files = sorted(pathlib.Path(folder).glob("*.jsonl"))
    figures = {file.stem: run_of(file.read_text(encoding="utf-8")) for file in files}
    json.dump(figures, sys.stdout, indent=1, ensure_ascii=False)
    print()


if __name__ == "__main__":
    main(sys.argv[1])
