"""The words of the document negotiation: its settings, and what is written in a turn (seed 004).

Lines and file names travel beside an edit only so that a refusal can point at them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Self

from graphbus_core.errors import ConfigError

NAME = re.compile(r"[a-z][a-z0-9-]{0,63}")
FINAL = "final.md"  # the document, and what an acceptance of it names in place of an issue
MODERATOR = "moderator"  # in whose name we explain in a position file what was put back
RESERVED = ("registration", "done", MODERATOR, "human")  # words of turn.md, and names that are nobody's seat
USUAL_NAMES = ("agent-alpha", "agent-beta", "agent-gamma", "agent-delta", "agent-epsilon")
MAX_AGENTS = 256
MAX_ISSUES = 9_999
MAX_TEXT = 1_000_000  # characters of one entry or issue
MAX_DOCUMENT = 20_000_000  # characters of the final document, which holds what all sources say


ORIGINS = frozenset({"claude", "codex", "manual"})  # of identities, as the later edition of the scripts writes them


def strip_origin(participant: str) -> str:
    """An identity without the word that says where it comes from."""
    origin, mark, bare = participant.partition(":")
    return bare if mark and origin in ORIGINS else participant


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
_SETTING_NAMES = {
    "registration_window_s": "WINDOW (registration_window_seconds)",
    "max_rounds": "--max-rounds (max_rounds_per_agent)",
    "poll_interval_s": "--poll-interval (poll_interval_seconds)",
    "turn_timeout_s": "--turn-timeout (turn_timeout_seconds)",
}


class FactPart:
    """What is written into facts, field by field, but for the line of the file that it was read from."""

    __slots__: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Plain data: what of it is a fact."""
        return {name: getattr(self, name) for name in self.__slots__ if name != "line"}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Inverse of `to_dict`; keys of a newer edition are left out."""
        return cls(**{name: data[name] for name in cls.__slots__ if name in data})


@dataclass(frozen=True, slots=True)
class Settings(FactPart):
    """The bounds of one negotiation, as `meta.md` gives them. Seconds where the name says so."""

    expected_agents: int = 2
    registration_window_s: float = 120
    max_rounds: int = 5
    poll_interval_s: float = 5
    turn_timeout_s: float = 600
    rigorous: bool = False  # analysis first, a challenge before agreeing, a coverage audit before the end
    drafting: bool = False  # seated models draft the issues before the first turn
    judge: str = ""  # who rules on what was escalated: "human", a name, or nobody
    signed: bool = True  # every seat accepts the final document by its hash; a log of before ends with one word

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Settings:
        """Inverse of `to_dict`; a log that does not say so was opened before final documents were signed."""
        return cls(**{"signed": False, **{name: data[name] for name in cls.__slots__ if name in data}})

    def __post_init__(self) -> None:
        if not 2 <= self.expected_agents <= MAX_AGENTS:
            raise ConfigError(
                f"A negotiation is between 2 to {MAX_AGENTS} agents, not {self.expected_agents}; "
                "give that many, as in `graphbus negotiate init DIR 2`."
            )
        for name in ("registration_window_s", "max_rounds", "poll_interval_s", "turn_timeout_s"):
            if not 0 < getattr(self, name) <= 10_000_000:
                raise ConfigError(
                    f"{_SETTING_NAMES[name]} is {getattr(self, name):g}; it must be greater than 0 "
                    f"(10,000,000 at most)."
                )

    @property
    def max_turn_s(self) -> float:
        """How long one turn may last, however alive its holder is."""
        return 6 * self.turn_timeout_s


@dataclass(frozen=True, slots=True)
class Reason:
    """Why something is refused: where, what, and what to do. `code` is for programs."""

    what: str
    todo: str = ""
    file: str = ""
    line: int = 0
    code: str = ""

    def __str__(self) -> str:
        where = f"{self.file}: " if self.file else ""
        if self.line:
            where = f"{self.file}:{self.line}: " if self.file else f"line {self.line}: "
        return f"{where}{self.what}" + (f" {self.todo}" if self.todo else "")

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {"file": self.file, "line": self.line, "what": self.what, "todo": self.todo, "code": self.code}


@dataclass(frozen=True, slots=True)
class Words(FactPart):
    """One entry that its author adds to an issue. `number` is the round as its author wrote it."""

    issue: str
    text: str
    kind: str = "position"  # or "challenge"
    number: int = 0
    line: int = 0
    offer: bool = False  # meant as the decision: others need only accept it

    def to_dict(self) -> dict[str, Any]:
        """What of it is a fact."""
        data: dict[str, Any] = {"issue": self.issue, "kind": self.kind, "number": self.number, "text": self.text}
        return {**data, "offer": True} if self.offer else data


@dataclass(frozen=True, slots=True)
class Accept(FactPart):
    """The acceptance of another agent's offer, by its hash. `text` is what logs of before hold beside it."""

    issue: str
    hash: str
    text: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True)
class Mark(FactPart):
    """A new Status of an issue, with the decision or the summary below it."""

    issue: str
    status: str
    text: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True)
class NewIssue(FactPart):
    """An issue filed in this turn. `stem` is its file name without `.md`."""

    stem: str
    title: str
    text: str
    line: int = 0


@dataclass(frozen=True, slots=True)
class Remark(FactPart):
    """Words in a position file that stand in no entry and no decision: they count for nothing, and are not lost."""

    issue: str
    text: str
    line: int = 0


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
    accepts: tuple[Accept, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether nothing was done."""
        return not (self.words or self.marks or self.issues or self.accepts)

    def to_dict(self) -> dict[str, Any]:
        """What of it is a fact."""
        return {name: tuple(part.to_dict() for part in getattr(self, name)) for name in _PARTS}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Edits:
        """Inverse of `to_dict`."""
        parts: Any = {name: tuple(map(part.from_dict, data.get(name, ()))) for name, part in _PARTS.items()}
        return cls(**parts)


# What of a turn is a fact. Its flaws are for its holder alone, and blank forms say nothing.
_PARTS: dict[str, type[FactPart]] = {
    "issues": NewIssue,
    "words": Words,
    "marks": Mark,
    "remarks": Remark,
    "accepts": Accept,
}
