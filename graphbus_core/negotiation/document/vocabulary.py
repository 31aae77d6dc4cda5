"""The words of the document negotiation: settings, what is written in a turn, and the facts of its log (seed 004).

Facts say who wrote what in which turn; times and files are no part of them. Lines and file names travel beside an
edit only so that a refusal can point at them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, ClassVar, TypeVar, dataclass_transform

from graphbus_core.errors import ConfigError
from graphbus_core.negotiation.core import Event

E = TypeVar("E", bound=Event)

NAME = re.compile(r"[a-z][a-z0-9-]{0,63}")
RESERVED = ("registration", "done")  # words that turn.md holds in place of a name
USUAL_NAMES = ("agent-alpha", "agent-beta", "agent-gamma", "agent-delta", "agent-epsilon")
MAX_AGENTS = 256
MAX_ISSUES = 9_999
MAX_TEXT = 1_000_000  # characters of one entry, issue or final document


class Status(StrEnum):
    """What the last Status line of a position file says."""

    OPEN = "OPEN"
    AGREED = "AGREED"
    ESCALATE = "ESCALATE"


class Phase(StrEnum):
    """Where a negotiation stands."""

    UNOPENED = "unopened"
    REGISTRATION = "registration"
    ANALYSIS = "analysis"  # of the later edition; with models also where they draft the issues
    POSITIONS = "positions"
    DONE = "done"


# What the bounds are called where they are given: by a command, and in meta.md.
_GIVEN_AS = {
    "registration_window_s": "WINDOW (registration_window_seconds)",
    "max_rounds": "--max-rounds (max_rounds_per_agent)",
    "poll_interval_s": "--poll-interval (poll_interval_seconds)",
    "turn_timeout_s": "--turn-timeout (turn_timeout_seconds)",
}


@dataclass(frozen=True, slots=True)
class Settings:
    """The bounds of one negotiation, as `meta.md` gives them. Seconds where the name says so."""

    expected_agents: int = 2
    registration_window_s: float = 120
    max_rounds: int = 5
    poll_interval_s: float = 5
    turn_timeout_s: float = 600
    rigorous: bool = False  # analysis first, a challenge before agreeing, a coverage audit before the end
    drafting: bool = False  # seated models draft the issues before the first turn
    judge: str = ""  # who rules on what was escalated: "human", a name, or nobody

    def __post_init__(self) -> None:
        if not 2 <= self.expected_agents <= MAX_AGENTS:
            raise ConfigError(
                f"A negotiation is between 2 to {MAX_AGENTS} agents, not {self.expected_agents}; "
                "give that many, as in `graphbus negotiate init DIR 2`."
            )
        for name in ("registration_window_s", "max_rounds", "poll_interval_s", "turn_timeout_s"):
            if not 0 < getattr(self, name) <= 10_000_000:
                raise ConfigError(
                    f"{_GIVEN_AS[name]} is {getattr(self, name):g}; it must be greater than 0 (10,000,000 at most)."
                )

    @property
    def max_turn_s(self) -> float:
        """How long one turn may last, however alive its holder is."""
        return 6 * self.turn_timeout_s

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {name: getattr(self, name) for name in self.__slots__}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Settings:
        """Inverse of `to_dict`; keys of a newer edition are left out."""
        return cls(**{name: data[name] for name in cls.__slots__ if name in data})


@dataclass(frozen=True, slots=True)
class Reason:
    """Why something is refused: where, what, and what to do. `code` is for programs."""

    what: str
    todo: str = ""
    file: str = ""
    line: int = 0
    code: str = ""

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}: " if self.line else f"{self.file}: " if self.file else ""
        return f"{where}{self.what}" + (f" {self.todo}" if self.todo else "")

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {"file": self.file, "line": self.line, "what": self.what, "todo": self.todo, "code": self.code}


@dataclass(frozen=True, slots=True)
class Words:
    """One entry that its author adds to an issue. `number` is the round as its author wrote it."""

    issue: str
    text: str
    kind: str = "position"  # or "challenge"
    number: int = 0
    line: int = 0

    def to_dict(self) -> dict[str, Any]:
        """What of it is a fact."""
        return {"issue": self.issue, "kind": self.kind, "number": self.number, "text": self.text}


@dataclass(frozen=True, slots=True)
class Mark:
    """A new Status of an issue, with the decision or the summary below it."""

    issue: str
    status: str
    text: str = ""
    line: int = 0

    def to_dict(self) -> dict[str, Any]:
        """What of it is a fact."""
        return {"issue": self.issue, "status": self.status, "text": self.text}


@dataclass(frozen=True, slots=True)
class NewIssue:
    """An issue filed in this turn. `stem` is its file name without `.md`."""

    stem: str
    title: str
    text: str
    line: int = 0

    def to_dict(self) -> dict[str, Any]:
        """What of it is a fact."""
        return {"stem": self.stem, "title": self.title, "text": self.text}


@dataclass(frozen=True, slots=True)
class Remark:
    """Words in a position file that stand in no entry and no decision: they count for nothing, and are not lost."""

    issue: str
    text: str
    line: int = 0

    def to_dict(self) -> dict[str, Any]:
        """What of it is a fact."""
        return {"issue": self.issue, "text": self.text}


@dataclass(frozen=True, slots=True)
class Edits:
    """All that a holder did in its turn. `flaws` is what the reader of the files already found to be against a rule;
    `blank` names the issues of this turn that are still the empty form."""

    words: tuple[Words, ...] = ()
    marks: tuple[Mark, ...] = ()
    issues: tuple[NewIssue, ...] = ()
    flaws: tuple[Reason, ...] = field(default=())
    remarks: tuple[Remark, ...] = ()
    blank: tuple[str, ...] = ()

    @property
    def empty(self) -> bool:
        """Whether nothing was done."""
        return not (self.words or self.marks or self.issues)

    def to_dict(self) -> dict[str, Any]:
        """What of it is a fact."""
        return {
            "issues": tuple(i.to_dict() for i in self.issues),
            "words": tuple(w.to_dict() for w in self.words),
            "marks": tuple(m.to_dict() for m in self.marks),
            "remarks": tuple(r.to_dict() for r in self.remarks),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Edits:
        """Inverse of `to_dict`."""
        return cls(
            tuple(Words(w["issue"], w["text"], w["kind"], w["number"]) for w in data.get("words", ())),
            tuple(Mark(m["issue"], m["status"], m["text"]) for m in data.get("marks", ())),
            tuple(NewIssue(i["stem"], i["title"], i["text"]) for i in data.get("issues", ())),
            remarks=tuple(Remark(r["issue"], r["text"]) for r in data.get("remarks", ())),
        )


@dataclass_transform(frozen_default=True)
def _fact(cls: type[E]) -> type[E]:
    """A frozen dataclass. What all facts do alike is shared, not compiled anew for each: agents start us often."""
    made = dataclass(frozen=True, eq=False, repr=False)(cls)
    made.__eq__ = _same  # type: ignore[method-assign, assignment]
    made.__hash__ = None  # type: ignore[assignment]
    made.__repr__ = _shown  # type: ignore[method-assign, assignment]
    return made


def _same(one: Event, other: object) -> bool:
    return isinstance(other, Event) and type(one) is type(other) and one.to_dict() == other.to_dict()


def _shown(fact: Event) -> str:
    return f"{type(fact).__name__}({', '.join(f'{k}={v!r}' for k, v in fact.to_dict().items())})"


@_fact
class Opened(Event):
    """The first fact: the bounds, and what is negotiated."""

    kind: ClassVar[str] = "opened"
    settings: dict[str, Any]
    how: str = "init"  # or "adopted": the directory was there before this log


@_fact
class SettingsChanged(Event):
    """Somebody edited meta.md before the start."""

    kind: ClassVar[str] = "settings_changed"
    settings: dict[str, Any]


@_fact
class Registered(Event):
    """A seat was taken. `participant` is an identity or ""; `seat` is "model" where we speak for it ourselves."""

    kind: ClassVar[str] = "registered"
    name: str
    participant: str = ""
    seat: str = ""


@_fact
class RegistrationClosed(Event):
    """No more seats: `why` is "full", "window" or "moved" (somebody else started the turns)."""

    kind: ClassVar[str] = "registration_closed"
    why: str


@_fact
class AnalysisHanded(Event):
    """One agent's independent analysis, and the issues it would file; nobody else has seen them yet."""

    kind: ClassVar[str] = "analysis_handed"
    name: str
    text: str
    issues: tuple[dict[str, Any], ...] = ()
    why: str = ""  # why it is empty, where the agent was silent


@_fact
class DraftsMerged(Event):
    """All analyses are in; their issues were merged in turns, one of each agent after the other."""

    kind: ClassVar[str] = "drafts_merged"
    issues: tuple[dict[str, Any], ...]
    dropped: tuple[str, ...] = ()  # titles that said the same as another (trap 12: never a silence)


@_fact
class SourceRead(Event):
    """What is negotiated (`name` "") or one of the documents to reconcile, as it was when the agents went on."""

    kind: ClassVar[str] = "source_read"
    name: str
    text: str


@_fact
class IssueFiled(Event):
    """A point to be decided. `by` is "" before the first turn, when no agent can be told from another."""

    kind: ClassVar[str] = "issue_filed"
    stem: str
    title: str
    text: str
    by: str = ""


@_fact
class IssueWorded(Event):
    """The text of an issue was completed by who may do so."""

    kind: ClassVar[str] = "issue_worded"
    stem: str
    title: str
    text: str


@_fact
class Adopted(Event):
    """A negotiation that had begun without this log: what its files said, and whose turn it was."""

    kind: ClassVar[str] = "adopted"
    settings: dict[str, Any]
    agents: tuple[Any, ...]  # of (name, participant)
    issues: tuple[dict[str, Any], ...]
    holder: str  # or "done"
    final: str = ""


@_fact
class TurnOpened(Event):
    """It is this agent's turn. Turns count from 1."""

    kind: ClassVar[str] = "turn_opened"
    turn: int
    holder: str


@_fact
class Noted(Event):
    """What the holder wrote so far, kept before the hand-off so that it cannot get lost. It may still be revised."""

    kind: ClassVar[str] = "noted"
    holder: str
    turn: int
    issues: tuple[dict[str, Any], ...] = ()
    words: tuple[dict[str, Any], ...] = ()
    marks: tuple[dict[str, Any], ...] = ()
    remarks: tuple[dict[str, Any], ...] = ()


@_fact
class TurnTaken(Event):
    """The holder handed over. `how`: "hand-off", "answer", or "moved" (it wrote turn.md itself)."""

    kind: ClassVar[str] = "turn_taken"
    holder: str
    turn: int
    how: str = "hand-off"
    issues: tuple[dict[str, Any], ...] = ()
    words: tuple[dict[str, Any], ...] = ()
    marks: tuple[dict[str, Any], ...] = ()
    remarks: tuple[dict[str, Any], ...] = ()


@_fact
class TurnSkipped(Event):
    """The holder was silent, or its turn lasted too long. It uses up a round (trap 8)."""

    kind: ClassVar[str] = "turn_skipped"
    holder: str
    turn: int
    why: str


@_fact
class AgreementsStood(Event):
    """These agreements can no longer be reopened by an agent."""

    kind: ClassVar[str] = "agreements_stood"
    issues: tuple[str, ...]


@_fact
class IssuesEscalated(Event):
    """Rounds are used up without agreement, and nobody said so: the rules do."""

    kind: ClassVar[str] = "issues_escalated"
    issues: tuple[str, ...]
    why: str


@_fact
class IssueRuled(Event):
    """A person or the arbiter decided an escalated issue; an empty `text` leaves it open for good, `why` says why."""

    kind: ClassVar[str] = "issue_ruled"
    issue: str
    by: str
    text: str
    why: str = ""


@_fact
class IssueReopened(Event):
    """A person gave an issue back to the agents, with fresh rounds."""

    kind: ClassVar[str] = "issue_reopened"
    issue: str
    by: str


@_fact
class JudgeSeated(Event):
    """From now on what is escalated waits for this judge; "" for nobody."""

    kind: ClassVar[str] = "judge_seated"
    judge: str


@_fact
class EditUndone(Event):
    """What somebody did to a file against the rules, and where it was kept."""

    kind: ClassVar[str] = "edit_undone"
    file: str
    line: int
    what: str
    kept: str = ""


@_fact
class MoveRefused(Event):
    """A move against the rules that reached the log; it changed nothing."""

    kind: ClassVar[str] = "move_refused"
    who: str
    move: str
    reasons: tuple[str, ...]


@_fact
class Finished(Event):
    """Everything is settled and the final document says so."""

    kind: ClassVar[str] = "finished"
    by: str
    final: str
    left_out: tuple[str, ...] = ()  # points of one source that the document does not take up, as far as we can tell


@_fact
class Ended(Event):
    """A bound ended it without a final document."""

    kind: ClassVar[str] = "ended"
    why: str


EVENTS: Mapping[str, type[Event]] = {
    event.kind: event
    for event in (
        Opened,
        SettingsChanged,
        Registered,
        RegistrationClosed,
        AnalysisHanded,
        DraftsMerged,
        SourceRead,
        IssueFiled,
        IssueWorded,
        Adopted,
        TurnOpened,
        Noted,
        TurnTaken,
        TurnSkipped,
        AgreementsStood,
        IssuesEscalated,
        IssueRuled,
        IssueReopened,
        JudgeSeated,
        EditUndone,
        MoveRefused,
        Finished,
        Ended,
    )
}
