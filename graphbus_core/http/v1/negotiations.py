"""Operations on builds and negotiations: start, follow, read back, answer what is asked."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import FastAPI, Query
from fastapi.responses import Response

from graphbus_core.http.v1 import models as m
from graphbus_core.http.v1.common import (
    Caller,
    Cursor,
    Done,
    JsonObject,
    Limit,
    Page,
    Tags,
    build_page,
    make_json_object,
)
from graphbus_core.services import Workspace
from graphbus_core.services.json_values import make_jsonable

At = Annotated[int | None, Query(ge=0, le=2**53, description="As it stood after this fact.")]
After = Annotated[int, Query(ge=0, le=2**53)]


def add(app: FastAPI, workspace: Workspace) -> None:
    """Add them to the application."""
    _add_build_routes(app, workspace)
    _add_negotiation_routes(app, workspace)
    _add_question_routes(app, workspace)


def _add_build_routes(app: FastAPI, workspace: Workspace) -> None:
    @app.post("/builds", status_code=202, operation_id="startBuild", tags=["builds"], response_model=m.Build)
    def build(body: m.BuildRequest | None = None) -> dict[str, Any]:
        """Start a build; progress comes over the stream. `resume` goes on with one that was cut off or cancelled."""
        return workspace.builds.start(**(body or m.BuildRequest()).model_dump())

    @app.get("/builds", operation_id="listBuilds", tags=["builds"], response_model=Page[m.Build])
    def builds(limit: Limit = 100, cursor: Cursor = None) -> dict[str, Any]:
        """Builds of this server, newest first."""
        return build_page(workspace.builds.list_builds(), limit, cursor)

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


def _add_negotiation_routes(app: FastAPI, workspace: Workspace) -> None:
    shelf = workspace.negotiations
    tags: Tags = ["negotiations"]

    def mark_running(short: dict[str, Any]) -> dict[str, Any]:
        """A log without an end is unfinished, unless somebody here works on it."""
        runs = workspace.builds.is_own(short["id"]) and workspace.builds.is_under_way()
        runs = runs or workspace.consents.state(short["id"])[0] == "running"
        return {**short, "state": "running"} if runs and short["state"] == "unfinished" else short

    @app.get("/negotiations", operation_id="listNegotiations", tags=tags, response_model=Page[m.NegotiationShort])
    def negotiations(
        limit: Limit = 100,
        cursor: Cursor = None,
        kind: Annotated[str | None, Query(pattern="^(proposal|consent|document)$")] = None,
    ) -> dict[str, Any]:
        """Negotiations of all three kinds, newest first within each."""
        entries_page = build_page(
            [entry for entry in shelf.list_entries() if kind in (None, entry.kind)], limit, cursor
        )
        return {**entries_page, "items": [mark_running(entry.short()) for entry in entries_page["items"]]}

    @app.get("/negotiations/{negotiation_id}", operation_id="getNegotiation", tags=tags, response_model=m.Negotiation)
    def one(negotiation_id: str, at: At = None) -> dict[str, Any]:
        """One negotiation as it stands, or as it stood after fact number `at`."""
        whole = make_json_object(shelf.get(negotiation_id, at))
        return {**mark_running(whole), "log": whole["log"] if whole["kind"] == "proposal" else None}

    @app.get(
        "/negotiations/{negotiation_id}/picture",
        operation_id="getPastPicture",
        tags=tags,
        response_model=m.Picture,
    )
    def past_picture(negotiation_id: str, at: At = None) -> Response:
        """The project as a build left it, or as it stood after fact number `at`: the same account as `/picture` gives
        of the project today, from the build's log alone."""
        return Response(workspace.past.render_picture(negotiation_id, at), media_type="application/json")

    @app.get("/negotiations/{negotiation_id}/facts", operation_id="listFacts", tags=tags, response_model=Page[m.Fact])
    def facts(negotiation_id: str, after: After = 0, limit: Limit = 100) -> dict[str, Any]:
        """Its facts after number `after`, oldest first; `next` is the number to go on after."""
        log_part = make_json_object(shelf.log(negotiation_id, after, limit))
        end = after + len(log_part["facts"])
        return {"items": log_part["facts"], "next": str(end) if log_part["facts"] and end < log_part["last"] else None}

    @app.get(
        "/negotiations/{negotiation_id}/verification",
        operation_id="verifyNegotiation",
        tags=tags,
        response_model=m.LogVerified,
    )
    def verification(negotiation_id: str) -> dict[str, Any]:
        """Whether the log of a build is as it was written: checksums, head, answers."""
        return shelf.verify(negotiation_id)


def _add_question_routes(app: FastAPI, workspace: Workspace) -> None:
    tags: Tags = ["questions"]

    @app.get("/questions", operation_id="listQuestions", tags=tags, response_model=Page[m.Question])
    def questions(caller: Caller, limit: Limit = 100, cursor: Cursor = None) -> dict[str, Any]:
        """What waits for whoever asks, each with the JSON Schema of its answer: a seat is told its own questions, the
        operator those that belong to no seat."""
        return build_page(make_jsonable(workspace.questions.list_own(caller)), limit, cursor)

    @app.post("/questions/{question_id:path}/answer", operation_id="answerQuestion", tags=tags, response_model=Done)
    def answer(question_id: str, body: JsonObject, caller: Caller) -> dict[str, Any]:
        """Answer one of your own. The first answer counts; another seat's question is refused (403 `not_your_seat`)."""
        workspace.questions.answer(question_id, body, caller)
        return {"ok": True}
