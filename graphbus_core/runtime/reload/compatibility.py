"""Does a new build fit a running one? What each promises, compared, with the payload that proves a no.

Two questions, because two things can be meant. Processes of two builds side by side publish to and hear each other:
then a change must fit both ways. A reload leaves nobody of the old build: then what is left is who calls and hears
from outside, and events under way.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from graphbus_core.artifacts import ArtifactFolder
from graphbus_core.artifacts.folder import compute_digest

OLD_TO_NEW = "The old build sends and the new one"
NEW_TO_OLD = "The new build sends and the old one"
EITHER = (OLD_TO_NEW, NEW_TO_OLD)
# Who is still there after a reload: callers with the old arguments, and readers of the old results.
AFTER_RELOAD = {"input": (OLD_TO_NEW,), "output": (NEW_TO_OLD,)}


@dataclass(frozen=True)
class BuildContracts:
    """What a build promises, as JSON Schema: topic -> payload, `Node.method` -> input and output. None: not said."""

    digest: str
    topics: Mapping[str, Any]
    methods: Mapping[str, Mapping[str, Any]]

    @classmethod
    def from_folder(cls, folder: ArtifactFolder) -> BuildContracts:
        """Read them. Raises ArtifactError."""
        topics = {topic["name"]: topic["schema"]["json_schema"] if topic["schema"] else None for topic in folder.topics}
        methods = {
            f"{node}.{name}": sides
            for node, node_methods in folder.schemas.items()
            for name, sides in node_methods.items()
        }
        return cls(compute_digest(folder.manifest.to_bytes())[:12], topics, methods)

    def to_bytes(self) -> bytes:
        """As it stands in a bucket of the bus."""
        return json.dumps(vars(self), default=dict, sort_keys=True).encode("utf-8", "surrogatepass")

    @classmethod
    def from_bytes(cls, data: bytes) -> BuildContracts:
        """Inverse of `to_bytes`."""
        row = json.loads(data.decode("utf-8", "surrogatepass"))
        return cls(row["digest"], row["topics"], row["methods"])


def find_breaking_changes(old: BuildContracts, new: BuildContracts, *, side_by_side: bool = True) -> list[str]:
    """What of the new build does not fit the old one, one sentence each, with a payload that proves it."""
    if old.digest == new.digest:
        return []
    return [*_compare_topics(old, new), *_compare_methods(old, new, side_by_side)]


def _compare_topics(old: BuildContracts, new: BuildContracts) -> Iterator[str]:
    for topic, before in old.topics.items():
        after = new.topics.get(topic, before)
        if (why := _explain_difference(before, after, EITHER)) is not None:
            yield f"The contract of {topic} changed: {why}"


def _compare_methods(old: BuildContracts, new: BuildContracts, side_by_side: bool) -> Iterator[str]:
    for name, before in old.methods.items():
        after = new.methods.get(name)
        if after is None and not side_by_side and not any(before.values()):
            continue  # a handler, or a method that promised nothing
        if after is None:
            yield f"{name} is gone, and {'processes of the other build' if side_by_side else 'somebody'} may call it."
            continue
        for side in ("input", "output"):
            ways = EITHER if side_by_side else AFTER_RELOAD[side]
            if (why := _explain_difference(before.get(side), after.get(side), ways)) is not None:
                yield f"The contract of {name} ({side}) changed: {why}"


def _explain_difference(before: Any, after: Any, ways: tuple[str, ...]) -> str | None:
    """Why what one side sends is not taken by the other; None where it is, or where one side says nothing."""
    if before is None or after is None or before == after:
        return None
    from graphbus_core.contracts import Contract, check  # heavy, and only where two builds meet

    old, new = Contract(before), Contract(after)
    for way in ways:
        sender, taker = (old, new) if way is OLD_TO_NEW else (new, old)
        verdict = check(sender, taker)
        if verdict.compatible is False or (verdict.compatible is None and verdict.reasons):
            reason = verdict.reasons[0].message if verdict.reasons else "they do not fit"
            proof = f" {way} refuses {json.dumps(verdict.counterexample)}." if verdict.has_counterexample else ""
            return f"{reason.rstrip('.')}.{proof}"
    return None
