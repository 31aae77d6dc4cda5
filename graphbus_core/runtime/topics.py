"""Topic names and patterns. A pattern matches by segments: `*` within one segment, `**` any number of segments.

`/Order/*` matches `/Order/Created` and not `/Order/Item/Added`; `/Order/**` matches both, and `/Order` itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, Protocol

from graphbus_core.model.topic import (
    Topic,
    explain_invalid_subscription as explain_invalid_subscription,
    explain_invalid_topic as explain_invalid_topic,
    is_pattern as is_pattern,
)
from graphbus_core.suggestions import suggest_names


class HasName(Protocol):
    """What has a name: a subscriber."""

    @property
    def name(self) -> str: ...


def get_topic_name(topic: Any) -> str:
    """The name of a topic given as text or as a Topic; empty for anything else."""
    if isinstance(topic, str):
        return topic
    return topic.name if isinstance(topic, Topic) else ""


def label_subscriber(subscriber: HasName, subscribers: Sequence[HasName]) -> str:
    """The subscriber's name; `name#2` for the second of that name among those who hear an event."""
    same = [other for other in subscribers if other.name == subscriber.name]
    place = next((i for i, other in enumerate(same) if other is subscriber), 0)
    return f"{subscriber.name}#{place + 1}" if place else subscriber.name


@lru_cache(maxsize=4096)
def compile_pattern(pattern: str) -> re.Pattern[str]:
    """The pattern as a regular expression."""
    parts: list[str] = []
    for i, segment in enumerate(pattern.split("/")):
        slash = "/" if i else ""
        if segment == "**":
            parts.append(f"(?:{slash}[^/]+)*" if i else ".*")
        else:
            parts.append(slash + "[^/]*".join(map(re.escape, segment.split("*"))))
    return re.compile("".join(parts))


def matches(pattern: str, topic: str) -> bool:
    """Whether a subscription to `pattern` hears events of `topic`."""
    return pattern == topic if "*" not in pattern else compile_pattern(pattern).fullmatch(topic) is not None


def suggest_nearest(name: str, known_names: Iterable[str]) -> str:
    """` Did you mean 'X'?`, or else what there is, or nothing where there is nothing."""
    names = sorted(known_names)
    if near := suggest_names(name, names):
        return f" Did you mean '{near[0]}'?"
    if not names:
        return ""
    listed_names = ", ".join(names[:8]) + (", …" if len(names) > 8 else "")
    return f" There are: {listed_names}."
