"""Operations for a coding agent at the table: claim a question with a lease, read the project, answer, or give it back.

`POST /try` stands with the project. A lease that ends unanswered is silence, and the negotiation goes on.
"""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import FastAPI, Query
from pydantic import Field

from graphbus_core.http.v1.common import (
    Caller,
    Cursor,
    Done,
    JsonObject,
    Limit,
    Page,
    RequestBody,
    ResponseBody,
    Tags,
    build_page,
    make_json_object,
)
from graphbus_core.http.v1.models import Question
from graphbus_core.services import Workspace
from graphbus_core.services.questions import LEAST_S, MOST_S, USUAL_S

# What is told to, and asked of, a coding agent at the table.


class ClaimRequest(RequestBody):
    """`to`: the agent to speak for; without it, whoever is asked."""

    to: str | None = Field(default=None, max_length=200, examples=["CleanerService"])
    lease_s: float = Field(
        default=USUAL_S, ge=LEAST_S, le=MOST_S, description="Unanswered by then, it counts as silence."
    )


class Claim(ResponseBody):
    """A question that is yours for `lease_s` seconds. `lease` is the token to answer, renew or give it back with."""

    question: Question | None = None
    lease: str | None = None
    lease_s: float | None = None


class File(ResponseBody):
    """A file that may be read. `id` is its path."""

    id: str
    path: str = Field(examples=["agents/cleaner.py"])
    bytes: int


class Text(ResponseBody):
    """A part of a file, of so many `characters` in all. `next`: the offset to go on at."""

    path: str
    text: str
    characters: int
    next: int | None = None


Offset = Annotated[int, Query(ge=0, le=2**31, description="The character to begin at; `next` of the part before.")]


def add(app: FastAPI, workspace: Workspace) -> None:
    """Add them to the application."""
    tags: Tags = ["seats"]

    @app.get("/map", operation_id="mapProject", tags=tags, response_model=Page[File])
    def project_map(limit: Limit = 1_000, cursor: Cursor = None) -> dict[str, Any]:
        """The files that may be read: what git tracks, and neither what it ignores nor `.env*` nor keys."""
        return build_page(
            [{**file, "id": file["path"]} for file in workspace.project.list_readable_files()], limit, cursor
        )

    @app.get("/files/{path:path}", operation_id="readFile", tags=tags, response_model=Text)
    def read(path: str, offset: Offset = 0) -> dict[str, Any]:
        """The text of one of them, in parts. A provider's key in it is blotted out."""
        return workspace.project.read_file(path, offset)

    @app.post("/claims", operation_id="claimQuestion", tags=tags, response_model=Claim)
    def claim(caller: Caller, body: ClaimRequest | None = None) -> dict[str, Any]:
        """Claim the oldest open question that is yours, of one agent or of anybody. `question` is null where none
        is open."""
        how = body or ClaimRequest()
        return make_json_object(workspace.questions.claim(how.to, how.lease_s, caller))

    @app.post("/claims/{lease}/renew", operation_id="renewClaim", tags=tags, response_model=Claim)
    def renew(lease: str) -> dict[str, Any]:
        """Ask for more time: the lease runs again from now, for as long as it was claimed for."""
        return make_json_object(workspace.questions.renew(lease))

    @app.post("/claims/{lease}/answer", operation_id="answerClaim", tags=tags, response_model=Done)
    def answer(lease: str, body: JsonObject) -> dict[str, Any]:
        """Answer the claimed question. What is not an answer is refused with the reason, and the lease goes on."""
        workspace.questions.answer_claimed(lease, body)
        return {"ok": True}

    @app.delete("/claims/{lease}", operation_id="releaseClaim", tags=tags, response_model=Done)
    def release(lease: str) -> dict[str, Any]:
        """Give the question back, for another to claim."""
        workspace.questions.release(lease)
        return {"ok": True}
