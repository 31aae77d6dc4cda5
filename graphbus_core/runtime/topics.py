"""Topic names and patterns. A pattern matches by segments: `*` within one segment, `**` any number of segments.

`/Order/*` matches `/Order/Created` and not `/Order/Item/Added`; `/Order/**` matches both, and `/Order` itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches
from functools import lru_cache


def is_pattern(topic: str) -> bool:
    """Whether a topic to subscribe to stands for several."""
    return "*" in topic


@lru_cache(maxsize=4096)
def compiled(pattern: str) -> re.Pattern[str]:
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
    return pattern == topic if "*" not in pattern else compiled(pattern).fullmatch(topic) is not None


def nearest(name: str, known: Iterable[str]) -> str:
    """` Did you mean 'X'?`, or else what there is, or nothing where there is nothing."""
    names = sorted(known)
    if near := get_close_matches(name, names, 1, 0.5):
        return f" Did you mean '{near[0]}'?"
    if not names:
        return ""
    shown = ", ".join(names[:8]) + (", …" if len(names) > 8 else "")
    return f" There are: {shown}."
