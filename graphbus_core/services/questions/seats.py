"""Seat links: one key for each person at a table, and whose question is whose. It knows no HTTP.

A question belongs to the seat of whom it asks, as soon as a link to that seat was given out. From then on only that
key sees it and answers it. What belongs to no seat is the operator's, who opened the server.

Only a digest of each key is kept. A link is shown once; a new link ends the old one.
"""

from __future__ import annotations

import hashlib
import json
import secrets
import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphbus_core.errors import UsageError
from graphbus_core.services.errors import Forbidden, NotFound
from graphbus_core.storage.atomic_files import write_atomic

BUILD = "build"
# Tables that have a name: the ids of their questions begin with the kind and the name.
NAMED_TABLES = ("consent", "document", "team")
MAX_SEATS = 1_000
MAX_NAME = 200


@dataclass(frozen=True)
class Seat:
    """Who sits where. `table`: `build`, or `consent/RUN`, `document/NAME`, `team/NAME`."""

    table: str
    name: str

    @property
    def id(self) -> str:
        """As an address names it."""
        return f"{self.table}/{self.name}"


# Whoever holds the server's own token.
OPERATOR: Seat | None = None


def name_table(question_id: str) -> str:
    """The table at which a question is asked."""
    kind, _, rest = question_id.partition("/")
    return f"{kind}/{rest.partition('/')[0]}" if kind in NAMED_TABLES and rest else BUILD


class SeatLinks:
    """The seats of one workspace that have a link, kept in one file. Safe to use from any thread."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._lock = threading.Lock()
        self._by_digest = self._load()

    def issue(self, table: str, name: str) -> str:
        """A new key for a seat; the one before opens nothing any more. Raises UsageError where that is not a seat."""
        kind, _, where = table.partition("/")
        if table != BUILD and (kind not in NAMED_TABLES or not where or "/" in where):
            raise UsageError(f"table: {table!r} is not a table. Say build, consent/RUN, document/NAME or team/NAME.")
        if not name.strip() or len(name) > MAX_NAME:
            raise UsageError(f"name: a seat has a name of 1 to {MAX_NAME} characters.")
        seat, key = Seat(table, name), secrets.token_urlsafe(24)
        with self._lock:
            others = {digest: known for digest, known in self._by_digest.items() if known != seat}
            if len(others) >= MAX_SEATS:
                raise UsageError(f"{MAX_SEATS} seats have links already; take some back first.")
            self._save({**others, _digest(key): seat})
        return key

    def end_by_id(self, seat_id: str) -> Seat:
        """End a link: its questions are the operator's again. Raises NotFound."""
        with self._lock:
            seat = next((known for known in self._by_digest.values() if known.id == seat_id), None)
            if seat is None:
                raise NotFound(f"There is no link to a seat {seat_id!r}.")
            self._save({digest: known for digest, known in self._by_digest.items() if known != seat})
            return seat

    def find(self, key: str) -> Seat | None:
        """The seat that a key opens; None for no key."""
        # By digest: the time that this takes says nothing of how near a guess was.
        return self._by_digest.get(_digest(key))

    def list_seats(self) -> list[Seat]:
        """All that have a link."""
        return list(self._by_digest.values())

    def find_owner(self, table: str, name: str) -> Seat | None:
        """Whose a question to `name` at `table` is: a seat, or the operator."""
        seat = Seat(table, name)
        return seat if seat in self._by_digest.values() else OPERATOR

    def select_own(self, seat: Seat | None, questions: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
        """Those of these questions that belong to a seat, or to the operator."""
        return [one for one in questions if self.find_owner(name_table(one["id"]), one["to"]) == seat]

    def check_own(self, seat: Seat | None, table: str, name: str) -> None:
        """Raises Forbidden where what `name` says at `table` is not this caller's to say."""
        owner = self.find_owner(table, name)
        if owner == seat:
            return
        if seat is None:
            raise Forbidden(f"This is {name}'s to answer, from {name}'s own link alone.")
        raise Forbidden(f"This is not yours to answer: you sit there as {seat.name}.")

    def _load(self) -> dict[str, Seat]:
        try:
            stored = json.loads(self._file.read_bytes())
            return {str(digest): Seat(str(one["table"]), str(one["name"])) for digest, one in stored.items()}
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            # No file, or a damaged one: no link opens anything, and new ones can be given out.
            return {}

    def _save(self, seats: Mapping[str, Seat]) -> None:
        self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        text = json.dumps({digest: {"table": seat.table, "name": seat.name} for digest, seat in seats.items()})
        write_atomic(self._file, text.encode(), durable=True)
        self._file.chmod(0o600)
        self._by_digest = dict(seats)


def _digest(key: str) -> str:
    return hashlib.sha256(key.encode(errors="replace")).hexdigest()
