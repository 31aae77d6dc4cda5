"""The messages of the stream. The AsyncAPI document and the clients' types are made of these."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import FastAPI, Query, WebSocket
from fastapi.responses import Response
from pydantic import BaseModel, Field
from pydantic.json_schema import models_json_schema

from graphbus_core import __version__
from graphbus_core.http.security import SUBPROTOCOL, TOKEN_SUBPROTOCOL
from graphbus_core.http.stream import Stream, serve_stream
from graphbus_core.http.v1.common import Json, JsonObject, ResponseBody


class StreamMessage(ResponseBody):
    """One thing that happened. `seq` counts from 1 without a hole; `at` is in epoch seconds; `data` is by `kind`, as
    the AsyncAPI document says."""

    seq: int = Field(ge=0, examples=[17])
    kind: str = Field(examples=["event"])
    at: float | None = Field(examples=[1795000000.125])
    data: JsonObject = Field(examples=[{"topic": "/Hello/Greeted", "src": "Greeter", "payload": {"message": "hi"}}])


class StreamPage(ResponseBody):
    """Messages in order, and the number to go on from: `after=STREAM:LAST`."""

    stream: str = Field(examples=["5f3a9c01d2e4"])
    messages: list[StreamMessage]
    last: int


class BusEventData(BaseModel):
    """An event of the bus."""

    event_id: str
    topic: str
    src: str
    payload: Json
    cause: str | None = None


class DirectCallData(BaseModel):
    """A direct call."""

    src: str
    dst: str
    method: str
    payload: Json


class FactData(BaseModel):
    """A fact of a negotiation; `build_id` is the negotiation's id."""

    build_id: str | None
    kind: str
    fact: JsonObject


class QuestionData(BaseModel):
    """A question was asked."""

    id: str
    to: str
    kind: str


class AnsweredData(BaseModel):
    """A question is gone: it was answered, or taken back."""

    id: str


class ThinkingData(BaseModel):
    """Who thinks just now."""

    agents: list[str]


class BuildData(BaseModel):
    """A build's state."""

    id: str
    state: str
    detail: str
    started_at: float
    build_id: str | None
    committed: int
    dry_run: bool


class RuntimeData(BaseModel):
    """The runtime was started or stopped."""

    state: str
    nodes: int


class HelloData(BaseModel):
    """To each listener first: which stream this is, and where the listener stands."""

    stream: str
    after: int
    last: int


class GapData(BaseModel):
    """Messages that are no longer kept. After a restart of the server the numbers are null."""

    missed: int | None
    read_on: str
    stream: str | None = None


KINDS: dict[str, type[BaseModel]] = {
    "event": BusEventData,
    "message": DirectCallData,
    "proposal": FactData,
    "commit": FactData,
    "negotiation": FactData,
    "question": QuestionData,
    "answered": AnsweredData,
    "thinking": ThinkingData,
    "build": BuildData,
    "runtime": RuntimeData,
    "hello": HelloData,
    "gap": GapData,
}


# The stream under `/api/v1`: messages for those who ask, and the AsyncAPI document for those who listen.


Place = Annotated[str, Query(pattern=r"^([0-9a-f]{1,32}:)?[0-9]{1,16}$", examples=["17", "5f3a9c01d2e4:17"])]
Many = Annotated[int, Query(ge=1, le=10_000)]


def add(app: FastAPI, stream: Stream) -> None:
    """Add them to the application."""

    @app.get("/stream", operation_id="listMessages", tags=["stream"], response_model=StreamPage)
    def messages(after: Place = "0", limit: Many = 1_000) -> Response:
        """Messages after number `after`, for those who would rather ask than listen. A WebSocket on this address
        sends the same as they happen; `asyncapi.json` describes it."""
        return Response(stream.render_page(after, limit), media_type="application/json")

    @app.websocket("/stream")
    async def events(socket: WebSocket) -> None:
        await serve_stream(socket, stream)


def build_asyncapi() -> dict[str, Any]:
    """The AsyncAPI 3.0 document of the stream: one channel, a message for each kind."""
    refs, shared = models_json_schema(
        [(model, "serialization") for model in dict.fromkeys(KINDS.values())],
        ref_template="#/components/schemas/{model}",
    )
    messages = {}
    for kind, model in KINDS.items():
        data = refs[(model, "serialization")]
        number = {"type": "integer", "minimum": 0, "description": "From 1, without a hole."}
        timestamp = {"type": ["number", "null"], "description": "Epoch seconds."}
        payload = {
            "type": "object",
            "required": ["seq", "kind", "at", "data"],
            "properties": {"seq": number, "kind": {"const": kind}, "at": timestamp, "data": data},
        }
        messages[kind] = {"name": kind, "summary": (model.__doc__ or "").strip(), "payload": payload}
    parameters: dict[str, dict[str, Any]] = {
        "after": {"description": "Go on after this message: STREAM:N. Without it, with what happens next."},
        "batch": {"description": "1: each frame is a JSON array of messages.", "enum": ["0", "1"]},
    }
    protocols = (
        f"A browser, which sends no header here, offers two subprotocols: {SUBPROTOCOL}, "
        f"and {TOKEN_SUBPROTOCOL} with its token in base64url."
    )
    headers = {
        "type": "object",
        "properties": {
            "Authorization": {"type": "string", "description": "Bearer TOKEN."},
            "Sec-WebSocket-Protocol": {"type": "string", "description": protocols},
        },
    }
    query = {
        "type": "object",
        "properties": {name: {"type": "string", **parameter} for name, parameter in parameters.items()},
    }
    channel = {
        "address": "/events/stream",
        "messages": {kind: {"$ref": f"#/components/messages/{kind}"} for kind in messages},
        "bindings": {"ws": {"method": "GET", "query": query, "headers": headers}},
    }
    return {
        "asyncapi": "3.0.0",
        "info": {"title": "GraphBus stream", "version": __version__, "description": "Everything that happens."},
        "channels": {"stream": channel, "v1": {**channel, "address": "/api/v1/stream"}},
        "operations": {"listen": {"action": "send", "channel": {"$ref": "#/channels/stream"}}},
        "components": {"messages": messages, "schemas": shared.get("$defs", {})},
    }
