"""Negotiations of all three kinds as front ends show them, read back from their logs; also as they stood earlier.

Proposal negotiations lie in `.graphbus/negotiations/`, consent negotiations in `.graphbus/consent/`; document
negotiations are directories of their own, named when the workspace is opened.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphbus_core.errors import GraphBusError, LogDamaged, UsageError
from graphbus_core.logs.build_history import find_undone
from graphbus_core.logs.jsonl import LogReader, read_answers
from graphbus_core.logs.negotiation_folder import NegotiationFolder
from graphbus_core.logs.verification import LogFault as LogFault, verify_answers, verify_log
from graphbus_core.model.operation import SIDES
from graphbus_core.negotiation.core import Entry, Event
from graphbus_core.negotiation.proposal.events import EVENTS
from graphbus_core.negotiation.proposal.negotiation_log import NegotiationLog as NegotiationLog
from graphbus_core.negotiation.proposal.reports import (
    explain_link as explain_link,
    find_link as find_link,
    list_links as list_links,
    render_gate_ends,
)
from graphbus_core.negotiation.proposal.vocabulary import ProposalOutcome, ProposalType
from graphbus_core.services.errors import NotFound, suggest_name

if TYPE_CHECKING:
    from graphbus_core.model.agent_def import AgentDefinition
    from graphbus_core.negotiation.core import Reply
    from graphbus_core.negotiation.proposal.lineage import Cause
    from graphbus_core.negotiation.proposal.replay import ReplayResult
    from graphbus_core.sessions.consent.files import Run

# The one reader of negotiations' logs: found by id, path or age, read as far as they are sound, with what is wrong.
#
# Command line and server tell what it reads, each in its own form.


OUTCOMES, TYPES = tuple(ProposalOutcome), tuple(ProposalType)


# What became of proposals, as it is counted for people, in this order; the keys are those of `negotiation_log.json`.
_COUNTED = {
    "committed": "committed",
    "rejected": "rejected",
    "deferred": "deferred",
    "superseded": "overtaken by another change",
    "commit_failed": "refused by a gate",
    "withdrawn": "declined by a person",
    "dropped": "dropped",
    "unheard": "unheard",
}


def count_outcomes(counts: Mapping[str, Any], always: Sequence[str] = (), dry_run: bool = False) -> str:
    """`1 committed, 1 refused by a gate`: what became of all proposals. `always`: also where there is none."""
    words = {**_COUNTED, **({"committed": "would be committed"} if dry_run else {})}
    return ", ".join(f"{counts.get(k, 0)} {word}" for k, word in words.items() if counts.get(k) or k in always)


@dataclass(frozen=True)
class LogRead:
    """A log as far as it is sound. `wrong`: everything that is wrong with the file, each with what to do about it."""

    id: str
    path: Path
    entries: Sequence[Entry]
    wrong: tuple[LogFault, ...]

    @property
    def facts(self) -> list[Event]:
        """The sound facts, oldest first."""
        return [entry.event for entry in self.entries]

    def build_log(self, upto: int | None = None) -> NegotiationLog:
        """The negotiation as it stands, or stood after fact number `upto`; what was taken back since is marked."""
        log = NegotiationLog(self.entries[:upto], self.id)
        # `.graphbus` is two folders above the log; records of undone commits lie there.
        log.undone = find_undone(self.path.absolute().parent.parent, self.id, log.committed_ids)
        return log


@dataclass(frozen=True)
class VerifiedLog:
    """A log held against all that stands beside it."""

    read: LogRead
    facts: int
    hash: str
    damage: str | None  # of its lines
    unfinished_write: bool
    answers: int
    repaired: bool

    @property
    def is_sound(self) -> bool:
        """Whether nothing is wrong that anybody relies on."""
        return self.damage is None and all(fault.harmless for fault in self.read.wrong)


def find_log(build: str | None, output_dir: Path) -> tuple[str, Path]:
    """A build's id and its log: by id, by path, or the newest. Raises UsageError."""
    # A slash or a suffix means a file: no id has either.
    if build is not None and (build.endswith(".jsonl") or "/" in build):
        path = Path(build)
        if not path.exists():
            raise UsageError(f"{path}: there is no such log. Give a .jsonl file, or the id of a build.")
        return path.name.removesuffix(".jsonl"), path
    store = NegotiationFolder(output_dir)
    if build is None:
        newest = store.find_newest()
        if newest is None:
            raise UsageError(
                f"There is no negotiation in {output_dir}. Run `graphbus build PATH --enable-agents` first, "
                "or name the folder with --dir."
            )
        return newest.build_id, newest.path
    return build, store.inspect(build).path


def read_all_logs(output_dir: Path) -> list[LogRead]:
    """The logs of all builds of a folder, newest first. Raises UsageError where there is none."""
    store = NegotiationFolder(output_dir)
    logs_read = [read_log(build_id, store.log_path(build_id)) for build_id in reversed(store.list_builds())]
    if not logs_read:
        raise UsageError(
            f"There is no negotiation in {output_dir}. Run `graphbus build PATH --enable-agents` first, or use --dir."
        )
    return logs_read


def read_log(build_id: str, path: Path, events: Mapping[str, type[Event]] = EVENTS) -> LogRead:
    """All that is sound of a log. `events` are its protocol's kinds of facts: those of a build, if nothing is said."""
    entries: list[Entry] = []
    # Logs of other protocols have no head beside them, so the file alone is read.
    wrong = verify_log(path)[1] if events is EVENTS else ()
    try:
        for entry in LogReader(path, events):
            entries.append(entry)  # what it gave before it raised stays
    except LogDamaged as e:
        # The examination says the same more fully; its words win.
        wrong = wrong or (LogFault(str(e)),)
    return LogRead(build_id, path, entries, wrong)


def check_log(build_id: str, path: Path, repair: bool = False) -> VerifiedLog:
    """Check every line, the head, the name and the answers; `repair` cuts a damaged log after its last sound fact.

    Raises UsageError where there is nothing to repair.
    """
    from graphbus_core.logs.jsonl import repair_log as cut

    inspected, wrong = verify_log(path)
    # Only where something is wrong: a sound log is never opened for writing.
    repaired = repair and bool(wrong)
    if repaired:
        cut(path)  # refuses what is not a log
        inspected, wrong = verify_log(path)
    answers, unanswered = verify_answers(path)
    damage = inspected.damage
    # Read again: a repair has cut what the first reading had.
    whole = LogRead(build_id, path, read_log(build_id, path).entries, (*wrong, *unanswered))
    return VerifiedLog(
        whole,
        inspected.facts,
        inspected.hash,
        str(damage) if damage else None,
        bool(damage and damage.unfinished),
        answers,
        repaired,
    )


def derive_log(log: LogRead) -> tuple[ReplayResult, tuple[LogFault, ...]]:
    """The log derived anew from its start, its answers and its commits; and what is wrong with log or answers."""
    from graphbus_core.logs.build_history import read_recording
    from graphbus_core.logs.memory import MemoryLog
    from graphbus_core.negotiation.proposal.replay import replay

    replies: Mapping[str, Reply] = {}
    with suppress(GraphBusError):  # what is wrong with the log is told beside it
        replies = read_recording(log.path)
    return replay(log.facts, replies, MemoryLog()), (*log.wrong, *verify_answers(log.path)[1])


def find_causes(target: str, logs: Sequence[NegotiationLog], everything: bool) -> list[Cause]:
    """Each proposal that made a symbol what it is, newest first."""
    from graphbus_core.negotiation.proposal.lineage import find_causes

    return find_causes(target, logs, everything)


def explain_unknown(target: str, logs: Sequence[NegotiationLog], built: Sequence[AgentDefinition]) -> str:
    """What to say where neither a negotiation nor the build knows such a symbol; "" where one does."""
    from graphbus_core.negotiation.proposal.lineage import explain_unknown

    return explain_unknown(target, logs, built)


def render_gates(ends: Any) -> list[str]:
    """How the gates of a commit ended, a line each."""
    return list(render_gate_ends(ends))


# The document negotiations that a workspace shows: each directory under a name of its own.


def name_directories(folders: Sequence[Path]) -> dict[str, Path]:
    """Name -> folder. The name is the folder's own; where two have the same, the folder above stands before it, and
    then a number. A folder that is given twice is there once."""
    # Resolved, so that one folder reached over two paths is one negotiation.
    whole = list(dict.fromkeys(Path(folder).resolve() for folder in folders))
    own = [folder.name or "negotiation" for folder in whole]
    folders_by_name: dict[str, Path] = {}
    for folder, name in zip(whole, own, strict=True):
        base = name if own.count(name) == 1 else f"{folder.parent.name}-{name}".strip("-")
        free, number = base, 1
        while free in folders_by_name:
            number += 1
            free = f"{base}-{number}"
        folders_by_name[free] = folder
    return folders_by_name


Tell = Callable[[Sequence[Entry]], dict[str, Any]]


@dataclass(frozen=True)
class ShelfEntry:
    """One negotiation on the shelf: where its log is, and how it is told."""

    id: str
    kind: str  # proposal | consent | document
    log: Path
    events: Mapping[str, type[Event]]
    tell: Tell
    ended: Callable[[Sequence[Entry]], bool]
    ask: Callable[[Sequence[Entry]], str]

    def read_entries(self) -> tuple[list[Entry], str | None]:
        """All sound facts, oldest first; and what is wrong with the log, in sentences, if anything."""
        if not self.log.exists():
            return [], None
        try:
            log_read = read_log(self.id, self.log, self.events)
        except OSError as e:
            # A log that cannot be opened is shown as one with a fault, and does not empty the list.
            return [], str(e)
        return list(log_read.entries), " ".join(str(fault) for fault in log_read.wrong if not fault.harmless) or None

    def short(self) -> dict[str, Any]:
        """What a list shows."""
        return self._describe_short(*self.read_entries())

    def describe(self, fact_number: int | None = None) -> dict[str, Any]:
        """All of it, as it stands or as it stood after fact number `at`."""
        entries, damage = self.read_entries()
        shown_entries = entries if fact_number is None else entries[:fact_number]
        short = self._describe_short(entries, damage)
        outcome = _count_ends(shown_entries) if self.kind == "proposal" else ""  # of then, as all that is shown
        return {**short, "outcome": outcome, "at": len(shown_entries), "log": self.tell(shown_entries)}

    def _describe_short(self, entries: Sequence[Entry], damage: str | None) -> dict[str, Any]:
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
            "question": self.ask(entries),
            "outcome": _count_ends(entries) if self.kind == "proposal" else "",
        }


class NegotiationShelf:
    """The negotiations of one project, and the `directories` of document negotiations."""

    def __init__(self, output_dir: Path, directories: Sequence[Path] = ()) -> None:
        self.kept = NegotiationFolder(output_dir)
        self.project = output_dir.parent
        self.directories = name_directories(directories)

    def list_negotiations(self) -> list[dict[str, Any]]:
        """Every negotiation in short, newest first within its kind."""
        return [entry.short() for entry in self.list_entries()]

    def get(self, negotiation_id: str, fact_number: int | None = None) -> dict[str, Any]:
        """One, as it stands or as it stood after fact number `at`. Raises NotFound."""
        return self._find(negotiation_id).describe(fact_number)

    def log(self, negotiation_id: str, after: int, limit: int) -> dict[str, Any]:
        """Its facts after number `after`, oldest first. Raises NotFound."""
        shelf_entry = self._find(negotiation_id)
        entries, damage = shelf_entry.read_entries()
        part = slice(after, after + limit)
        is_consent = shelf_entry.kind == "consent"
        facts = _list_votes_shut(entries)[part] if is_consent else _list_rows(entries[part])
        return {"facts": facts, "last": len(entries), "damage": damage}

    def read_proposal_entries(self, negotiation_id: str) -> Sequence[Entry]:
        """The facts of a build, as far as its log is sound. Raises NotFound, also for another kind."""
        entry = self._find(negotiation_id)
        if entry.kind != "proposal":
            raise NotFound(f"{negotiation_id} is a {entry.kind} negotiation, which has no project to draw.")
        return entry.read_entries()[0]

    def verify(self, negotiation_id: str) -> dict[str, Any]:
        """Whether the log of a build is as it was written. Raises NotFound, UsageError for another kind."""
        entry = self._find(negotiation_id)
        if entry.kind != "proposal":
            raise UsageError(f"{negotiation_id} is a {entry.kind} negotiation; logs of builds are verified here.")
        verified_log = check_log(entry.id, entry.log)
        wrong = " ".join(str(fault) for fault in verified_log.read.wrong if not fault.harmless)
        return {
            "id": entry.id,
            "facts": verified_log.facts,
            "hash": verified_log.hash,
            "is_sound": verified_log.is_sound,
            "damage": verified_log.damage or wrong or None,
            "answers": verified_log.answers,
        }

    def find_proposals(self, symbol: str) -> list[dict[str, Any]]:
        """Every proposal of every build that touches `Node`, `Node.method` or `Node.method.field`, newest first."""
        parts = symbol.split(".")
        node, method, fields = parts[0], parts[1] if len(parts) > 1 else None, parts[2:]
        # `Node.method.input.field`: the side is how contracts name it, and diffs do not.
        if fields and fields[0] in SIDES:
            fields = fields[1:]
        touching = []
        for build_id in reversed(self.kept.list_builds()):
            log = self._build_proposal_entry(build_id).describe()["log"]
            # Newest first throughout: the last change is why it looks as it does.
            for proposal in (p for r in reversed(log["rounds"]) for p in reversed(r["proposals"])):
                if any(_is_touched(op, node, method, fields) for op in proposal["diff"]):
                    touching.append({"build_id": build_id, "proposal_id": proposal["id"], **proposal})
        return touching

    def list_damaged(self) -> list[dict[str, Any]]:
        """Logs of builds that cannot be read to their end: `find_proposals` may miss what stands behind the damage."""
        return [
            short
            for entry in map(self._build_proposal_entry, self.kept.list_builds())
            if (short := entry.short())["damage"]
        ]

    def _find(self, negotiation_id: str) -> ShelfEntry:
        shelved = {entry.id: entry for entry in self.list_entries()}
        if negotiation_id not in shelved:
            raise NotFound(f"There is no negotiation {negotiation_id!r}.{suggest_name(negotiation_id, shelved)}")
        return shelved[negotiation_id]

    def list_entries(self) -> list[ShelfEntry]:
        """All of them, newest first within their kind; their logs are not read yet."""
        builds = [self._build_proposal_entry(build_id) for build_id in reversed(self.kept.list_builds())]
        return [
            *builds,
            *self._list_consents(),
            *(self._build_document_entry(*named_folder) for named_folder in self.directories.items()),
        ]

    def _build_proposal_entry(self, build_id: str) -> ShelfEntry:
        def tell(entries: Sequence[Entry]) -> dict[str, Any]:
            log = LogRead(build_id, path, entries, ()).build_log()
            return {**log.to_dict(), "usage": self._sum_usage(build_id)}

        path = self.kept.log_path(build_id)
        return ShelfEntry(build_id, "proposal", path, EVENTS, tell, _build_end_check("negotiation_ended"), _find_intent)

    def _sum_usage(self, build_id: str) -> dict[str, float]:
        """What the answers of a build cost so far, in tokens and money; nothing where no model answered."""
        try:
            replies, _, _ = read_answers(self.kept.answers_path(build_id))
        except GraphBusError:
            # The costs are the smaller loss: what was agreed must be shown all the same.
            return {}  # the answers are damaged: what was agreed is still told
        used = [reply.usage for reply in replies.values() if reply.usage]
        tokens = sum(u.get("input_tokens", 0) + u.get("output_tokens", 0) for u in used)
        return {"tokens": tokens, "cost_usd": sum(u.get("cost_usd") or 0.0 for u in used)} if used else {}

    def _list_consents(self) -> list[ShelfEntry]:
        from graphbus_core.negotiation.consent.events import EVENTS as CONSENT
        from graphbus_core.sessions.consent.files import Runs

        def build_teller(run: Run) -> Tell:
            return lambda entries: {**_tell_consent(entries), "satisfaction": _compute_satisfaction(run, entries)}

        def build_asker(run: Run) -> Callable[[Sequence[Entry]], str]:
            return lambda _: _find_consent_topic(run)

        runs = reversed(Runs(self.project).list_runs())
        return [
            ShelfEntry(
                run.id, "consent", run.log, CONSENT, build_teller(run), _build_end_check("ended"), build_asker(run)
            )
            for run in runs
        ]

    def _build_document_entry(self, name: str, folder: Path) -> ShelfEntry:
        from graphbus_core.negotiation.document.events import EVENTS as DOCUMENT
        from graphbus_core.sessions.document.folder import HIDDEN

        log = folder / HIDDEN / "log.jsonl"
        return ShelfEntry(
            name,
            "document",
            log,
            DOCUMENT,
            _tell_document,
            lambda entries: bool(_fold_state(entries).final),
            _find_document_topic,
        )


def _build_end_check(kind: str) -> Callable[[Sequence[Entry]], bool]:
    # Not the very last: facts of an undo or a note may come behind the end.
    return lambda entries: any(entry.event.kind == kind for entry in entries[-3:])


def _take_line(text: object) -> str:
    """The first line of a text that says something, without the marks of a heading."""
    lines = (line.strip().lstrip("#").strip() for line in str(text or "").splitlines())
    return next((line for line in lines if line), "")


_ENDS = {
    "proposal_committed": "committed",
    "proposal_rejected": "rejected",
    "commit_failed": "commit_failed",
    "proposal_withdrawn": "withdrawn",
    "proposal_dropped": "dropped",
}


def _count_ends(entries: Sequence[Entry]) -> str:
    """What the proposals of a build came to, without folding its log: a list reads many."""
    kinds = Counter(_ENDS.get(entry.event.kind, "") for entry in entries)
    dry_run = bool(entries) and bool(getattr(entries[0].event, "settings", {}).get("dry_run"))
    return count_outcomes(kinds, dry_run=dry_run)


def _find_intent(entries: Sequence[Entry]) -> str:
    """What a build was to do: its intent in a person's words, else the proposal that a person had it carry, else the
    links that did not fit when it began."""
    opened = entries[0].event if entries else None
    if people := getattr(opened, "settings", {}).get("proposed_by"):
        carried = (getattr(entry.event, "proposal", None) for entry in entries)
        summaries = (p.get("summary") for p in carried if p and p.get("proposer") in people)
        if summary := _take_line(next(summaries, "")):
            return summary
    if intent := _take_line(getattr(opened, "settings", {}).get("intent")):
        return intent
    wrong = [f"{one.get('producer')} => {one.get('consumer')}" for one in getattr(opened, "mismatches", ())]
    return "" if not wrong else wrong[0] if len(wrong) == 1 else f"{wrong[0]}, and {len(wrong) - 1} more"


def _find_consent_topic(run: Run) -> str:
    """What a decision is about, as its run began; "" where the record of that cannot be read."""
    from graphbus_core.sessions.consent.runner import read_start

    with suppress(GraphBusError):
        return _take_line(read_start(run)[0])
    return ""


def _find_document_topic(entries: Sequence[Entry]) -> str:
    """What a document table is about: the source without a name."""
    from graphbus_core.negotiation.document.events import SourceRead

    texts = (e.event.text for e in reversed(entries) if isinstance(e.event, SourceRead) and not e.event.name)
    return _take_line(next(texts, "").strip().removeprefix("# Topic"))  # the heading of its file says nothing


def _list_rows(entries: Sequence[Entry]) -> list[dict[str, Any]]:
    return [{"seq": e.seq, "kind": e.event.kind, "at": e.at, "data": e.event.to_dict()} for e in entries]


def _list_votes_shut(entries: Sequence[Entry]) -> list[dict[str, Any]]:
    """Facts of a consent negotiation, without the votes of a check that is not over."""
    from graphbus_core.negotiation.consent.shut_votes import build_shown_fact, find_open_check

    opened = find_open_check([entry.event for entry in entries])
    rows = []
    for place, entry in enumerate(entries):
        kind, data = build_shown_fact(entry.event, is_open=place > opened)
        rows.append({"seq": entry.seq, "kind": kind, "at": entry.at, "data": data})
    return rows


def _tell_consent(entries: Sequence[Entry]) -> dict[str, Any]:
    """The conversation in the seed's blocks."""
    from graphbus_core.negotiation.consent.shut_votes import VOTED, VOTES, find_open_check
    from graphbus_core.negotiation.consent.transcript import render_block

    turns: list[dict[str, str]] = []
    status = "OPEN"
    opened = find_open_check([entry.event for entry in entries])
    for place, entry in enumerate(entries):
        if place > opened and isinstance(entry.event, VOTES):
            turns.append({"who": entry.event.advocate, "kind": VOTED, "text": ""})
            continue
        text = render_block(entry.event)
        if text is not None:
            kind, _, who = text.partition("]")[0].lstrip("[").partition(" - ")
            turns.append({"who": who.partition(":")[0], "kind": kind.lower(), "text": text.partition("\n")[2]})
        status = getattr(entry.event, "status", status)
    return {"status": status, "turns": turns}


def _compute_satisfaction(run: Run, entries: Sequence[Entry]) -> dict[str, list[float]]:
    """How well each advocate with scores is served by each proposal, from 0 at its minimum to 1 at its best."""
    from graphbus_core.negotiation.consent.report import compute_satisfaction
    from graphbus_core.sessions.consent import resume

    try:
        scenario = resume(run).scenario
        tabled = [e.event for e in entries if e.event.kind == "proposal_tabled"]
        terms = [t for t in (getattr(event, "terms", None) for event in tabled) if isinstance(t, Mapping)]
        outcomes = [scenario.parse_terms(t) for t in terms] if scenario.issues else []
    except GraphBusError:
        # The scenario was moved or edited. What was said stays readable.
        return {}  # the scenario is gone, or changed since: the conversation is still told
    return {
        seat.name: [min(1.0, max(0.0, compute_satisfaction(seat, o))) for o in outcomes]
        for seat in scenario.scored_advocates
    }


def _tell_document(entries: Sequence[Entry]) -> dict[str, Any]:
    """Whose turn it is, and every issue with its state."""
    state = _fold_state(entries)
    issues = [
        {"issue": i.title, "status": i.status.value, "decision": i.decision, "positions": len(i.entries)}
        for i in state.issues.values()
    ]
    return {"turn": state.holder, "phase": state.phase.value, "issues": issues, "final": state.final}


def _fold_state(entries: Sequence[Entry]) -> Any:
    from graphbus_core.negotiation.document.state import State, evolve

    state = State()
    for entry in entries:
        state = evolve(state, entry.event)
    return state


def _is_touched(op: Mapping[str, Any], node: str, method: str | None, fields: list[str]) -> bool:
    if op["node"] != node or (method is not None and method not in (op.get("method"), op.get("topic"))):
        return False
    # Lists are skipped: `items[].name` is the field `items.name` to who asks.
    return not fields or str(op.get("field", "")).replace("[]", "").split(".")[: len(fields)] == fields
