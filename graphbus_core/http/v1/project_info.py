"""Operations on what stands beside the project: a build in other forms, settings, the policy, journals, `infer`."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import FastAPI, Query, Request
from pydantic import Field

from graphbus_core.http.v1.common import (
    Cursor,
    Json,
    Limit,
    Page,
    RequestBody,
    ResponseBody,
    Tags,
    build_page,
    make_json_object,
)
from graphbus_core.services import Workspace

# A build in other forms, settings, the policy, what is inferred, and journals with what a replay did.


class Exported(ResponseBody):
    """A build in a form that other tools read. `file` is a name for it."""

    format: str
    media_type: str
    file: str
    text: str


class SettingTold(ResponseBody):
    """A setting: its value, where that comes from, and what it does. `stated`: somebody set it."""

    name: str
    value: Json
    source: str
    stated: bool
    does: str


class RuleTold(ResponseBody):
    """A rule of the policy. Null: it says nothing about that."""

    name: str
    who: str
    call: list[str] | None = None
    publish: list[str] | None = None
    hear: list[str] | None = None


class PolicyTold(ResponseBody):
    """Who may call, publish and hear what in a run. Nodes that no rule is about may do anything."""

    file: str | None
    rules: list[RuleTold]


class MayTold(ResponseBody):
    """Whether the policy allows it; `why` names the rule that does not."""

    allowed: bool
    why: str | None


class ProposedSettings(ResponseBody):
    """The settings that a project may begin with, as a diff of its `pyproject.toml`."""

    file: str
    written: bool
    diff: str


class InferredType(ResponseBody):
    """A type, how sure it is, and what shows it."""

    type: str
    level: str
    source: str = Field(validation_alias="from")


class InferredInput(InferredType):
    """What a method takes."""

    name: str
    required: bool


class InferredMethod(ResponseBody):
    """A method as its code shows it."""

    name: str
    file: str
    line: int
    level: str
    takes: list[InferredInput]
    gives: InferredType


class InferredComponent(ResponseBody):
    """A class, or a module whose functions are called from another one."""

    name: str
    kind: str
    file: str
    line: int
    methods: list[InferredMethod]


class InferredLink(ResponseBody):
    """What one gives reaches what the other takes, as the places show."""

    producer: str
    consumer: str
    places: list[str]


class FindingTold(ResponseBody):
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


class Inferred(ResponseBody):
    """A project as it is read, without agents. `levels`: how many contracts are how sure."""

    files: int
    components: list[InferredComponent]
    links: list[InferredLink]
    findings: list[FindingTold]
    levels: dict[str, int]
    left_out: list[str]


class JournalTold(ResponseBody):
    """A journal of a run. `checks`: the payload checks of the run that began it."""

    id: str
    bytes: int
    at: float
    checks: str


class JournalRecord(ResponseBody):
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


class ReplayRequest(RequestBody):
    """What to play: everything, or events of these topics. Without `payload_checks` those of the run are taken."""

    topics: list[str] = Field(default=[], max_length=100)
    payload_checks: Literal["off", "warn", "enforce"] | None = None
    timeout_s: float = Field(default=60, gt=0, le=600)


class ReplayTold(ResponseBody):
    """What a replay did. `followed` came about now from what was played, `consequences` did in the recorded run."""

    events: int
    calls: int
    consequences: int
    followed: int
    skipped: int
    refused: int
    failed_calls: int
    errors: int
    failures: list[str]
    failed_then: list[str] = Field(
        default=[],
        description="Deliveries that failed in the recorded run, as far as their dead letters are kept: letters that "
        "were retried well or purged are not.",
    )
    is_same: bool = Field(
        default=False,
        description="Whether as much followed as in the recorded run, and `failed_then` failed.",
    )


Form = Literal["asyncapi", "openapi", "mermaid", "dot"]
Text = Annotated[str, Query(min_length=1, max_length=500)]
Topic = Annotated[str | None, Query(max_length=500, description="Only events of this topic, or pattern.")]
SETTINGS: Tags = ["settings"]
JOURNALS: Tags = ["journals"]


def add(app: FastAPI, workspace: Workspace) -> None:
    """Add them to the application."""

    @app.get("/exports/{form}", operation_id="exportBuild", tags=["project"], response_model=Exported)
    def export(form: Form, request: Request) -> dict[str, Any]:
        """The last build as AsyncAPI 3, OpenAPI 3.1, Mermaid or DOT."""
        return dict(workspace.export_build(form, str(request.base_url).rstrip("/")))

    @app.get("/inferred", operation_id="inferProject", tags=["project"], response_model=Inferred)
    def inferred() -> dict[str, Any]:
        """What the project's code says of itself, without agents: who gives what to whom, and what cannot fit. Nothing
        of it runs."""
        return workspace.infer_project()

    @app.get("/findings", operation_id="listFindings", tags=["project"], response_model=Page[FindingTold])
    def findings(limit: Limit = 100, cursor: Cursor = None) -> dict[str, Any]:
        """What `graphbus validate` counts in the project as it stands: links that do not fit, and all else."""
        return build_page(make_json_object({"all": workspace.project.list_findings()})["all"], limit, cursor)

    _add_settings_routes(app, workspace)
    _add_journal_routes(app, workspace)


def _add_settings_routes(app: FastAPI, workspace: Workspace) -> None:
    @app.get("/settings", operation_id="listSettings", tags=SETTINGS, response_model=Page[SettingTold])
    def settings(limit: Limit = 100, cursor: Cursor = None) -> dict[str, Any]:
        """Every setting of `[tool.graphbus]`: what holds, and where it comes from."""
        return build_page(make_json_object({"all": workspace.list_settings()})["all"], limit, cursor)

    @app.get("/settings/proposed", operation_id="proposeSettings", tags=SETTINGS, response_model=ProposedSettings)
    def proposed() -> dict[str, Any]:
        """The settings that a project without any may begin with, as a diff. Nothing is written."""
        return workspace.propose_settings(write=False)

    @app.post("/settings/proposed", operation_id="writeSettings", tags=SETTINGS, response_model=ProposedSettings)
    def write() -> dict[str, Any]:
        """Write them. What stands there is not changed."""
        return workspace.propose_settings(write=True)

    @app.get("/policy", operation_id="getPolicy", tags=SETTINGS, response_model=PolicyTold)
    def policy() -> dict[str, Any]:
        """Who may call, publish and hear what in a run."""
        return workspace.describe_policy()

    @app.get("/policy/check", operation_id="checkPolicy", tags=SETTINGS, response_model=MayTold)
    def may(who: Text, verb: Literal["call", "publish", "hear"], what: Text) -> dict[str, Any]:
        """Whether the policy lets a node do that: `what` is a `Node.method` or a topic."""
        return workspace.may(who, verb, what)


def _add_journal_routes(app: FastAPI, workspace: Workspace) -> None:
    journals = workspace.journals

    @app.get("/journals", operation_id="listJournals", tags=JOURNALS, response_model=Page[JournalTold])
    def all_of_them(limit: Limit = 100, cursor: Cursor = None) -> dict[str, Any]:
        """Journals of runs, newest first."""
        return build_page(journals.list_journals(), limit, cursor)

    @app.get(
        "/journals/{journal_id}", operation_id="listJournalRecords", tags=JOURNALS, response_model=Page[JournalRecord]
    )
    def records(journal_id: str, limit: Limit = 100, cursor: Cursor = None, topic: Topic = None) -> dict[str, Any]:
        """What happened in that run, oldest first: events and calls, under what caused them."""
        start = int(cursor or 0)
        journal_records = journals.read_records(journal_id, start, limit + 1, (topic,) if topic else ())
        return {"items": journal_records[:limit], "next": str(start + limit) if len(journal_records) > limit else None}

    @app.post("/journals/{journal_id}/replay", operation_id="replayJournal", tags=JOURNALS, response_model=ReplayTold)
    def replay(journal_id: str, body: ReplayRequest | None = None) -> dict[str, Any]:
        """Do again, on the newest build and in a process of its own, what came from outside in that run. The program
        that runs here does not notice."""
        how = body or ReplayRequest()
        return journals.replay(journal_id, how.topics, how.payload_checks, how.timeout_s)
