"""Operations on builds and negotiations: start, follow, read back, answer what is asked."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import FastAPI, Query

from graphbus_core.api.v1.answers import Cursor, Limit, Tags, page, plain
from graphbus_core.api.v1.models import negotiations as m
from graphbus_core.api.v1.models.common import Done, JsonObject, Page
from graphbus_core.workspace import Workspace
from graphbus_core.workspace.shows.as_json import jsonable

At = Annotated[int | None, Query(ge=0, le=2**53, description="As it stood after this fact.")]
After = Annotated[int, Query(ge=0, le=2**53)]


def add(app: FastAPI, workspace: Workspace) -> None:
    """Add them to the application."""
    _builds(app, workspace)
    _read(app, workspace)
    _asked(app, workspace)


def _builds(app: FastAPI, workspace: Workspace) -> None:
    @app.post("/builds", status_code=202, operation_id="startBuild", tags=["builds"], response_model=m.Build)
    def build(body: m.BuildRequest | None = None) -> dict[str, Any]:
        """Start a build; progress comes over the stream. `resume` goes on with one that was cut off or cancelled."""
        return workspace.builds.start(**(body or m.BuildRequest()).model_dump())

    @app.get("/builds", operation_id="listBuilds", tags=["builds"], response_model=Page[m.Build])
    def builds(limit: Limit = 100, cursor: Cursor = None) -> dict[str, Any]:
        """Builds of this server, newest first."""
        return page(workspace.builds.all(), limit, cursor)

    @app.get("/builds/{build_id}", operation_id="getBuild", tags=["builds"], response_model=m.Build)
    def one(build_id: str) -> dict[str, Any]:
        """One build: state, detail, result."""
        return workspace.builds.get(build_id)

    @app.post("/builds/{build_id}/cancel", operation_id="cancelBuild", tags=["builds"], response_model=m.Build)
    def cancel(build_id: str) -> dict[str, Any]:
        """Stop a build cleanly; what was committed stays, what was answered is kept."""
        return workspace.builds.cancel(build_id)

    @app.post(
        "/negotiations/{negotiation_id}/forks",
        status_code=202,
        operation_id="forkNegotiation",
        tags=["builds"],
        response_model=m.Build,
    )
    def fork(negotiation_id: str, body: m.ForkRequest) -> dict[str, Any]:
        """Start a dry run from a fact: the same intent, on the sources as they stood then. Nothing of yours changes."""
        return workspace.fork(negotiation_id, body.at, body.model)


def _read(app: FastAPI, workspace: Workspace) -> None:
    shelf = workspace.negotiations
    tags: Tags = ["negotiations"]

    def now(short: dict[str, Any]) -> dict[str, Any]:
        """A log without an end is unfinished, unless somebody here works on it."""
        runs = workspace.builds.is_own(short["id"]) and workspace.builds.under_way()
        runs = runs or workspace.consents.state(short["id"])[0] == "running"
        return {**short, "state": "running"} if runs and short["state"] == "unfinished" else short

    @app.get("/negotiations", operation_id="listNegotiations", tags=tags, response_model=Page[m.NegotiationShort])
    def negotiations(
        limit: Limit = 100,
        cursor: Cursor = None,
        kind: Annotated[str | None, Query(pattern="^(proposal|consent|document)$")] = None,
    ) -> dict[str, Any]:
        """Negotiations of all three kinds, newest first within each."""
        told = page([one for one in shelf.shelved() if kind in (None, one.kind)], limit, cursor)
        return {**told, "items": [now(one.short()) for one in told["items"]]}

    @app.get("/negotiations/{negotiation_id}", operation_id="getNegotiation", tags=tags, response_model=m.Negotiation)
    def one(negotiation_id: str, at: At = None) -> dict[str, Any]:
        """One negotiation as it stands, or as it stood after fact number `at`."""
        whole = plain(shelf.get(negotiation_id, at))
        return {**now(whole), "log": whole["log"] if whole["kind"] == "proposal" else None}

    @app.get("/negotiations/{negotiation_id}/facts", operation_id="listFacts", tags=tags, response_model=Page[m.Fact])
    def facts(negotiation_id: str, after: After = 0, limit: Limit = 100) -> dict[str, Any]:
        """Its facts after number `after`, oldest first; `next` is the number to go on after."""
        found = plain(shelf.log(negotiation_id, after, limit))
        end = after + len(found["facts"])
        return {"items": found["facts"], "next": str(end) if found["facts"] and end < found["last"] else None}

    @app.get(
        "/negotiations/{negotiation_id}/verification",
        operation_id="verifyNegotiation",
        tags=tags,
        response_model=m.LogVerified,
    )
    def verification(negotiation_id: str) -> dict[str, Any]:
        """Whether the log of a build is as it was written: checksums, head, answers."""
        return shelf.verified(negotiation_id)


def _asked(app: FastAPI, workspace: Workspace) -> None:
    tags: Tags = ["questions"]

    @app.get("/questions", operation_id="listQuestions", tags=tags, response_model=Page[m.Question])
    def questions(limit: Limit = 100, cursor: Cursor = None) -> dict[str, Any]:
        """What waits for a person or a program, each with the JSON Schema of its answer."""
        return page(jsonable(workspace.questions.open()), limit, cursor)

    @app.post("/questions/{question_id:path}/answer", operation_id="answerQuestion", tags=tags, response_model=Done)
    def answer(question_id: str, body: JsonObject) -> dict[str, Any]:
        """Answer one. The first answer counts."""
        workspace.questions.answer(question_id, body)
        return {"ok": True}
