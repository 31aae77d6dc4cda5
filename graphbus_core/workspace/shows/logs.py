"""The one reader of negotiations' logs: found by id, path or age, read as far as they are sound, with what is wrong.

Command line and server tell what it reads, each in its own form.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphbus_core.errors import GraphBusError, LogDamaged, UsageError
from graphbus_core.negotiation.core import Entry, Event
from graphbus_core.negotiation.proposal.said.events import EVENTS
from graphbus_core.negotiation.proposal.told.gates import in_words
from graphbus_core.negotiation.proposal.told.left import ends, link_of, why_left
from graphbus_core.negotiation.proposal.told.projection import NegotiationLog
from graphbus_core.negotiation.proposal.vocabulary import ProposalOutcome, ProposalType
from graphbus_core.stores.builds.negotiation_folder import NegotiationFolder
from graphbus_core.stores.builds.soundness import LogFault, examine, examine_answers
from graphbus_core.stores.builds.undone import undone_in
from graphbus_core.stores.log_reading import LogReader

if TYPE_CHECKING:
    from graphbus_core.model.agent_def import AgentDefinition
    from graphbus_core.negotiation.core import Reply
    from graphbus_core.negotiation.proposal.told.lineage import Cause
    from graphbus_core.negotiation.proposal.told.replaying import Replayed

__all__ = [
    "OUTCOMES",
    "TYPES",
    "LogFault",
    "LogRead",
    "NegotiationLog",
    "VerifiedLog",
    "causes",
    "derive",
    "ends",
    "every",
    "find",
    "gates_in_words",
    "link_of",
    "read",
    "unknown",
    "verify",
    "why_left",
]

OUTCOMES, TYPES = tuple(ProposalOutcome), tuple(ProposalType)


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

    def told(self, upto: int | None = None) -> NegotiationLog:
        """The negotiation as it stands, or stood after fact number `upto`; what was taken back since is marked."""
        log = NegotiationLog(self.entries[:upto], self.id)
        # `.graphbus` is two folders above the log; records of undone commits lie there.
        log.undone = undone_in(self.path.absolute().parent.parent, self.id, log.committed)
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
        return self.damage is None and all(one.harmless for one in self.read.wrong)


def find(build: str | None, output_dir: Path) -> tuple[str, Path]:
    """A build's id and its log: by id, by path, or the newest. Raises UsageError."""
    # A slash or a suffix means a file: no id has either.
    if build is not None and (build.endswith(".jsonl") or "/" in build):
        path = Path(build)
        if not path.exists():
            raise UsageError(f"{path}: there is no such log. Give a .jsonl file, or the id of a build.")
        return path.name.removesuffix(".jsonl"), path
    store = NegotiationFolder(output_dir)
    if build is None:
        newest = store.newest()
        if newest is None:
            raise UsageError(
                f"There is no negotiation in {output_dir}. Run `graphbus build PATH --enable-agents` first, "
                "or name the folder with --dir."
            )
        return newest.build_id, newest.path
    return build, store.look(build).path


def every(output_dir: Path) -> list[LogRead]:
    """The logs of all builds of a folder, newest first. Raises UsageError where there is none."""
    store = NegotiationFolder(output_dir)
    found = [read(build_id, store.log_path(build_id)) for build_id in reversed(store.builds())]
    if not found:
        raise UsageError(
            f"There is no negotiation in {output_dir}. Run `graphbus build PATH --enable-agents` first, or use --dir."
        )
    return found


def read(build_id: str, path: Path, events: Mapping[str, type[Event]] = EVENTS) -> LogRead:
    """All that is sound of a log. `events` are its protocol's kinds of facts: those of a build, if nothing is said."""
    entries: list[Entry] = []
    # Logs of other protocols have no head beside them, so the file alone is read.
    wrong = examine(path)[1] if events is EVENTS else ()
    try:
        for entry in LogReader(path, events):
            entries.append(entry)  # what it gave before it raised stays
    except LogDamaged as e:
        # The examination says the same more fully; its words win.
        wrong = wrong or (LogFault(str(e)),)
    return LogRead(build_id, path, entries, wrong)


def verify(build_id: str, path: Path, repair: bool = False) -> VerifiedLog:
    """Check every line, the head, the name and the answers; `repair` cuts a damaged log after its last sound fact.

    Raises UsageError where there is nothing to repair.
    """
    from graphbus_core.stores.jsonl import repair as cut

    inspected, wrong = examine(path)
    # Only where something is wrong: a sound log is never opened for writing.
    repaired = repair and bool(wrong)
    if repaired:
        cut(path)  # refuses what is not a log
        inspected, wrong = examine(path)
    answers, unanswered = examine_answers(path)
    damage = inspected.damage
    # Read again: a repair has cut what the first reading had.
    whole = LogRead(build_id, path, read(build_id, path).entries, (*wrong, *unanswered))
    return VerifiedLog(
        whole,
        inspected.facts,
        inspected.hash,
        str(damage) if damage else None,
        bool(damage and damage.unfinished),
        answers,
        repaired,
    )


def derive(log: LogRead) -> tuple[Replayed, tuple[LogFault, ...]]:
    """The log derived anew from its start, its answers and its commits; and what is wrong with log or answers."""
    from graphbus_core.negotiation.proposal.told.replaying import replay
    from graphbus_core.stores.builds.recordings import read_recording
    from graphbus_core.stores.memory import MemoryLog

    replies: Mapping[str, Reply] = {}
    with suppress(GraphBusError):  # what is wrong with the log is told beside it
        replies = read_recording(log.path)
    return replay(log.facts, replies, MemoryLog()), (*log.wrong, *examine_answers(log.path)[1])


def causes(target: str, logs: Sequence[NegotiationLog], everything: bool) -> list[Cause]:
    """Each proposal that made a symbol what it is, newest first."""
    from graphbus_core.negotiation.proposal.told.lineage import causes

    return causes(target, logs, everything)


def unknown(target: str, logs: Sequence[NegotiationLog], built: Sequence[AgentDefinition]) -> str:
    """What to say where neither a negotiation nor the build knows such a symbol; "" where one does."""
    from graphbus_core.negotiation.proposal.told.symbols import unknown

    return unknown(target, logs, built)


def gates_in_words(ends: Any) -> list[str]:
    """How the gates of a commit ended, a line each."""
    return list(in_words(ends))
