"""How `/api/v1` answers: its application with the fixed parts of its document, pages of lists, raw answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Annotated, Any

from fastapi import FastAPI, Query
from fastapi.responses import Response

from graphbus_core import __version__
from graphbus_core.api.failures import STATUSES, as_problem, install
from graphbus_core.api.v1.models.common import Problem
from graphbus_core.workspace.shows.as_json import json_text, jsonable

Tags = list[str | Enum]  # of operations, as FastAPI has them
Limit = Annotated[int, Query(ge=1, le=1_000, description="How many at most.")]
Cursor = Annotated[str | None, Query(pattern=r"^[0-9]{1,15}$", description="`next` of the part before.")]
PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"model": Problem, "description": text, "content": {"application/problem+json": {}}}
    for status, text in STATUSES.items()
}


def new_app() -> FastAPI:
    """An application whose errors are problems, and whose document says so."""
    app = FastAPI(
        title="GraphBus",
        version=__version__,
        summary="Components negotiate their contracts, and every agreement is proved before it becomes code.",
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        responses=PROBLEMS,
        servers=[{"url": "/api/v1"}],
    )
    install(app, as_problem)
    return app


def document(app: FastAPI) -> dict[str, Any]:
    """The OpenAPI document: problems under their own media type, and the token that every call wants."""
    made: dict[str, Any] = app.openapi()
    for methods in made["paths"].values():
        for operation in methods.values():
            for status, answer in operation["responses"].items():
                content = answer.get("content", {})
                if int(status) >= 400 and (body := content.pop("application/json", None)):
                    content["application/problem+json"] = body
    token = {"type": "http", "scheme": "bearer", "description": "Printed at the start, or GRAPHBUS_TOKEN."}
    made["components"]["securitySchemes"] = {"token": token}
    made["security"] = [{"token": []}]
    return made


def page(items: Sequence[Any], limit: int, cursor: str | None) -> dict[str, Any]:
    """The part of a list that begins at `cursor`, and where the next one begins."""
    start = int(cursor or 0)
    end = start + limit
    return {"items": list(items[start:end]), "next": str(end) if end < len(items) else None}


def raw(value: Any) -> Response:
    """An answer that has its model's form already, and is too large to be checked twice."""
    return Response(json_text(value), media_type="application/json")


def plain(value: Mapping[str, Any]) -> dict[str, Any]:
    """Whatever a program made, as JSON."""
    made = jsonable(value)
    assert isinstance(made, dict)
    return made
