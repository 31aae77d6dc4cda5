"""Document negotiations that a front end starts and sits at: seats of its own, whole turns, what waits for them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from graphbus_core.errors import GraphBusError, UsageError
from graphbus_core.negotiation.document import signing
from graphbus_core.negotiation.document.model import FINAL, Reason, Settings
from graphbus_core.negotiation.document.state import State
from graphbus_core.services.errors import Conflict, NotFound, suggest_name
from graphbus_core.sessions.document import turn_api, turns
from graphbus_core.sessions.document.directory import NegotiationDirectory, OperationResult
from graphbus_core.sessions.document.foreseen import foresee_acceptance
from graphbus_core.sessions.document.registration import SourceDocument, SourceImport, join
from graphbus_core.storage import seat_token as seats

Observer = Callable[[str, Mapping[str, Any]], object]
# The name becomes a folder and a part of an address, so it has no dot, no slash and no capital.
NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")
TEXTS = ("offers", "positions", "challenges", "escalations")
_ENTRY = {"issue": {"type": "string"}, "text": {"type": "string"}}
TURN_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "accepts": {"type": "array", "items": {"type": "object", "properties": {**_ENTRY, "hash": {"type": "string"}}}},
        **{key: {"type": "array", "items": {"type": "object", "properties": _ENTRY}} for key in TEXTS},
        "issues": {"type": "array", "items": {"type": "object", "properties": {"title": {"type": "string"}}}},
    },
    "additionalProperties": False,
}

_SHUT = "{name} has a seat here already, with a key that this server does not have. Nothing was changed."
_LOST = (
    "This server does not have the key of this seat any more, so it can say nothing here in its name. What was said "
    "stays. To go on, open a new table with the same texts."
)
# What to do next on a page, by a reason's code, where the reason has words for whoever writes files or commands.
_NEXT = {
    "turn": "Your own turn comes by itself; nothing was changed.",
    "early": "It goes on by itself as soon as everybody sits there.",
    "stale": "Read the text as it stands now, then accept that.",
    "owed": "Say something on it, or accept what stands there.",
    "last_round": "It is your last word on it: accept what stands there, or say what divides you.",
    "taken": "Take another name.",
    "seated": "",
    "full": "Open another table for whoever is left.",
}


class HostedDocuments:
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
        result = directory.init(Settings(expected_agents=agents, max_rounds=max_rounds))
        _require_ok(result)
        (folder / "sources").mkdir(exist_ok=True)
        plans = [SourceDocument(folder, _build_stem(source["name"]), source["text"]) for source in sources]
        # Held: an agent that joined the moment it was opened must not read half of the sources.
        with directory.hold():
            SourceImport(directory, topic, plans).write_files()
        self.directories[name] = directory
        return name, folder

    def join(self, name: str, agent: str) -> None:
        """Take a seat for whoever sits before the page; one that is this server's already stays as it is. Raises
        NotFound, UsageError with the reason, Conflict where that seat's key lies elsewhere."""
        directory = self._find(name)
        token = seats.make_token()

        def keep(seat: str) -> None:
            # For its owner alone: whoever reads a token can hand over that seat's turn. Kept before the seat is taken:
            # a kill between the two must not leave a seat whose key nobody has.
            self.keys.mkdir(mode=0o700, parents=True, exist_ok=True)
            seats.write_seat(self._build_key_path(name, seat), seats.Seat(str(directory.root), seat, token))

        # An identity of the page: the same person sits down again after a restart and finds the same seat, with its
        # first key. The log holds that one's digest for good, so another one written here would shut the seat.
        self._build_key_path(name, agent)
        _require_ok(join(directory, {}, "", (), agent, f"page:{agent}", False, token, keep))
        if not self._has_valid_key(name, agent):
            raise Conflict(_SHUT.format(name=agent))

    def bring_source(self, name: str, agent: str, text: str) -> None:
        """Lay a text of one of our seats on the table. Raises NotFound, UsageError, Conflict once somebody has spoken:
        what was said was said of the texts that lay there."""
        directory = self._open_seat(name, agent)
        # Held: nobody must read half of a text, and nobody may speak between the look and the writing.
        with directory.hold() as state:
            if state.issues:
                raise Conflict("They have begun to speak. Say what your text says in your turn.")
            SourceImport(directory, "", [SourceDocument(directory.root, agent, text)]).write_files()
            # Recorded at once: others see what the log has, and it would wait for the end of a turn.
            turns.record_sources(directory)
        self.observe("answered", {"id": f"document/{name}/source/{agent}"})

    def has_seat(self, name: str, agent: str) -> bool:
        """Whether that seat is one of this server's. Raises NotFound, UsageError where that is not a name."""
        self._find(name)
        return self._build_key_path(name, agent).exists()

    def _has_valid_key(self, name: str, agent: str) -> bool:
        """Whether the key that lies here is the one with which that seat was taken."""
        key, directory = self._build_key_path(name, agent), self._find(name)
        digest = directory.read_state().tokens.get(agent, "")
        return key.exists() and digest in ("", seats.compute_digest(seats.read_seat(key).token))

    def take_turn(self, name: str, agent: str, body: Mapping[str, Any], accepts_final: str = "") -> dict[str, Any]:
        """A whole turn at once, all of it or nothing. `accepts_final`: the hash of the document that it makes, as `get`
        told it; it is accepted with it. Raises UsageError with every reason why it is not taken."""
        directory = self._open_seat(name, agent)
        result = turn_api.take_turn(directory, agent, json.dumps(dict(body)), accepts_final=accepts_final)
        _require_ok(result)
        self.observe("answered", {"id": f"document/{name}/turn/{agent}"})
        return {
            "end": str(result.data["end"]),
            "left_out": [str(left_item) for left_item in result.data.get("left_out", ())],
        }

    def list_open_turns(self) -> Iterator[dict[str, Any]]:
        """The turns that wait for a seat of ours, as open questions."""
        for name, directory in list(self.directories.items()):
            # One damaged directory must not hide the turns of all others.
            try:
                state = directory.read_state() if directory.exists else None
            except (GraphBusError, OSError):
                continue  # the shelf says what is wrong with it
            if (
                state is not None
                and state.holder in self._list_own_seats(name, state)
                and not state.ended
                and not state.final
            ):
                yield {
                    "id": f"document/{name}/turn/{state.holder}",
                    "to": state.holder,
                    "kind": "turn_document",
                    "about": {"document": name, "topic": state.topic, "turn": state.turn},
                    "answer_schema": TURN_SCHEMA,
                    "refused": [],
                }

    def read_topic(self, name: str) -> str:
        """What it is about. Raises NotFound."""
        return self._find(name).read_state().topic.removeprefix("# Topic").strip() or name

    def has_ended(self, name: str) -> bool:
        """Whether the negotiation came to its end. Raises NotFound."""
        state = self._find(name).read_state()
        return bool(state.final or state.ended)

    def get(self, name: str) -> dict[str, Any]:
        """One whole: sources side by side, what everybody said on each issue, the final document as far as it is."""
        from graphbus_core.negotiation.document.agreement import compute_offer_hash

        directory = self._find(name)
        if not directory.exists:
            raise NotFound(f"The directory of {name!r} is gone.")
        state = directory.read_state(working=True)
        ours = self._list_own_seats(name, state)
        foreseen = foresee_acceptance(directory, state)
        return {
            "name": name,
            "topic": state.topic,
            "phase": state.phase.value,
            "holder": state.holder or None,
            "turn": state.turn,
            "expected_agents": state.settings.expected_agents,
            "max_rounds": state.settings.max_rounds,
            "agents": [
                {"name": item, "participant": state.participants.get(item, ""), "ours": item in ours}
                for item in state.agents
            ],
            "sources": [
                {"name": stem, "text": directory.read_text(f"sources/{stem}.md") or ""} for stem in state.sources
            ],
            "issues": [_describe_issue(item, compute_offer_hash) for item in state.issues.values()],
            "final": state.final or directory.read_text("final.md") or "",
            "is_final": bool(state.final),
            "ended": state.ended,
            "signing": signing.describe_final(state, turns.read_final(directory)),
            "foreseen": None if foreseen is None else asdict(foreseen),
        }

    def _find(self, name: str) -> NegotiationDirectory:
        if name not in self.directories:
            raise NotFound(f"There is no document negotiation {name!r}.{suggest_name(name, self.directories)}")
        return self.directories[name]

    def _open_seat(self, name: str, agent: str) -> NegotiationDirectory:
        """The directory as that agent, with its token. A new object: two seats never share a token."""
        hosted = self._find(name)
        key = self._build_key_path(name, agent)
        if not key.exists():
            raise UsageError(f"{agent} is not a seat of this server at {name!r}. Take one first: POST …/seats.")
        directory = NegotiationDirectory(hosted.root)
        directory.token = seats.read_seat(key).token
        return directory

    def _list_own_seats(self, name: str, state: State) -> set[str]:
        return {agent for agent in state.agents if self._build_key_path(name, agent).exists()}

    def _build_key_path(self, name: str, agent: str) -> Path:
        if NAME.fullmatch(agent) is None:
            raise UsageError(f"agent: {agent!r} is not a name; take a to z, 0 to 9 and -.")
        return self.keys / f"{name}-{agent}.json"


def _describe_issue(issue: Any, hashed: Callable[[str, Any], str]) -> dict[str, Any]:
    # Only a newest position is an offer that can be accepted, so only that one shows its hash.
    latest = {entry.by: entry for entry in issue.entries if entry.kind == "position"}
    return {
        "stem": issue.stem,
        "title": issue.title,
        "text": issue.text,
        "status": issue.status.value,
        "decision": issue.decision,
        "settled": issue.is_settled,
        "ruled": issue.ruled,
        "accepted": sorted(issue.accepted),
        "entries": [
            _describe_entry(issue, entry, hashed(issue.stem, entry) if latest.get(entry.by) is entry else None)
            for entry in issue.entries
        ],
    }


def _describe_entry(issue: Any, entry: Any, digest: str | None) -> dict[str, Any]:
    return {
        "by": entry.by,
        "kind": entry.kind,
        "number": entry.number,
        "text": entry.text,
        "turn": entry.turn,
        "offer": entry.offer,
        "hash": digest,
        "accepted": sorted(name for name, (accepted, _) in issue.accepted.items() if accepted == digest),
    }


def _require_ok(result: OperationResult) -> None:
    if any(reason.code == "seat" for reason in result.reasons):
        raise Conflict(_LOST)
    if not result.ok:
        raise UsageError("; ".join(_explain_refusal(reason) for reason in result.reasons))


def _explain_refusal(reason: Reason) -> str:
    """Why it is refused, for whoever sits before a page: what a command or a file would mend is not theirs to do."""
    is_of_document = (reason.code, reason.file) == ("early", FINAL)  # points are open: that they can do something about
    todo = reason.todo if is_of_document else _NEXT.get(reason.code, reason.todo)
    return reason.what + (f" {todo}" if todo else "")


def _build_stem(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-.")[:64] or "source"
