"""Operations for a coding agent at the table: claim a question with a lease, read the project, answer, or give it back.

`POST /try` stands with the project. A lease that ends unanswered is silence, and the negotiation goes on.
"""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import FastAPI, Query

from graphbus_core.api.v1.answers import Cursor, Limit, Tags, page, plain
from graphbus_core.api.v1.models import seats as m
from graphbus_core.api.v1.models.common import Done, JsonObject, Page
from graphbus_core.workspace import Workspace

Offset = Annotated[int, Query(ge=0, le=2**31, description="The character to begin at; `next` of the part before.")]


def add(app: FastAPI, workspace: Workspace) -> None:
    """Add them to the application."""
    tags: Tags = ["seats"]

    @app.get("/map", operation_id="mapProject", tags=tags, response_model=Page[m.File])
    def project_map(limit: Limit = 1_000, cursor: Cursor = None) -> dict[str, Any]:
        """The files that may be read: what git tracks, and neither what it ignores nor `.env*` nor keys."""
        return page([{**one, "id": one["path"]} for one in workspace.project.readable()], limit, cursor)

    @app.get("/files/{path:path}", operation_id="readFile", tags=tags, response_model=m.Text)
    def read(path: str, offset: Offset = 0) -> dict[str, Any]:
        """The text of one of them, in parts. A provider's key in it is blotted out."""
        return workspace.project.read(path, offset)

    @app.post("/claims", operation_id="claimQuestion", tags=tags, response_model=m.Claim)
    def claim(body: m.ClaimRequest | None = None) -> dict[str, Any]:
        """Claim the oldest open question, of one agent or of anybody. `question` is null where none is open."""
        how = body or m.ClaimRequest()
        return plain(workspace.questions.claim(how.to, how.lease_s))

    @app.post("/claims/{lease}/renew", operation_id="renewClaim", tags=tags, response_model=m.Claim)
    def renew(lease: str) -> dict[str, Any]:
        """Ask for more time: the lease runs again from now, for as long as it was claimed for."""
        return plain(workspace.questions.renew(lease))

    @app.post("/claims/{lease}/answer", operation_id="answerClaim", tags=tags, response_model=Done)
    def answer(lease: str, body: JsonObject) -> dict[str, Any]:
        """Answer the claimed question. An answer that is none is refused with the reason, and the lease goes on."""
        workspace.questions.answer_claimed(lease, body)
        return {"ok": True}

    @app.delete("/claims/{lease}", operation_id="releaseClaim", tags=tags, response_model=Done)
    def release(lease: str) -> dict[str, Any]:
        """Give the question back, for another to claim."""
        workspace.questions.release(lease)
        return {"ok": True}
