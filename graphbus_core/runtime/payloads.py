"""What of a payload JSON can say: told apart for the journal, made presentable for whoever only looks on.

It knows no event and no file.
"""

from __future__ import annotations

import inspect
import json
import logging
import math
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from graphbus_core.errors import ConfigError, PayloadRejected, UnknownTopic
from graphbus_core.model.schema import SchemaMethod
from graphbus_core.runtime.topics import matches, suggest_nearest
from graphbus_core.text import shorten

# Payload checks: what is published, taken and given back is held against its contract (design §4, §11).
#
# A topic's payload and a method's output are read closed (nothing undeclared is sent), an input open. Contracts are
# compiled when they are first needed, so that a thousand of them cost nothing at start.


MODES = ("off", "warn", "enforce")
log = logging.getLogger("graphbus.runtime")

Check = Callable[[Any], Any]


@dataclass(frozen=True)
class MethodContract:
    """What a method takes and gives back, as JSON Schema; None where it was not declared. `arguments` is what a direct
    call gives by name, where that is not the input: a handler's input is the payload."""

    input: Mapping[str, Any] | None = None
    output: Mapping[str, Any] | None = None
    arguments: Mapping[str, Any] | None = None

    @classmethod
    def from_method(cls, method: SchemaMethod) -> MethodContract:
        """The contract of a method of a build."""
        return cls(
            method.input_schema.json_schema if method.input_schema else None,
            method.output_schema.json_schema if method.output_schema else None,
            method.arguments_schema if method.payload_parameter is not None else None,
        )


@dataclass
class PayloadChecks:
    """Which contracts hold on a bus. `declared` are topics without a payload contract that are known all the same."""

    mode: str = "off"
    topics: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    methods: Mapping[tuple[str, str], MethodContract] = field(default_factory=dict)
    declared: Collection[str] = ()

    def __post_init__(self) -> None:
        if self.mode not in MODES:
            raise ConfigError(f"payload_checks is {self.mode!r}; use off, warn or enforce.")
        self._compiled: dict[tuple[str, str, str], Check | None] = {}
        self._declared = frozenset(self.declared)
        self._patterns = [p for p in self._declared if "*" in p]

    @property
    def is_enforced(self) -> bool:
        """Whether a violation stops the message."""
        return self.mode == "enforce"

    def find_topic_check(self, topic: str) -> Check | None:
        """The check of what is published to `topic`, or None."""
        return self._compile_check("", topic, "payload", self.topics.get(topic))

    def find_input_check(self, node: str, method: str) -> Check | None:
        """The check of what the handler `node.method` takes of an event, or None."""
        contract = self.methods.get((node, method))
        return self._compile_check(node, method, "input", contract.input if contract else None)

    def find_call_check(self, node: str, method: str) -> Check | None:
        """The check of what `node.method` is called with by name, or None."""
        contract = self.methods.get((node, method))
        if contract is None or contract.arguments is None:
            return self.find_input_check(node, method)
        return self._compile_check(node, method, "arguments", contract.arguments)

    def find_output_check(self, node: str, method: str) -> Check | None:
        """The check of what `node.method` gives back, or None."""
        contract = self.methods.get((node, method))
        return self._compile_check(node, method, "output", contract.output if contract else None)

    def _compile_check(self, node: str, name: str, side: str, schema: Mapping[str, Any] | None) -> Check | None:
        if schema is None or self.mode == "off":
            return None
        key = (node, name, side)
        if key not in self._compiled:
            from graphbus_core.contracts import validator  # heavy, and only for those who check

            self._compiled[key] = validator(schema, side="input" if side == "arguments" else side).check
        return self._compiled[key]

    def require_known(self, topic: str, has_subscribers: bool, subscribed: Callable[[], Iterable[str]]) -> None:
        """Raise UnknownTopic, with the nearest, where checks are enforced and nobody declared or hears `topic`."""
        if not self.is_enforced or has_subscribers or topic in self.topics or topic in self._declared:
            return
        if any(matches(p, topic) for p in self._patterns):
            return
        known_topics = {t for t in (*self.topics, *self._declared, *subscribed()) if "*" not in t}
        raise UnknownTopic(
            f"Nobody ever declared the topic '{topic}', and payload checks are "
            f"enforced.{suggest_nearest(topic, known_topics)}"
        )


def build_rejection(what: str, violation: Any) -> PayloadRejected:
    """The error that says topic or method, path, expected and got."""
    return PayloadRejected(f"{what}: {violation}.", violation.path)


_PLAIN = (str, int, float, bool, type(None))


def find_non_json(value: Any) -> str | None:
    """What in `value` would come back from JSON as something else (a tuple, a key that is not text), or None."""
    waiting = [value]
    dict_count = 0
    while waiting:
        current = waiting.pop()
        kind = type(current)
        if kind is dict:
            dict_count += 1
            for key, item in current.items():
                if type(key) is not str:
                    return (
                        f"the key {shorten(_render_text(key), 40)} is {type(key).__name__}, and keys of JSON are text"
                    )
                if type(item) not in _PLAIN or type(item) is float:
                    waiting.append(item)
        elif kind is list:
            waiting.extend(current)
        elif kind is float:
            if not math.isfinite(current):
                return f"{current} is not a number of JSON"
        elif isinstance(current, tuple):
            return f"the tuple {shorten(_render_text(current), 40)} would come back as a list"
    return None


def convert_to_json(value: Any, depth: int = 0) -> Any:
    """`value` as JSON can write it; what it cannot say is shown as text."""
    if depth > 100:
        return "…"
    if isinstance(value, float) and not math.isfinite(value):
        return repr(value)
    if isinstance(value, _PLAIN):
        return value
    if isinstance(value, dict):
        return {k if isinstance(k, str) else _render_text(k): convert_to_json(v, depth + 1) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [convert_to_json(v, depth + 1) for v in value]
    return _render_text(value)


def dump_one_line(value: Any, *, ensure_ascii: bool = True) -> str:
    """`value` as one line of JSON, whatever it is."""
    return json.dumps(convert_to_json(value), ensure_ascii=ensure_ascii, allow_nan=False, default=_render_text)


def describe_error(error: BaseException | str) -> str:
    """What an error says, or its kind where it says nothing, or cannot."""
    try:
        return str(error) or type(error).__name__
    except Exception:
        return type(error).__name__


def _render_text(value: Any) -> str:
    try:
        return repr(value)
    except Exception:
        return f"<{type(value).__name__}>"


def bind_payload(bound: Callable[..., Any], payload: dict[str, Any]) -> Any:
    """What the method sees: with its defaults; or the one dict that it takes, where its contract describes that."""
    try:
        signature = inspect.signature(bound)
        arguments = signature.bind(**payload)
    except (TypeError, ValueError):
        return None
    if len(signature.parameters) == 1 and len(payload) == 1 and isinstance(only := next(iter(payload.values())), dict):
        return only
    arguments.apply_defaults()
    return dict(arguments.arguments)
