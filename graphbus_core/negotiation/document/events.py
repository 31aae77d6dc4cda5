"""The facts of a document negotiation's log: who wrote what in which turn. Times and files are not part of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar, dataclass_transform

from graphbus_core.negotiation.core import Event, collect_event_types

E = TypeVar("E", bound=Event)


@dataclass_transform(frozen_default=True)
def _fact(cls: type[E]) -> type[E]:
    """A frozen dataclass. What all facts do alike is shared, not compiled anew for each: agents start us often."""
    fact_class = dataclass(frozen=True, eq=False, repr=False)(cls)
    fact_class.__eq__ = _compare_facts  # type: ignore[method-assign, assignment]
    fact_class.__hash__ = None  # type: ignore[assignment]
    fact_class.__repr__ = _render_fact  # type: ignore[method-assign, assignment]
    return fact_class


def _compare_facts(fact: Event, other: object) -> bool:
    return isinstance(other, Event) and type(fact) is type(other) and fact.to_dict() == other.to_dict()


def _render_fact(fact: Event) -> str:
    return f"{type(fact).__name__}({', '.join(f'{k}={v!r}' for k, v in fact.to_dict().items())})"


@_fact
class Opened(Event, kind="opened"):
    """The first fact: the bounds, and what is negotiated."""

    settings: dict[str, Any]
    how: str = "init"  # or "adopted": the directory was there before this log


@_fact
class SettingsChanged(Event, kind="settings_changed"):
    """Somebody edited meta.md before the start."""

    settings: dict[str, Any]


@_fact
class Registered(Event, kind="registered"):
    """A seat was taken. `participant` is an identity or ""; `seat` is "model" where we speak for it ourselves."""

    name: str
    participant: str = ""
    seat: str = ""
    token: str = ""  # digest of what proves it; "" for a seat that acts by its name alone


@_fact
class RegistrationClosed(Event, kind="registration_closed"):
    """No more seats: `why` is "full", "window" or "moved" (somebody else started the turns)."""

    why: str


@_fact
class AnalysisHanded(Event, kind="analysis_handed"):
    """One agent's independent analysis, and the issues it would file; nobody else has seen them yet."""

    name: str
    text: str
    issues: tuple[dict[str, Any], ...] = ()
    why: str = ""  # why it is empty, where the agent was silent


@_fact
class DraftsMerged(Event, kind="drafts_merged"):
    """All analyses are in; their issues were merged in turns, one of each agent after the other."""

    issues: tuple[dict[str, Any], ...]
    dropped: tuple[str, ...] = ()  # titles that said the same as another (trap 12: never a silence)


@_fact
class SourceRead(Event, kind="source_read"):
    """What is negotiated (`name` "") or one of the documents to reconcile, as it was when the agents went on."""

    name: str
    text: str


@_fact
class IssueFiled(Event, kind="issue_filed"):
    """A point to be decided. `by` is "" before the first turn, when no agent can be told from another."""

    stem: str
    title: str
    text: str
    by: str = ""


@_fact
class IssueWorded(Event, kind="issue_worded"):
    """The text of an issue was completed by who may do so."""

    stem: str
    title: str
    text: str


@_fact
class Adopted(Event, kind="adopted"):
    """A negotiation that had begun without this log: what its files said, and whose turn it was."""

    settings: dict[str, Any]
    agents: tuple[Any, ...]  # of (name, participant)
    issues: tuple[dict[str, Any], ...]
    holder: str  # or "done"
    final: str = ""


@_fact
class TurnOpened(Event, kind="turn_opened"):
    """It is this agent's turn. Turns count from 1."""

    turn: int
    holder: str


@_fact
class Noted(Event, kind="noted"):
    """What the holder wrote so far, kept before the hand-off so that it cannot get lost. It may still be revised."""

    holder: str
    turn: int
    issues: tuple[dict[str, Any], ...] = ()
    words: tuple[dict[str, Any], ...] = ()
    marks: tuple[dict[str, Any], ...] = ()
    remarks: tuple[dict[str, Any], ...] = ()
    accepts: tuple[dict[str, Any], ...] = ()


@_fact
class TurnTaken(Event, kind="turn_taken"):
    """The holder handed over. `how`: "hand-off", "answer", or "moved" (it wrote turn.md itself)."""

    holder: str
    turn: int
    how: str = "hand-off"
    issues: tuple[dict[str, Any], ...] = ()
    words: tuple[dict[str, Any], ...] = ()
    marks: tuple[dict[str, Any], ...] = ()
    remarks: tuple[dict[str, Any], ...] = ()
    accepts: tuple[dict[str, Any], ...] = ()


@_fact
class TurnSkipped(Event, kind="turn_skipped"):
    """The holder was silent, or its turn lasted too long. It uses up a round (trap 8)."""

    holder: str
    turn: int
    why: str


@_fact
class AgreementReached(Event, kind="agreement_reached"):
    """Everybody has accepted the offer `hash` of `by`: its words, or the summary that all gave, are the decision."""

    issue: str
    hash: str
    by: str
    text: str
    accepted: tuple[str, ...]


@_fact
class TurnClosing(Event, kind="turn_closing"):
    """The holder ends the negotiation with this turn: what it accepted in it can make agreements before the end."""

    holder: str
    turn: int


@_fact
class EndRecalled(Event, kind="end_recalled"):
    """turn.md said done too early and was put back. Whoever reads it without us may have seen it, and left."""

    holder: str
    turn: int


@_fact
class Explained(Event, kind="explained"):
    """Words of the moderator in an issue's position file, where agents with other scripts read."""

    issue: str
    text: str


@_fact
class AgreementsStood(Event, kind="agreements_stood"):
    """These agreements can no longer be reopened by an agent. Of the first edition, where AGREED was a mark of one."""

    issues: tuple[str, ...]


@_fact
class IssuesEscalated(Event, kind="issues_escalated"):
    """Rounds are used up without agreement, and nobody said so: the rules do."""

    issues: tuple[str, ...]
    why: str


@_fact
class IssueRuled(Event, kind="issue_ruled"):
    """A person or the arbiter decided an escalated issue; an empty `text` leaves it open for good, `why` says why."""

    issue: str
    by: str
    text: str
    why: str = ""


@_fact
class IssueReopened(Event, kind="issue_reopened"):
    """A person gave an issue back to the agents, with fresh rounds."""

    issue: str
    by: str


@_fact
class JudgeSeated(Event, kind="judge_seated"):
    """From now on what is escalated waits for this judge; "" for nobody."""

    judge: str


@_fact
class EditUndone(Event, kind="edit_undone"):
    """What somebody did to a file against the rules, and where it was kept."""

    file: str
    line: int
    what: str
    kept: str = ""


@_fact
class MoveRefused(Event, kind="move_refused"):
    """A move against the rules that reached the log; it changed nothing."""

    who: str
    move: str
    reasons: tuple[str, ...]


@_fact
class FinalDrafted(Event, kind="final_drafted"):
    """The document that is to be accepted, with the hash of it and of the table of fates. `by` is who wrote it, and
    accepts it so; "" where it was made of the decisions. `how` "answer": its author's turn ends with it."""

    by: str
    turn: int
    hash: str
    final: str
    left_out: tuple[str, ...] = ()
    how: str = ""


@_fact
class Finished(Event, kind="finished"):
    """Everything is settled and the final document says so."""

    by: str
    final: str
    left_out: tuple[str, ...] = ()  # points of one source that the document does not take up, as far as we can tell


@_fact
class Ended(Event, kind="ended"):
    """A bound ended it without a final document."""

    why: str


EVENTS: Mapping[str, type[Event]] = collect_event_types(globals())
