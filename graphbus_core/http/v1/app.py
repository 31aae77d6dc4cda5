"""The application under `/api/v1`, with its two documents."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from fastapi.responses import Response

from graphbus_core.http.requests import HeadMiddleware, IdempotencyMiddleware
from graphbus_core.http.security import ETagMiddleware
from graphbus_core.http.stream import Stream as Messages
from graphbus_core.http.v1 import (
    claims,
    consents_documents,
    negotiations,
    project,
    project_info,
    runtime,
    seats,
    stream,
    teams,
)
from graphbus_core.http.v1.common import build_app, build_document, respond_with_json
from graphbus_core.services import Workspace


def create_v1(workspace: Workspace, messages: Messages) -> FastAPI:
    """All operations of version 1 over one opened project."""
    app = build_app()
    app.add_middleware(IdempotencyMiddleware)
    app.add_middleware(ETagMiddleware)
    app.add_middleware(HeadMiddleware)
    for routes in (project, runtime, negotiations, consents_documents, teams, claims, seats, project_info):
        routes.add(app, workspace)
    stream.add(app, messages)
    openapi_document: dict[str, Any] = {}

    @app.get("/openapi.json", include_in_schema=False)
    def openapi() -> Response:
        if not openapi_document:
            openapi_document.update(build_document(app))
        return respond_with_json(openapi_document)

    @app.get("/asyncapi.json", include_in_schema=False)
    def asyncapi() -> Response:
        return respond_with_json(stream.build_asyncapi())

    return app
