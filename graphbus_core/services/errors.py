"""What a front end is told where something is not there, or not now."""

from __future__ import annotations

from collections.abc import Iterable

from graphbus_core.errors import GraphBusError, UsageError
from graphbus_core.suggestions import suggest_names


class NotFound(UsageError):
    """There is no such node, method, build, question or negotiation."""


class Forbidden(GraphBusError):
    """It is somebody else's: another seat's question, or the operator's to do."""


class Conflict(GraphBusError):
    """Not now: the state does not allow it."""


class NodeRaised(GraphBusError):
    """A node that was called raised; the message says which, and what."""


def suggest_name(name: str, known_names: Iterable[str]) -> str:
    """A sentence with the nearest known name, or nothing."""
    near = suggest_names(name, known_names)
    return f" Did you mean {near[0]!r}?" if near else ""
