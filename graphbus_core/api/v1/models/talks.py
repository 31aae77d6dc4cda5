"""Consent and document negotiations: started, answered and read over the API."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from graphbus_core.api.v1.models.common import JsonObject, Strict, Told


class ConsentRequest(Strict):
    """A decision: `prompt` in words, or `scenario`, the text of a scenario file. `humans` answer at the desk."""

    prompt: str = Field(default="", max_length=100_000)
    scenario: str = Field(default="", max_length=900_000)
    advocates: dict[str, str] = Field(default_factory=dict, description="Name and priority of each advocate.")
    humans: list[str] = Field(default_factory=list, max_length=100)
    model: str | None = Field(default=None, max_length=200)
    max_turns: int | None = Field(default=None, ge=1, le=10_000)
    seed: int | None = Field(default=None, ge=0, le=2**53)
    preferences: Literal["disclosed", "private", "sealed"] | None = None


class Started(Told):
    """What was started."""

    id: str


class Advocate(Told):
    """A seat. `person`: its questions lie at the desk."""

    name: str
    priority: str
    person: bool


class ConsentIssue(Told):
    """What is to be decided, and between what."""

    name: str
    title: str
    options: list[str]


class Said(Told):
    """A block of the ledger."""

    who: str
    kind: str
    text: str


class Term(Told):
    """What holds on an issue; `issue` is null for a line of words."""

    issue: str | None
    says: str


class Standing(Told):
    """The proposal on the table."""

    number: int
    terms: list[Term]
    objections: dict[str, str]


class FrontierPoint(Told):
    """An efficient outcome by the mean and the least satisfaction, from 0 to 1; one of them may be the agreement."""

    mean: float
    least: float
    agreed: bool
    terms: list[Term]


class Trade(Told):
    """What an option of an issue is worth to a seat. `liked`: what it would have had instead."""

    issue: str
    option: str
    points: float
    liked: str | None = None


class SeatReason(Told):
    """What a seat got and gave. `share`: its gain, of the most that it could gain."""

    name: str
    share: float
    score: float
    gave: list[Trade]
    got: list[Trade]


class ConsentReasons(Told):
    """Why that deal. `change`: what would make the other deal win that was asked about."""

    words: str
    change: str | None
    seats: list[SeatReason]


class Consent(Told):
    """A consent negotiation. `record`: the certificate of the agreement, or the proof that there is none, with what
    would change it."""

    id: str
    topic: str
    state: Literal["running", "ended", "stopped", "failed", "unfinished"]
    status: str
    detail: str
    preferences: str
    turns: int
    max_turns: int
    advocates: list[Advocate]
    issues: list[ConsentIssue]
    said: list[Said]
    standing: Standing | None
    agreement: list[Term] | None
    frontier: list[FrontierPoint]
    record: JsonObject | None = None


class Source(Strict):
    """A document to reconcile."""

    name: str = Field(min_length=1, max_length=200)
    text: str = Field(min_length=1, max_length=400_000)


class DocumentRequest(Strict):
    """A document negotiation to open, in a directory of its own below the project's build folder."""

    name: str = Field(pattern=r"^[a-z0-9][a-z0-9-]{0,63}$", examples=["storage-plan"])
    topic: str = Field(default="", max_length=100_000)
    sources: list[Source] = Field(default_factory=list, max_length=100)
    agents: int = Field(default=2, ge=2, le=256)
    max_rounds: int = Field(default=5, ge=1, le=1_000)


class SeatRequest(Strict):
    """The name under which to sit."""

    agent: str = Field(pattern=r"^[a-z][a-z0-9-]{0,63}$", examples=["ann"])


class DocumentAgent(Told):
    """Who sits there. `ours`: its turns are taken over this API."""

    name: str
    participant: str
    ours: bool


class SourceTold(Told):
    """A document that is to be reconciled."""

    name: str
    text: str


class DocumentEntry(Told):
    """A position, a challenge or an offer. `hash` names it where it can be accepted."""

    by: str
    kind: str
    number: int
    text: str
    turn: int
    offer: bool
    hash: str | None


class DocumentIssue(Told):
    """A point, with all that was said on it."""

    stem: str
    title: str
    text: str
    status: Literal["OPEN", "AGREED", "ESCALATE"]
    decision: str
    settled: bool
    ruled: bool
    accepted: list[str]
    entries: list[DocumentEntry]


class DocumentTold(Told):
    """A document negotiation, whole. `final` is the document as far as it is; `is_final` says whether it stands."""

    name: str
    topic: str
    phase: str
    holder: str | None
    turn: int
    expected_agents: int
    max_rounds: int
    agents: list[DocumentAgent]
    sources: list[SourceTold]
    issues: list[DocumentIssue]
    final: str
    is_final: bool
    ended: str


class Accept(Strict):
    """The acceptance of an offer; without `hash` of the newest."""

    issue: str
    hash: str = ""


class Words(Strict):
    """Words on an issue."""

    issue: str
    text: str = Field(min_length=1)


class NewIssue(Strict):
    """A new point."""

    title: str = Field(min_length=1)
    question: str = ""


class TurnRequest(Strict):
    """A whole turn: all of it is taken, or nothing."""

    agent: str
    accepts: list[Accept] = []
    offers: list[Words] = []
    positions: list[Words] = []
    challenges: list[Words] = []
    escalations: list[Words] = []
    issues: list[NewIssue] = []


class TurnTaken(Told):
    """How it ended: `handed` to the next, or `finished`, where everything was agreed."""

    end: str
    left_out: list[str] = []
