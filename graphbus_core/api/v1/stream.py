"""The stream under `/api/v1`: messages for those who ask, and the AsyncAPI document for those who listen."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import FastAPI, Query
from fastapi.responses import Response
from pydantic.json_schema import models_json_schema

from graphbus_core import __version__
from graphbus_core.api.stream import Stream
from graphbus_core.api.v1.models.stream import KINDS, StreamPage

Place = Annotated[str, Query(pattern=r"^([0-9a-f]{1,32}:)?[0-9]{1,16}$", examples=["17", "5f3a9c01d2e4:17"])]
Many = Annotated[int, Query(ge=1, le=10_000)]


def add(app: FastAPI, stream: Stream) -> None:
    """Add them to the application."""

    @app.get("/stream", operation_id="listMessages", tags=["stream"], response_model=StreamPage)
    def messages(after: Place = "0", limit: Many = 1_000) -> Response:
        """Messages after number `after`, for those who would rather ask than listen. `WS /events/stream` sends the
        same as they happen; `asyncapi.json` describes it."""
        return Response(stream.page(after, limit), media_type="application/json")


def asyncapi() -> dict[str, Any]:
    """The AsyncAPI 3.0 document of the stream: one channel, a message for each kind."""
    refs, shared = models_json_schema(
        [(model, "serialization") for model in dict.fromkeys(KINDS.values())],
        ref_template="#/components/schemas/{model}",
    )
    messages = {}
    for kind, model in KINDS.items():
        data = refs[(model, "serialization")]
        number = {"type": "integer", "minimum": 0, "description": "From 1, without a hole."}
        at = {"type": ["number", "null"], "description": "Epoch seconds."}
        payload = {
            "type": "object",
            "required": ["seq", "kind", "at", "data"],
            "properties": {"seq": number, "kind": {"const": kind}, "at": at, "data": data},
        }
        messages[kind] = {"name": kind, "summary": (model.__doc__ or "").strip(), "payload": payload}
    parameters: dict[str, dict[str, Any]] = {
        "after": {"description": "Go on after this message: STREAM:N. Without it, with what happens next."},
        "batch": {"description": "1: each frame is a JSON array of messages.", "enum": ["0", "1"]},
        "token": {"description": "The token, where a header cannot be sent."},
    }
    query = {"type": "object", "properties": {name: {"type": "string", **one} for name, one in parameters.items()}}
    channel = {
        "address": "/events/stream",
        "messages": {kind: {"$ref": f"#/components/messages/{kind}"} for kind in messages},
        "bindings": {"ws": {"method": "GET", "query": query}},
    }
    return {
        "asyncapi": "3.0.0",
        "info": {"title": "GraphBus stream", "version": __version__, "description": "Everything that happens."},
        "channels": {"stream": channel},
        "operations": {"listen": {"action": "send", "channel": {"$ref": "#/channels/stream"}}},
        "components": {"messages": messages, "schemas": shared.get("$defs", {})},
    }
