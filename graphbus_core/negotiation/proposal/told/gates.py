"""How the gates of a commit ended, in words: what was proved, what was only tested, and what was not run and why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

AS_SAID = {"verify": "behaviour"}  # what a gate is about, where its name does not say it


def in_words(ends: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """One line for each kind of end that there was. Logs from before ends were kept give none."""
    ends = list(ends)
    for kind in ("proved", "tested", "not run"):
        named = [_one(one) for one in ends if one["end"] == kind]
        if named:
            yield f"{kind}: {', '.join(named)}"


def _one(end: Mapping[str, Any]) -> str:
    name = AS_SAID.get(end["gate"], end["gate"]) if end["end"] != "tested" else end["gate"]
    return f"{name} ({end['why']})" if end.get("why") else str(name)
