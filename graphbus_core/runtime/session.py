"""One run of a build as a command makes it: calls and events from the command line or from lines of a stream, every
event shown as it happens, a summary at the end. What is shown goes to a `View`; this module knows no terminal.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from graphbus_core.config import RuntimeConfig
from graphbus_core.errors import BadPayload, GraphBusError, UsageError
from graphbus_core.model.message import Event
from graphbus_core.runtime.dead_letters import DeadLetters
from graphbus_core.runtime.executor import RuntimeExecutor
from graphbus_core.runtime.middleware import Redaction

DEAD_LETTERS = "runtime/dead_letters.jsonl"  # inside the folder of the build; in no manifest


class View(Protocol):
    """What a run tells whoever looks on."""

    def ready(self, nodes: list[str]) -> None:
        """The nodes are running, and the run waits for a signal."""

    def event(self, event: Event, handlers: list[str]) -> None:
        """An event is about to be delivered to these handlers."""

    def result(self, call: str, value: Any) -> None:
        """A call returned."""

    def problem(self, what: str) -> None:
        """Something failed, and the run goes on."""

    def summary(self, stats: dict[str, Any]) -> None:
        """The run is over."""


@dataclass(frozen=True)
class Call:
    """`Node.method` with its arguments."""

    node: str
    method: str
    arguments: dict[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """`Node.method`."""
        return f"{self.node}.{self.method}"

    @classmethod
    def parse(cls, name: str, arguments: str | None) -> Call:
        """Read `Node.method` and the JSON of its arguments. Raises UsageError."""
        node, dot, method = name.rpartition(".")
        if not dot or not node or not method:
            raise UsageError(f"--call wants Node.method, not '{name}'; for example --call Greeter.greet.")
        return cls(node, method, json_object(arguments, "--args"))


@dataclass(frozen=True)
class Publication:
    """An event to publish."""

    topic: str
    payload: dict[str, Any] = field(default_factory=dict)


def json_object(text: str | None, option: str) -> dict[str, Any]:
    """The JSON object that an option gives; nothing is {}. Raises UsageError that says where it is wrong."""
    if text is None:
        return {}
    try:
        value = json.loads(text)
    except ValueError as e:
        where = f"line {e.lineno}, column {e.colno}: {e.msg}" if isinstance(e, json.JSONDecodeError) else str(e)
        raise UsageError(
            f"{option} is not JSON ({where}): {_short(text)}. Give an object such as '{{\"id\": 1}}'."
        ) from None
    if not isinstance(value, dict):
        raise UsageError(f"{option} must be a JSON object, not {_short(text)}. Give one such as '{{\"id\": 1}}'.")
    return value


def command(line: str) -> Call | Publication:
    """Read one line of a stream: `{"call": "Node.method", "args": {…}}` or `{"topic": "/T", "payload": {…}}`."""
    data = json_object(line, "a line of input")
    if isinstance(name := data.get("call"), str) and isinstance(data.get("args", {}), dict):
        node, _, method = name.rpartition(".")
        return Call(node, method, data.get("args", {}))
    topic = data.get("topic", data.get("publish"))
    if isinstance(topic, str) and isinstance(data.get("payload", {}), dict):
        return Publication(topic, data.get("payload", {}))
    raise UsageError(
        'A line of input is {"call": "Node.method", "args": {…}} or {"topic": "/T", "payload": {…}}, not '
        + _short(line)
    )


def _short(text: str) -> str:
    return text if len(text) <= 80 else text[:79] + "…"


class _Watch:
    """Middleware that shows each event."""

    def __init__(self, view: View, mask: Redaction | None) -> None:
        self._view, self._mask = view, mask
        self.handlers: Callable[[str], list[str]] = lambda topic: []

    def __call__(self, event: Event, next: Callable[[Event], Any]) -> Any:
        shown = self._mask.mask(event) if self._mask else event
        self._view.event(shown, self.handlers(event.topic))
        return next(event)


class Session:
    """A started runtime with a view on it. Use as a context manager."""

    def __init__(self, config: RuntimeConfig, view: View, *, redact: Iterable[str] = ()) -> None:
        self._view = view
        mask = Redaction(*redact) if (redact := tuple(redact)) else None
        watch = _Watch(view, mask)
        self.executor = RuntimeExecutor(config, middleware=[watch, *([mask] if mask else [])])
        self._watch = watch
        self.problems = 0

    def __enter__(self) -> Session:
        self.executor.start()
        for name, reason in self.executor.broken.items():
            self._problem(f"left out {name}: {reason}")
        if (bus := self.executor.bus) is not None:
            self._watch.handlers = bus.get_subscribers
        return self

    def __exit__(self, *_: object) -> None:
        self.executor.stop()
        for what in self.executor.unfinished:
            self._problem(f"stopped without waiting for {what}")
        self._view.summary(self.executor.get_stats())

    @property
    def failed(self) -> bool:
        """Whether anything went wrong that a command should report with its exit code."""
        bus = self.executor.get_stats()["message_bus"] or {}
        return bool(self.problems or bus.get("errors") or bus.get("messages_rejected") or bus.get("messages_dropped"))

    def do(self, what: Call | Publication) -> None:
        """Make a call or publish an event. Raises UsageError; what running code raises is shown and counted."""
        before = self._failures()
        try:
            if isinstance(what, Call):
                self._view.result(what.name, self.executor.call_method(what.node, what.method, **what.arguments))
            else:
                self.executor.publish(what.topic, what.payload)
                if self.executor.bus is not None:
                    self.executor.bus.drain(self.executor.config.stop_timeout_s)
        except (UsageError, BadPayload):
            raise
        except GraphBusError as e:
            self._problem(str(e))
        except Exception as e:
            where = what.name if isinstance(what, Call) else what.topic
            self._problem(f"{where} raised {type(e).__name__}: {e}")
        for letter in list(self.executor.bus.dead_letters)[before:] if self.executor.bus else ():
            self._view.problem(f"{letter.subscriber} failed on {letter.topic}: {letter.error_type}: {letter.error}")

    def follow(self, lines: Iterable[str]) -> None:
        """Do what each line says; a bad line is shown and passed over."""
        for line in lines:
            if not line.strip():
                continue
            try:
                self.do(command(line))
            except UsageError as e:
                self._problem(str(e))

    def _failures(self) -> int:
        return len(self.executor.bus.dead_letters) if self.executor.bus else 0

    def _problem(self, what: str) -> None:
        self.problems += 1
        self._view.problem(what)


def stored_dead_letters(artifacts: str | Path) -> DeadLetters:
    """The dead letters that runs of this build left."""
    return DeadLetters(file=Path(artifacts) / DEAD_LETTERS)
