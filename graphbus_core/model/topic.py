"""Topics and who listens to them (seed 002 §2.4)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from graphbus_core.model.field_mapping import FieldMapping
from graphbus_core.model.schema import Schema


@dataclass(frozen=True)
class Topic:
    """A named stream of events, e.g. `/Order/Created`."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Subscription:
    """`handler_name` of `node_name` is called with every event of `topic`, delivered through `mapping` if there is
    one."""

    node_name: str
    topic: Topic
    handler_name: str
    mapping: FieldMapping | None = field(default=None, hash=False)

    def to_dict(self) -> dict[str, Any]:
        """The form in `topics.json` (the keys of seed 002 §5.5, and those of a mapping)."""
        data = {"agent": self.node_name, "topic": self.topic.name, "handler": self.handler_name}
        return {**data, **(self.mapping.to_dict() if self.mapping is not None else {})}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Subscription:
        """Inverse of `to_dict`."""
        return cls(data["agent"], Topic(data["topic"]), data["handler"], FieldMapping.from_dict(data))


@dataclass(frozen=True)
class Publication:
    """A node publishes to a topic, from a `@publishes` or a `self.publish(…)` found in its source.

    `schema` is None where the payload was not declared. `method` is where it is published, if known.
    """

    node_name: str
    topic: Topic
    schema: Schema | None = None
    method: str | None = None
    lineno: int = 0

    def to_dict(self) -> dict[str, Any]:
        """The form in `topics.json`."""
        return {
            "agent": self.node_name,
            "topic": self.topic.name,
            "schema": self.schema.to_dict() if self.schema else None,
            "method": self.method,
            "lineno": self.lineno,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Publication:
        """Inverse of `to_dict`."""
        schema = Schema.from_dict(data["schema"]) if data.get("schema") else None
        return cls(data["agent"], Topic(data["topic"]), schema, data.get("method"), data.get("lineno", 0))


# What a topic may be called, and what may be subscribed to: one grammar, for who looks at the code and for the run.


def is_pattern(topic: str) -> bool:
    """Whether a topic to subscribe to stands for several."""
    return "*" in topic


_WORD = r"[^/*\s\x00-\x1f]+"
_TOPIC = re.compile(rf"(?:/{_WORD})+")
_PATTERN = re.compile(r"\*\*|(?:\*\*)?(?:/(?:\*\*|[^/\s\x00-\x1f]+))+")
MAX_TOPIC = 1_000  # characters


def explain_invalid_topic(topic: str) -> str | None:
    """Why nothing can be published to a topic of that name, or None. The grammar: `/Word/Word`, one word or more."""
    if "*" in topic:
        return "a `*` stands for topics in a subscription, and not in what is published"
    return _describe_flaw(topic) if _TOPIC.fullmatch(topic) is None or len(topic) > MAX_TOPIC else None


def explain_invalid_subscription(topic: str) -> str | None:
    """Why nothing of that name can be subscribed to, or None: a topic, or a pattern with `*` and `**`."""
    if not is_pattern(topic):
        return explain_invalid_topic(topic)
    if any("**" in word and word != "**" for word in topic.split("/")):
        return "`**` stands alone between two slashes"
    return _describe_flaw(topic) if _PATTERN.fullmatch(topic) is None or len(topic) > MAX_TOPIC else None


def _describe_flaw(topic: str) -> str:
    if len(topic) > MAX_TOPIC:
        return f"it has {len(topic)} characters, and {MAX_TOPIC} is the most"
    if not topic.startswith("/"):
        return f"it does not begin with a slash: write '/{topic.strip()}'"
    if re.search(r"[\s\x00-\x1f]", topic):
        return "it holds a space or a control character"
    return "a word is missing between two slashes, or after the last"
