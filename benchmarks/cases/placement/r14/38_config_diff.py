# pure
"""Compares the two documents that come with the event."""
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from graphbus_core import GraphBusNode, subscribe

_MISSING = object()
_RESTART = ("server.", "database.")


class Change(NamedTuple):
    path: str
    kind: str
    old: Any
    new: Any


def flatten(value: Any, prefix: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping) and value:
        for key, part in value.items():
            yield from flatten(part, f"{prefix}.{key}" if prefix else str(key))
    else:
        yield prefix, value


def changes(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Change]:
    before, after = dict(flatten(old)), dict(flatten(new))
    for path in sorted(before.keys() | after.keys()):
        was, now = before.get(path, _MISSING), after.get(path, _MISSING)
        if was is _MISSING:
            yield Change(path, "added", None, now)
        elif now is _MISSING:
            yield Change(path, "removed", was, None)
        elif was != now:
            yield Change(path, "changed", was, now)


class ConfigDiff(GraphBusNode):
    @subscribe("/Config/Proposed")
    def on_event(self, service: str, old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
        found = list(changes(old, new))
        return {
            "service": service,
            "changes": [change._asdict() for change in found],
            "restart": any(change.path.startswith(_RESTART) for change in found),
        }
