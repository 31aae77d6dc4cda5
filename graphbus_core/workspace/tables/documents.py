"""Document negotiations that a front end starts and sits at: seats of its own, whole turns, what waits for them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from pathlib import Path
from typing import Any

from graphbus_core.document import NegotiationDirectory, Told, taking
from graphbus_core.document.join import Luggage, SourceDocument, join
from graphbus_core.errors import GraphBusError, UsageError
from graphbus_core.files import seat as seats
from graphbus_core.negotiation.document.said.state import State
from graphbus_core.negotiation.document.said.vocabulary import Settings
from graphbus_core.workspace.shows.errors import Conflict, NotFound, nearest

Observer = Callable[[str, Mapping[str, Any]], object]
# The name becomes a folder and a part of an address, so it has no dot, no slash and no capital.
NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")
TEXTS = ("offers", "positions", "challenges", "escalations")
_ENTRY = {"issue": {"type": "string"}, "text": {"type": "string"}}
TURN: dict[str, Any] = {
    "type": "object",
    "properties": {
        "accepts": {"type": "array", "items": {"type": "object", "properties": {**_ENTRY, "hash": {"type": "string"}}}},
        **{key: {"type": "array", "items": {"type": "object", "properties": _ENTRY}} for key in TEXTS},
        "issues": {"type": "array", "items": {"type": "object", "properties": {"title": {"type": "string"}}}},
    },
    "additionalProperties": False,
}


class Documents:
    """The document negotiations of one workspace, by name. Those that it starts lie in `home`; `keys` holds the tokens
    of its seats, readable by their owner alone."""

    def __init__(
        self, directories: MutableMapping[str, NegotiationDirectory], home: Path, keys: Path, observe: Observer
    ) -> None:
        self.directories, self.home, self.keys, self.observe = directories, home, keys, observe

    def start(
        self, name: str, topic: str, sources: Sequence[Mapping[str, str]], agents: int, max_rounds: int
    ) -> tuple[str, Path]:
        """Open one in a directory of its own: (name, directory). Raises UsageError, Conflict for a taken name."""
        if NAME.fullmatch(name) is None:
            raise UsageError(f"name: {name!r} is not a name; take a to z, 0 to 9 and -, at most 64 of them.")
        folder = self.home / name
        # The folder too: a negotiation of an earlier server may lie there without being open now.
        if name in self.directories or folder.exists():
            raise Conflict(f"There is a document negotiation {name!r}. Give another name.")
        directory = NegotiationDirectory(folder)
        told = directory.init(Settings(expected_agents=agents, max_rounds=max_rounds))
        _must(told)
        (folder / "sources").mkdir(exist_ok=True)
        plans = [SourceDocument(folder, _stem(one["name"]), one["text"]) for one in sources]
        # Held: an agent that joined the moment it was opened must not read half of the sources.
        with directory.held():
            Luggage(directory, topic, plans).bring()
        self.directories[name] = directory
        return name, folder

    def join(self, name: str, agent: str) -> None:
        """Take a seat for whoever sits before the page. Raises NotFound, UsageError with the reason."""
        directory = self._find(name)
        token = seats.new_token()
        # An identity of the page: the same person sits down again after a restart and finds the same seat.
        _must(join(directory, {}, "", (), agent, f"page:{agent}", False, token))
        # For its owner alone: whoever reads a token can hand over that seat's turn.
        self.keys.mkdir(mode=0o700, parents=True, exist_ok=True)
        seats.keep(self._key(name, agent), seats.Seat(str(directory.root), agent, token))

    def turn(self, name: str, agent: str, body: Mapping[str, Any]) -> dict[str, Any]:
        """A whole turn at once, all of it or nothing. Raises UsageError with every reason why it is not taken."""
        directory = self._seated(name, agent)
        told = taking.say(directory, agent, json.dumps(dict(body)))
        _must(told)
        self.observe("answered", {"id": f"document/{name}/turn/{agent}"})
        return {"end": str(told.data["end"]), "left_out": [str(one) for one in told.data.get("left_out", ())]}

    def asked(self) -> Iterator[dict[str, Any]]:
        """The turns that wait for a seat of ours, as open questions."""
        for name, directory in list(self.directories.items()):
            # One damaged directory must not hide the turns of all others.
            try:
                state = directory.look() if directory.exists else None
            except (GraphBusError, OSError):
                continue  # the shelf says what is wrong with it
            if state is not None and state.holder in self._ours(name, state) and not state.ended and not state.final:
                yield {
                    "id": f"document/{name}/turn/{state.holder}",
                    "to": state.holder,
                    "kind": "turn_document",
                    "about": {"document": name, "topic": state.topic, "turn": state.turn},
                    "answer_schema": TURN,
                    "refused": [],
                }

    def get(self, name: str) -> dict[str, Any]:
        """One whole: sources side by side, what everybody said on each issue, the final document as far as it is."""
        from graphbus_core.negotiation.document.agreement import offer_hash

        directory = self._find(name)
        if not directory.exists:
            raise NotFound(f"The directory of {name!r} is gone.")
        state = directory.look(working=True)
        ours = self._ours(name, state)
        return {
            "name": name,
            "topic": state.topic,
            "phase": state.phase.value,
            "holder": state.holder or None,
            "turn": state.turn,
            "expected_agents": state.settings.expected_agents,
            "max_rounds": state.settings.max_rounds,
            "agents": [
                {"name": one, "participant": state.participants.get(one, ""), "ours": one in ours}
                for one in state.agents
            ],
            "sources": [{"name": stem, "text": directory.text(f"sources/{stem}.md") or ""} for stem in state.sources],
            "issues": [_issue(one, offer_hash) for one in state.issues.values()],
            "final": state.final or directory.text("final.md") or "",
            "is_final": bool(state.final),
            "ended": state.ended,
        }

    def _find(self, name: str) -> NegotiationDirectory:
        if name not in self.directories:
            raise NotFound(f"There is no document negotiation {name!r}.{nearest(name, self.directories)}")
        return self.directories[name]

    def _seated(self, name: str, agent: str) -> NegotiationDirectory:
        """The directory as that agent, with its token. A new object: two seats never share a token."""
        found = self._find(name)
        key = self._key(name, agent)
        if not key.exists():
            raise UsageError(f"{agent} is not a seat of this server at {name!r}. Take one first: POST …/seats.")
        directory = NegotiationDirectory(found.root)
        directory.token = seats.read(key).token
        return directory

    def _ours(self, name: str, state: State) -> set[str]:
        return {agent for agent in state.agents if self._key(name, agent).exists()}

    def _key(self, name: str, agent: str) -> Path:
        if NAME.fullmatch(agent) is None:
            raise UsageError(f"agent: {agent!r} is not a name; take a to z, 0 to 9 and -.")
        return self.keys / f"{name}-{agent}.json"


def _issue(issue: Any, hashed: Callable[[str, Any], str]) -> dict[str, Any]:
    # Only a newest position is an offer that can be accepted, so only that one shows its hash.
    latest = {entry.by: entry for entry in issue.entries if entry.kind == "position"}
    return {
        "stem": issue.stem,
        "title": issue.title,
        "text": issue.text,
        "status": issue.status.value,
        "decision": issue.decision,
        "settled": issue.settled,
        "ruled": issue.ruled,
        "accepted": sorted(issue.accepted),
        "entries": [
            {
                "by": one.by,
                "kind": one.kind,
                "number": one.number,
                "text": one.text,
                "turn": one.turn,
                "offer": one.offer,
                "hash": hashed(issue.stem, one) if latest.get(one.by) is one else None,
            }
            for one in issue.entries
        ],
    }


def _must(told: Told) -> None:
    if not told.ok:
        raise UsageError("; ".join(reason.what + (f" {reason.todo}" if reason.todo else "") for reason in told.reasons))


def _stem(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-.")[:64] or "source"
