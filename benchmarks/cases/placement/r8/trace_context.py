# pure
"""Keeps nothing: the context variable is set for the call and reset in the finally clause."""
import json
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from graphbus_core import GraphBusNode, subscribe

request_id: ContextVar[str] = ContextVar("request_id", default="-")
depth: ContextVar[int] = ContextVar("depth", default=0)


@contextmanager
def bound(var: ContextVar, value: object) -> Iterator[None]:
    token = var.set(value)
    try:
        yield
    finally:
        var.reset(token)


def note(lines: list[str], text: str) -> None:
    lines.append(f"[{request_id.get()}] {'  ' * depth.get()}{text}")


def walk(lines: list[str], name: str, value: object) -> None:
    if not isinstance(value, dict):
        note(lines, f"{name} = {value!r}")
        return
    note(lines, name)
    with bound(depth, depth.get() + 1):
        for key in sorted(value):
            if key.startswith("!"):
                raise KeyError(key)
            walk(lines, key, value[key])


class TraceContext(GraphBusNode):
    @subscribe("/Trace/Payload")
    def on_payload(self, rid: str, payload: str) -> list[str]:
        lines: list[str] = []
        try:
            if rid:
                with bound(request_id, rid):
                    walk(lines, "root", json.loads(payload))
            else:
                walk(lines, "root", json.loads(payload))
        except (KeyError, json.JSONDecodeError) as exc:
            note(lines, f"failed: {type(exc).__name__}")
        return lines
