"""Negotiations of all three kinds as front ends show them, read back from their logs; also as they stood earlier.

Proposal negotiations lie in `.graphbus/negotiations/`, consent negotiations in `.graphbus/consent/`; document
negotiations are directories of their own, named when the workspace is opened.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphbus_core.errors import GraphBusError, UsageError
from graphbus_core.model.operation import SIDES
from graphbus_core.negotiation.core import Entry, Event
from graphbus_core.negotiation.proposal.said.events import EVENTS
from graphbus_core.stores.builds.negotiation_folder import NegotiationFolder
from graphbus_core.stores.jsonl import read_answers
from graphbus_core.workspace.shows import logs
from graphbus_core.workspace.shows.errors import NotFound, nearest
from graphbus_core.workspace.tables.directories import named

if TYPE_CHECKING:
    from graphbus_core.consent.files import Run

Tell = Callable[[Sequence[Entry]], dict[str, Any]]


@dataclass(frozen=True)
class Shelved:
    """One negotiation on the shelf: where its log is, and how it is told."""

    id: str
    kind: str  # proposal | consent | document
    log: Path
    events: Mapping[str, type[Event]]
    tell: Tell
    ended: Callable[[Sequence[Entry]], bool]

    def entries(self) -> tuple[list[Entry], str | None]:
        """All sound facts, oldest first; and what is wrong with the log, in sentences, if anything."""
        if not self.log.exists():
            return [], None
        try:
            found = logs.read(self.id, self.log, self.events)
        except OSError as e:
            # A log that cannot be opened is shown as one with a fault, and does not empty the list.
            return [], str(e)
        return list(found.entries), " ".join(str(one) for one in found.wrong if not one.harmless) or None

    def short(self) -> dict[str, Any]:
        """What a list shows."""
        return self._short(*self.entries())

    def whole(self, at: int | None = None) -> dict[str, Any]:
        """All of it, as it stands or as it stood after fact number `at`."""
        entries, damage = self.entries()
        shown = entries if at is None else entries[:at]
        short = self._short(entries, damage)
        return {**short, "at": len(shown), "log": self.tell(shown)}

    def _short(self, entries: Sequence[Entry], damage: str | None) -> dict[str, Any]:
        state = "damaged" if damage else "ended" if self.ended(entries) else "unfinished"
        return {
            "id": self.id,
            "kind": self.kind,
            "state": state,
            "damage": damage,
            # In the settings of the first fact, where the build wrote what it was asked for.
            "dry_run": bool(entries) and bool(getattr(entries[0].event, "settings", {}).get("dry_run")),
            "events": len(entries),
            "started_at": entries[0].at if entries else None,
        }


class NegotiationShelf:
    """The negotiations of one project, and the `directories` of document negotiations."""

    def __init__(self, output_dir: Path, directories: Sequence[Path] = ()) -> None:
        self.kept = NegotiationFolder(output_dir)
        self.project = output_dir.parent
        self.directories = named(directories)

    def all(self) -> list[dict[str, Any]]:
        """Every negotiation in short, newest first within its kind."""
        return [one.short() for one in self.shelved()]

    def get(self, negotiation_id: str, at: int | None = None) -> dict[str, Any]:
        """One, as it stands or as it stood after fact number `at`. Raises NotFound."""
        return self._find(negotiation_id).whole(at)

    def log(self, negotiation_id: str, after: int, limit: int) -> dict[str, Any]:
        """Its facts after number `after`, oldest first. Raises NotFound."""
        entries, damage = self._find(negotiation_id).entries()
        facts = [
            {"seq": e.seq, "kind": e.event.kind, "at": e.at, "data": e.event.to_dict()}
            for e in entries[after : after + limit]
        ]
        return {"facts": facts, "last": len(entries), "damage": damage}

    def verified(self, negotiation_id: str) -> dict[str, Any]:
        """Whether the log of a build is as it was written. Raises NotFound, UsageError for another kind."""
        found = self._find(negotiation_id)
        if found.kind != "proposal":
            raise UsageError(f"{negotiation_id} is a {found.kind} negotiation; logs of builds are verified here.")
        told = logs.verify(found.id, found.log)
        wrong = " ".join(str(one) for one in told.read.wrong if not one.harmless)
        return {
            "id": found.id,
            "facts": told.facts,
            "hash": told.hash,
            "is_sound": told.is_sound,
            "damage": told.damage or wrong or None,
            "answers": told.answers,
        }

    def why(self, symbol: str) -> list[dict[str, Any]]:
        """Every proposal of every build that touches `Node`, `Node.method` or `Node.method.field`, newest first."""
        parts = symbol.split(".")
        node, method, fields = parts[0], parts[1] if len(parts) > 1 else None, parts[2:]
        # `Node.method.input.field`: the side is how contracts name it, and diffs do not.
        if fields and fields[0] in SIDES:
            fields = fields[1:]
        found = []
        for build_id in reversed(self.kept.builds()):
            log = self._build(build_id).whole()["log"]
            # Newest first throughout: the last change is why it looks as it does.
            for proposal in (p for r in reversed(log["rounds"]) for p in reversed(r["proposals"])):
                if any(_touches(op, node, method, fields) for op in proposal["diff"]):
                    found.append({"build_id": build_id, "proposal_id": proposal["id"], **proposal})
        return found

    def damaged(self) -> list[dict[str, Any]]:
        """Logs of builds that cannot be read to their end: `why` may miss what stands behind the damage."""
        return [short for one in map(self._build, self.kept.builds()) if (short := one.short())["damage"]]

    def _find(self, negotiation_id: str) -> Shelved:
        shelved = {one.id: one for one in self.shelved()}
        if negotiation_id not in shelved:
            raise NotFound(f"There is no negotiation {negotiation_id!r}.{nearest(negotiation_id, shelved)}")
        return shelved[negotiation_id]

    def shelved(self) -> list[Shelved]:
        """All of them, newest first within their kind; their logs are not read yet."""
        builds = [self._build(build_id) for build_id in reversed(self.kept.builds())]
        return [*builds, *self._consents(), *(self._document(*one) for one in self.directories.items())]

    def _build(self, build_id: str) -> Shelved:
        def tell(entries: Sequence[Entry]) -> dict[str, Any]:
            log = logs.LogRead(build_id, path, entries, ()).told()
            return {**log.to_dict(), "usage": self._usage(build_id)}

        path = self.kept.log_path(build_id)
        return Shelved(build_id, "proposal", path, EVENTS, tell, _ends_with("negotiation_ended"))

    def _usage(self, build_id: str) -> dict[str, float]:
        """What the answers of a build cost so far, in tokens and money; nothing where no model answered."""
        try:
            replies, _, _ = read_answers(self.kept.answers_path(build_id))
        except GraphBusError:
            # The costs are the smaller loss: what was agreed must be shown all the same.
            return {}  # the answers are damaged: what was agreed is still told
        used = [reply.usage for reply in replies.values() if reply.usage]
        tokens = sum(u.get("input_tokens", 0) + u.get("output_tokens", 0) for u in used)
        return {"tokens": tokens, "cost_usd": sum(u.get("cost_usd") or 0.0 for u in used)} if used else {}

    def _consents(self) -> list[Shelved]:
        from graphbus_core.consent.files import Runs
        from graphbus_core.negotiation.consent.vocabulary import EVENTS as CONSENT

        def teller(run: Run) -> Tell:
            return lambda entries: {**_tell_consent(entries), "satisfaction": _satisfaction(run, entries)}

        runs = reversed(Runs(self.project).all())
        return [Shelved(run.id, "consent", run.log, CONSENT, teller(run), _ends_with("ended")) for run in runs]

    def _document(self, name: str, folder: Path) -> Shelved:
        from graphbus_core.document.table.folder import HIDDEN
        from graphbus_core.negotiation.document.said.facts import EVENTS as DOCUMENT

        log = folder / HIDDEN / "log.jsonl"
        return Shelved(name, "document", log, DOCUMENT, _tell_document, lambda entries: bool(_state(entries).final))


def _ends_with(kind: str) -> Callable[[Sequence[Entry]], bool]:
    # Not the very last: facts of an undo or a note may come behind the end.
    return lambda entries: any(entry.event.kind == kind for entry in entries[-3:])


def _tell_consent(entries: Sequence[Entry]) -> dict[str, Any]:
    """The conversation in the seed's blocks."""
    from graphbus_core.negotiation.consent.told.texts import block

    turns = []
    status = "OPEN"
    for entry in entries:
        text = block(entry.event)
        if text is not None:
            kind, _, who = text.partition("]")[0].lstrip("[").partition(" - ")
            turns.append({"who": who.partition(":")[0], "kind": kind.lower(), "text": text.partition("\n")[2]})
        status = getattr(entry.event, "status", status)
    return {"status": status, "turns": turns}


def _satisfaction(run: Run, entries: Sequence[Entry]) -> dict[str, list[float]]:
    """How well each advocate with scores is served by each proposal, from 0 at its minimum to 1 at its best."""
    from graphbus_core.consent import resume
    from graphbus_core.negotiation.consent.told.picture import share

    try:
        scenario = resume(run).scenario
        tabled = [e.event for e in entries if e.event.kind == "proposal_tabled"]
        terms = [t for t in (getattr(event, "terms", None) for event in tabled) if isinstance(t, Mapping)]
        outcomes = [scenario.outcome(t) for t in terms] if scenario.issues else []
    except GraphBusError:
        # The scenario was moved or edited. What was said stays readable.
        return {}  # the scenario is gone, or changed since: the conversation is still told
    return {seat.name: [min(1.0, max(0.0, share(seat, o))) for o in outcomes] for seat in scenario.scored}


def _tell_document(entries: Sequence[Entry]) -> dict[str, Any]:
    """Whose turn it is, and every issue with its state."""
    state = _state(entries)
    issues = [
        {"issue": i.title, "status": i.status.value, "decision": i.decision, "positions": len(i.entries)}
        for i in state.issues.values()
    ]
    return {"turn": state.holder, "phase": state.phase.value, "issues": issues, "final": state.final}


def _state(entries: Sequence[Entry]) -> Any:
    from graphbus_core.negotiation.document.said.state import State, evolve

    state = State()
    for entry in entries:
        state = evolve(state, entry.event)
    return state


def _touches(op: Mapping[str, Any], node: str, method: str | None, fields: list[str]) -> bool:
    if op["node"] != node or (method is not None and method not in (op.get("method"), op.get("topic"))):
        return False
    # Lists are skipped: `items[].name` is the field `items.name` to who asks.
    return not fields or str(op.get("field", "")).replace("[]", "").split(".")[: len(fields)] == fields
