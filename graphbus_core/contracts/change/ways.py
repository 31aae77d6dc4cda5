"""The named ways in which two versions are read, one a run.

strict   the schema's own words, on both sides
link     who sends, sends what it declares and nothing else; who takes, ignores what it does not declare
lenient  the schema's own words for who sends; additional properties pass for who takes
"""

from __future__ import annotations

from typing import Any

from graphbus_core.contracts.reading import ends, tagged
from graphbus_core.errors import ContractError

READINGS = ("strict", "link", "lenient")


def known(name: str) -> None:
    """Raises ContractError for what is not the name of a reading."""
    if name not in READINGS:
        raise ContractError(f"there is no reading {name!r}; use {', '.join(READINGS)}.")


def documents(sent: Any, taken: Any, reading: str) -> tuple[Any, Any]:
    """What one version sends and what the other takes, as whole documents, for the judge."""
    if reading == "strict":
        return sent, taken
    if reading == "lenient":
        return sent, ends.opened(taken)
    read = ends.closed(sent), ends.opened(taken)
    return tagged.both(*read) or read


def _as_it_is(schema: Any) -> Any:
    return schema


class Images:
    """Parts of one document as they are sent and as they are taken, each read once."""

    def __init__(self, root: dict[str, Any], reading: str, names: frozenset[str]) -> None:
        self._reading = reading
        mark = tagged.marking(names) if names else _as_it_is
        self._closed = ends.Reading(closing=True, document=root, before=mark)
        self._opened = ends.Reading(closing=False, document=root, before=mark)
        # A reference that stands beside other words is followed as it is, so what it leads to is marked as well.
        # Marked here, since a reference is followed without passing the readings.
        own = {name: mark(schema) for name, schema in root["$defs"].items()} if names else root["$defs"]
        self.definitions = [own, self._closed.definitions, self._opened.definitions]

    @property
    def origins(self) -> tuple[dict[int, int], dict[int, int]]:
        """Of what is sent and of what is taken: the schema, by id, that each was made of. Both grow."""
        return self._closed.origins, self._opened.origins

    def sent(self, schema: Any) -> Any:
        """What may be sent where this schema is promised."""
        return self._closed.at_root(schema) if self._reading == "link" else schema

    def taken(self, schema: Any) -> Any:
        """What is taken where this schema is declared."""
        return schema if self._reading == "strict" else self._opened.at_root(schema)
