"""A build in other forms, settings, the policy, what is inferred, and journals with what a replay did."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from graphbus_core.api.v1.models.common import Json, Strict, Told


class Exported(Told):
    """A build in a form that other tools read. `file` is a name for it."""

    format: str
    media_type: str
    file: str
    text: str


class SettingTold(Told):
    """A setting: its value, where that comes from, and what it does. `stated`: somebody set it."""

    name: str
    value: Json
    source: str
    stated: bool
    does: str


class RuleTold(Told):
    """A rule of the policy. Null: it says nothing about that."""

    name: str
    who: str
    call: list[str] | None = None
    publish: list[str] | None = None
    hear: list[str] | None = None


class PolicyTold(Told):
    """Who may call, publish and hear what in a run. Nodes that no rule is about may do anything."""

    file: str | None
    rules: list[RuleTold]


class MayTold(Told):
    """Whether the policy allows it; `why` names the rule that does not."""

    allowed: bool
    why: str | None


class ProposedSettings(Told):
    """The settings that a project may begin with, as a diff of its `pyproject.toml`."""

    file: str
    written: bool
    diff: str


class InferredType(Told):
    """A type, how sure it is, and what shows it."""

    type: str
    level: str
    source: str = Field(validation_alias="from")


class InferredInput(InferredType):
    """What a method takes."""

    name: str
    required: bool


class InferredMethod(Told):
    """A method as its code shows it."""

    name: str
    file: str
    line: int
    level: str
    takes: list[InferredInput]
    gives: InferredType


class InferredComponent(Told):
    """A class, or a module whose functions are called from another one."""

    name: str
    kind: str
    file: str
    line: int
    methods: list[InferredMethod]


class InferredLink(Told):
    """What one gives reaches what the other takes, as the places show."""

    producer: str
    consumer: str
    places: list[str]


class FindingTold(Told):
    """What cannot be as it stands there, and what to do."""

    code: str
    level: str
    message: str
    file: str
    line: int
    subject: str
    fingerprint: str
    reasons: list[str] = []
    fix: str | None = None


class Inferred(Told):
    """A project as it is read, without agents. `levels`: how many contracts are how sure."""

    files: int
    components: list[InferredComponent]
    links: list[InferredLink]
    findings: list[FindingTold]
    levels: dict[str, int]
    left_out: list[str]


class JournalTold(Told):
    """A journal of a run. `checks`: the payload checks of the run that began it."""

    id: str
    bytes: int
    at: float
    checks: str


class JournalRecord(Told):
    """An event or a call of a run. `depth`: under how many others it came about."""

    id: str
    kind: Literal["event", "call"]
    what: str
    src: str
    payload: Json
    at: float | None
    cause: str | None
    depth: int
    refused: bool


class ReplayRequest(Strict):
    """What to play: everything, or events of these topics. Without `payload_checks` those of the run are taken."""

    topics: list[str] = Field(default=[], max_length=100)
    payload_checks: Literal["off", "warn", "enforce"] | None = None
    timeout_s: float = Field(default=60, gt=0, le=600)


class ReplayTold(Told):
    """What a replay did. `consequences` followed from what was played; `errors` are deliveries that failed."""

    events: int
    calls: int
    consequences: int
    skipped: int
    refused: int
    failed_calls: int
    errors: int
    failures: list[str]
