"""Builds, negotiations of all kinds, what is asked, and who agreed to what."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from graphbus_core.api.v1.models.common import Json, JsonObject, Strict, Told
from graphbus_core.api.v1.models.project import Gate


class ProposalRequest(Strict):
    """A change that a person asks for. It is put to the others as `agent`'s; nobody proposes anything beside it."""

    agent: str = Field(max_length=500)
    diff: list[JsonObject] = Field(min_length=1, max_length=100)
    summary: str = Field(default="", max_length=1_000)
    rationale: str = Field(default="", max_length=4_000)


class BuildBody(Strict):
    """A build to start. With `approve`, every commit waits for an answer to a question.

    What is left out or null is as `[tool.graphbus]` of the project says, as on the command line.
    """

    enable_agents: bool = True
    approve: bool | None = None
    dry_run: bool = False
    rounds: int | None = Field(default=None, ge=1, le=100)
    intent: str | None = Field(default=None, max_length=4_000)
    model: str | None = Field(default=None, max_length=200)
    humans: list[str] = Field(default_factory=list, max_length=100, description="Agents that people answer for.")
    resume: bool = Field(default=False, description="Go on with the unfinished negotiation, as it was asked for.")

    @model_validator(mode="after")
    def _alone(self) -> BuildBody:
        # A build that goes on was asked for once. Another option beside it would make it another build.
        others = sorted(self.model_fields_set - {"resume"})
        if self.resume and others:
            raise ValueError(f"`resume` takes all options from the build that began; leave out {', '.join(others)}")
        return self


class BuildRequest(BuildBody):
    """A build to start. With `approve`, every commit waits for an answer to a question; with `verify`, for tests.

    What is left out or null is as `[tool.graphbus]` of the project says, as on the command line.
    """

    verify: Literal["auto"] | None = Field(default=None, description="The project's own tests must pass first.")
    proposal: ProposalRequest | None = None


class ForkRequest(Strict):
    """Where a dry run starts: with the sources as they stood after this fact. Without `model` the settings say."""

    at: int = Field(ge=1, le=2**53)
    model: str | None = Field(default=None, max_length=200)


class Build(Told):
    """A build that this server started. `started_at` is in epoch seconds."""

    id: str
    state: Literal["running", "done", "failed", "cancelled"]
    detail: str
    started_at: float
    build_id: str | None
    committed: int
    dry_run: bool


class NegotiationShort(Told):
    """A negotiation in a list. `state` is `running` where this server drives it now."""

    id: str
    kind: Literal["proposal", "consent", "document"]
    state: Literal["running", "unfinished", "ended", "damaged"]
    damage: str | None
    dry_run: bool
    events: int
    started_at: float | None


class Evaluation(Told):
    """What one seat said of a proposal."""

    agent: str
    decision: str
    reasoning: str = ""
    confidence: float | None = None


class FailedGate(Told):
    """The gate that said no."""

    gate: str
    reason: str


class Gates(Told):
    """What the gates came to."""

    passed: list[str] = []
    failed: FailedGate | None = None
    ends: list[Gate] = []


class Arbitration(Told):
    """What an arbiter ruled."""

    arbiter: str | None = None
    decision: str = ""
    ruling: str = ""


class SchemaChange(Told):
    """One change of a contract, in words."""

    symbol: str
    side: str
    kind: str
    path: str
    breaking: bool
    message: str


class TakenBack(Told):
    """When it was taken back."""

    at: str | None = None


class ProposalTold(Told):
    """A proposal, from what was said to what became of it."""

    id: str
    proposer: str
    type: str | None = None
    summary: str = ""
    rationale: str = ""
    confidence: float | None = None
    affected_agents: list[str] = []
    evaluations: list[Evaluation] = []
    outcome: str
    files_changed: list[str] = []
    diff: list[JsonObject] = []
    decided_by: str = ""
    why: str = ""
    gates: Gates | None = None
    arbitration: Arbitration | None = None
    answers_to: str | None = None
    changes: list[SchemaChange] = []
    breaks: list[str] = []
    fixes: list[str] = []
    commit_id: str | None = None
    committed_at: str | None = None
    unified_diff: str = ""
    undone: TakenBack | None = None
    build_id: str | None = Field(default=None, description="Set where proposals of several builds stand together.")


class Round(Told):
    """One round."""

    round: int
    proposals: list[ProposalTold] = []


class Ended(Told):
    """How it ended."""

    reason: str
    why: str = ""


class ProposalLog(Told):
    """A negotiation of proposals, read back."""

    agents: list[str] = []
    arbiters: list[str] = []
    intent: str | None = None
    ended: Ended | None = None
    rounds_completed: int = 0
    total_proposals: int = 0
    committed: int = 0
    rejected: int = 0
    rounds: list[Round] = []


class Negotiation(NegotiationShort):
    """A negotiation as it stands, or as it stood after fact number `at`. `log` is null for the other two kinds: these
    are told whole under /consents and /documents."""

    at: int
    log: ProposalLog | None = None


class Fact(Told):
    """One fact of a log. Its `data` is as the log has it."""

    seq: int
    kind: str
    at: float | None
    data: JsonObject


class Question(Told):
    """What waits for a person or a program. `about` is all that is known; `answer_schema` what is taken."""

    id: str = Field(examples=["1.approve.p-559e"])
    to: str
    kind: str = Field(examples=["approve"])
    about: JsonObject
    answer_schema: JsonObject
    refused: list[str] = []


class WhyTold(Told):
    """Every proposal that made a symbol what it is, newest first. `damaged`: logs that cannot be read to their end."""

    entries: list[ProposalTold]
    damaged: list[NegotiationShort]


class LogVerified(Told):
    """A log held against its checksums, its head and its answers."""

    id: str
    facts: int
    hash: str
    is_sound: bool
    damage: str | None
    answers: int


Answer = Json
