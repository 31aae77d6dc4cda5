"""The application under `/api/v1`, with its two documents."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from fastapi.responses import Response

from graphbus_core.api.guard.headers import Tagged
from graphbus_core.api.stream import Stream as Messages
from graphbus_core.api.v1 import negotiations, project, reading, runtime, seats, stream, talks
from graphbus_core.api.v1.answers import document, new_app, raw
from graphbus_core.workspace import Workspace


def create_v1(workspace: Workspace, messages: Messages) -> FastAPI:
    """All operations of version 1 over one opened project."""
    app = new_app()
    app.add_middleware(Tagged)
    for room in (project, runtime, negotiations, talks, seats, reading):
        room.add(app, workspace)
    stream.add(app, messages)
    made: dict[str, Any] = {}

    @app.get("/openapi.json", include_in_schema=False)
    def openapi() -> Response:
        if not made:
            made.update(document(app))
        return raw(made)

    @app.get("/asyncapi.json", include_in_schema=False)
    def asyncapi() -> Response:
        return raw(stream.asyncapi())

    return app
