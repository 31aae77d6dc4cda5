"""Operations on what stands beside the project: a build in other forms, settings, the policy, journals, `infer`."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import FastAPI, Query

from graphbus_core.api.v1.answers import Cursor, Limit, Tags, page, plain
from graphbus_core.api.v1.models import reading as m
from graphbus_core.api.v1.models.common import Page
from graphbus_core.workspace import Workspace

Form = Literal["asyncapi", "openapi", "mermaid", "dot"]
Text = Annotated[str, Query(min_length=1, max_length=500)]
Topic = Annotated[str | None, Query(max_length=500, description="Only events of this topic, or pattern.")]
SETTINGS: Tags = ["settings"]
JOURNALS: Tags = ["journals"]


def add(app: FastAPI, workspace: Workspace) -> None:
    """Add them to the application."""

    @app.get("/exports/{form}", operation_id="exportBuild", tags=["project"], response_model=m.Exported)
    def export(form: Form) -> dict[str, Any]:
        """The last build as AsyncAPI 3, OpenAPI 3.1, Mermaid or DOT."""
        return dict(workspace.exported(form))

    @app.get("/inferred", operation_id="inferProject", tags=["project"], response_model=m.Inferred)
    def inferred() -> dict[str, Any]:
        """What the project's code says of itself, without agents: who gives what to whom, and what cannot fit. Nothing
        of it runs."""
        return workspace.inferred()

    _settings(app, workspace)
    _journals(app, workspace)


def _settings(app: FastAPI, workspace: Workspace) -> None:
    @app.get("/settings", operation_id="listSettings", tags=SETTINGS, response_model=Page[m.SettingTold])
    def settings(limit: Limit = 100, cursor: Cursor = None) -> dict[str, Any]:
        """Every setting of `[tool.graphbus]`: what holds, and where it comes from."""
        return page(plain({"all": workspace.settings()})["all"], limit, cursor)

    @app.get("/settings/proposed", operation_id="proposeSettings", tags=SETTINGS, response_model=m.ProposedSettings)
    def proposed() -> dict[str, Any]:
        """The settings that a project without any may begin with, as a diff. Nothing is written."""
        return workspace.propose_settings(write=False)

    @app.post("/settings/proposed", operation_id="writeSettings", tags=SETTINGS, response_model=m.ProposedSettings)
    def write() -> dict[str, Any]:
        """Write them. What stands there is not changed."""
        return workspace.propose_settings(write=True)

    @app.get("/policy", operation_id="getPolicy", tags=SETTINGS, response_model=m.PolicyTold)
    def policy() -> dict[str, Any]:
        """Who may call, publish and hear what in a run."""
        return workspace.policy()

    @app.get("/policy/check", operation_id="checkPolicy", tags=SETTINGS, response_model=m.MayTold)
    def may(who: Text, verb: Literal["call", "publish", "hear"], what: Text) -> dict[str, Any]:
        """Whether the policy lets a node do that: `what` is a `Node.method` or a topic."""
        return workspace.may(who, verb, what)


def _journals(app: FastAPI, workspace: Workspace) -> None:
    journals = workspace.journals

    @app.get("/journals", operation_id="listJournals", tags=JOURNALS, response_model=Page[m.JournalTold])
    def all_of_them(limit: Limit = 100, cursor: Cursor = None) -> dict[str, Any]:
        """Journals of runs, newest first."""
        return page(journals.all(), limit, cursor)

    @app.get(
        "/journals/{journal_id}", operation_id="listJournalRecords", tags=JOURNALS, response_model=Page[m.JournalRecord]
    )
    def records(journal_id: str, limit: Limit = 100, cursor: Cursor = None, topic: Topic = None) -> dict[str, Any]:
        """What happened in that run, oldest first: events and calls, under what caused them."""
        start = int(cursor or 0)
        found = journals.read(journal_id, start, limit + 1, (topic,) if topic else ())
        return {"items": found[:limit], "next": str(start + limit) if len(found) > limit else None}

    @app.post("/journals/{journal_id}/replay", operation_id="replayJournal", tags=JOURNALS, response_model=m.ReplayTold)
    def replay(journal_id: str, body: m.ReplayRequest | None = None) -> dict[str, Any]:
        """Do again, on the newest build and in a process of its own, what came from outside in that run. The program
        that runs here does not notice."""
        how = body or m.ReplayRequest()
        return journals.replay(journal_id, how.topics, how.payload_checks, how.timeout_s)
