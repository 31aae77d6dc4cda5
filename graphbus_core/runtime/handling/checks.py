"""Payload checks: what is published, taken and given back is held against its contract (design §4, §11).

A topic's payload and a method's output are read closed (nothing undeclared is sent), an input open. Contracts are
compiled when they are first needed, so that a thousand of them cost nothing at start.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from graphbus_core.errors import ConfigError, PayloadRejected, UnknownTopic
from graphbus_core.runtime.handling.topics import matches, nearest

MODES = ("off", "warn", "enforce")
log = logging.getLogger("graphbus.runtime")

Check = Callable[[Any], Any]


@dataclass(frozen=True)
class MethodContract:
    """What a method takes and gives back, as JSON Schema; None where it was not declared."""

    input: Mapping[str, Any] | None = None
    output: Mapping[str, Any] | None = None


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
    def enforced(self) -> bool:
        """Whether a violation stops the message."""
        return self.mode == "enforce"

    def of_topic(self, topic: str) -> Check | None:
        """The check of what is published to `topic`, or None."""
        return self._check("", topic, "payload", self.topics.get(topic))

    def of_input(self, node: str, method: str) -> Check | None:
        """The check of what `node.method` is called with, or None."""
        contract = self.methods.get((node, method))
        return self._check(node, method, "input", contract.input if contract else None)

    def of_output(self, node: str, method: str) -> Check | None:
        """The check of what `node.method` gives back, or None."""
        contract = self.methods.get((node, method))
        return self._check(node, method, "output", contract.output if contract else None)

    def _check(self, node: str, name: str, side: str, schema: Mapping[str, Any] | None) -> Check | None:
        if schema is None or self.mode == "off":
            return None
        key = (node, name, side)
        if key not in self._compiled:
            from graphbus_core.contracts import validator  # heavy, and only for those who check

            self._compiled[key] = validator(schema, side=side).check
        return self._compiled[key]

    def demand_known(self, topic: str, heard: bool, subscribed: Callable[[], Iterable[str]]) -> None:
        """Raise UnknownTopic, with the nearest, where checks are enforced and nobody declared or hears `topic`."""
        if not self.enforced or heard or topic in self.topics or topic in self._declared:
            return
        if any(matches(p, topic) for p in self._patterns):
            return
        known = {t for t in (*self.topics, *self._declared, *subscribed()) if "*" not in t}
        raise UnknownTopic(
            f"Nobody ever declared the topic '{topic}', and payload checks are enforced.{nearest(topic, known)}"
        )


def rejection(what: str, violation: Any) -> PayloadRejected:
    """The error that says topic or method, path, expected and got."""
    return PayloadRejected(f"{what}: {violation}.", violation.path)
