"""An interface negotiation in a folder that both sides reach: one log, one lock, and the contract file it ends with.

`NAME.contract.json` is what both check in and test against: the producer's schema, the consumer's, both by version with
their hash and who agreed. Beside it each version is published in `contracts-history/`, in the one form that `graphbus
contracts` reads. The log is the truth; the files are written from it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from graphbus_core.agree.rules import EVENTS, SIDES, InterfaceProtocol, State, shown, to_accept, to_table
from graphbus_core.contracts.front.registry import FOLDER, Version, folder_name, write
from graphbus_core.errors import UsageError
from graphbus_core.files import seat as seats
from graphbus_core.files.lock import lock
from graphbus_core.files.whole import put_whole
from graphbus_core.negotiation.core import Json, Session
from graphbus_core.stores.jsonl import JsonlLog

LOCK_S = 30.0


@dataclass(frozen=True, slots=True)
class Agreed:
    """What an operation has to say. `refused` is why it was not done."""

    refused: str = ""
    data: dict[str, Any] = field(default_factory=dict)

    @property
    def ok(self) -> bool:
        """Whether it was done."""
        return not self.refused


class InterfaceDirectory:
    """One interface between two components, in the folder `at`."""

    def __init__(self, at: Path, name: str) -> None:
        if not name or not name.isprintable() or any(c in name for c in "/\\") or name.startswith("."):
            raise UsageError(f"{name!r} cannot be the name of an interface: it becomes a file's name.")
        self.at = at.absolute()
        self.name = name
        self.hidden = self.at / ".graphbus"
        self.file = self.at / f"{name}.contract.json"

    @property
    def log(self) -> Path:
        """Where its facts are."""
        return self.hidden / f"agree-{self.name}.jsonl"

    def open(self, producer: str, consumer: str) -> Agreed:
        """Open it, or join what is open."""
        if not producer or not consumer or producer == consumer:
            return Agreed("An interface is between two: give --producer and --consumer, two different names.")
        with self._held() as session:
            # The state is read under the lock: two sides that open at once would else each write an opening fact.
            state = session.state
            if not state.name:
                session.submit("", {"move": "open", "name": self.name, "producer": producer, "consumer": consumer})
            elif state.parties != {"producer": producer, "consumer": consumer}:
                held = f"{state.parties['producer']} and {state.parties['consumer']}"
                return Agreed(f"{self.name} is negotiated between {held} here; give those, or another --at.")
            return Agreed(data=self._told(session.state))

    def take(self, side: str, token: str) -> Agreed:
        """Take a side; who took it first keeps it."""
        if side not in SIDES:
            return Agreed(f"{side!r} is not a side: an interface has a {' and a '.join(SIDES)}.")
        with self._held() as session:
            if side in session.state.tokens:
                return Agreed(f"The {side} is seated already. Take the other side, or ask who sits there for the seat.")
            session.submit(side, {"move": "seat", "token": seats.digest(token)})
            return Agreed(data=self._told(session.state))

    def seated(self, side: str) -> bool:
        """Whether somebody has taken a side, or acts there by its name."""
        with self._held() as session:
            return side in session.state.tokens or side in session.state.tabled

    def table(self, side: str, schema: Any, why: str = "", token: str = "") -> Agreed:
        """Table a side's contract; every earlier acceptance is void with it."""
        with self._held() as session:
            refused = self._may(session.state, side, token) or to_table(session.state, side, schema)
            if refused:
                return Agreed(refused, self._told(session.state))
            session.submit(side, {"move": "table", "schema": schema, "why": why})
            return Agreed(data=self._told(session.state))

    def accept(self, side: str, pair: str, token: str = "") -> Agreed:
        """Accept the pair on the table; with both acceptances the contract file is written."""
        with self._held() as session:
            refused = self._may(session.state, side, token) or to_accept(session.state, pair)
            if refused:
                return Agreed(refused, self._told(session.state))
            session.submit(side, {"move": "accept", "hash": pair})
            # The log has the agreement before the file is written. A kill between them is mended by `look`; a file
            # without its fact would be an agreement that nobody can prove.
            if session.state.settled:
                self._write(session.state)
            return Agreed(data=self._told(session.state))

    def look(self) -> Agreed:
        """How it stands."""
        # Asked before the lock: to look at a wrong name must not leave an empty log behind.
        if not self.log.exists():
            open_it = f"graphbus agree {self.name} --producer A --consumer B --at {self.at}"
            return Agreed(f"There is no negotiation about {self.name} in {self.at}. Open it: `{open_it}`.")
        with self._held() as session:
            if session.state.settled and not self.file.exists():
                self._write(session.state)  # a kill came between log and file
            return Agreed(data=self._told(session.state))

    @contextmanager
    def _held(self) -> Iterator[Session[State, None]]:
        """The negotiation, for this process alone. Raises UsageError for a link: it leads elsewhere."""
        # Whoever may write to a shared folder could else lead us to write outside it.
        for place in (self.hidden, self.at / FOLDER, self.at / FOLDER / folder_name(self.name), self.log):
            if place.is_symlink():
                raise UsageError(f"{place} is a symbolic link, and is not followed. Put a plain one in its place.")
        self.hidden.mkdir(parents=True, exist_ok=True)
        fd = lock(self.hidden / "agree.lock", lambda who: f"{self.at} is held by {who or 'another'}.", wait_s=LOCK_S)
        try:
            # The log is opened anew for each command. The other side is another process, and what it said since must
            # be read before anything is judged.
            log = JsonlLog(self.log, EVENTS, protocol="interface")
            try:
                session: Session[State, None] = Session(InterfaceProtocol(), None, log)
                session.advance()
                yield session
            finally:
                log.close()
        finally:
            os.close(fd)

    @staticmethod
    def _may(state: State, side: str, token: str) -> str:
        """Why this command may not act for a side."""
        if side not in SIDES:
            return f"{side!r} is not a side: there are producer and consumer."
        # A seat by name has no token to give: two who share a folder may agree to trust each other.
        if state.tokens.get(side, "") in ("", seats.digest(token)):
            return ""
        return f"The {side} sits here with a token, and this command did not give it. Give --seat FILE."

    def _told(self, state: State) -> dict[str, Any]:
        verdict = state.verdict()
        return {
            "name": state.name,
            "parties": dict(state.parties),
            "tabled": {side: state.tabled[side].schema for side in SIDES if side in state.tabled},
            "pair": state.pair,
            "verdict": verdict.to_dict() if verdict is not None else None,
            "says": shown(verdict),
            "accepted": [side for side in SIDES if state.pair and state.accepted.get(side) == state.pair],
            "agreed": state.settled,
            "version": len(state.versions),
            "file": str(self.file) if state.versions else "",
        }

    def _write(self, state: State) -> None:
        """The contract file: the last version in front, all of them in its history."""
        last = state.versions[-1]
        parties = tuple(state.parties[side] for side in SIDES)
        published = [
            Version(state.name, one["version"], one["producer"], None, one["consumer"], parties)
            for one in state.versions
        ]
        data: Json = {
            "contract": state.name,
            "version": last["version"],
            "hash": last["hash"],
            "digest": published[-1].digest,
            **state.parties,
            "schema": last["producer"],
            "consumer_schema": last["consumer"],
            "history": [
                {**one, "digest": said.digest, "accepted_by": list(parties)}
                for one, said in zip(state.versions, published, strict=True)
            ],
        }
        text = json.dumps(data, indent=2, ensure_ascii=False) + "\n"
        put_whole(self.file, text.encode("utf-8", "surrogatepass"), durable=True)
        # All versions each time, not the last alone: one that a kill kept back or that was lost comes back. One that
        # was edited is refused there.
        for said in published:
            write(self.at / FOLDER, said)
