"""The messages of the stream. The AsyncAPI document and the clients' types are made of these."""

from __future__ import annotations

from pydantic import BaseModel, Field

from graphbus_core.api.v1.models.common import Json, JsonObject, Told


class StreamMessage(Told):
    """One thing that happened. `seq` counts from 1 without a hole; `at` is in epoch seconds; `data` is by `kind`, as
    the AsyncAPI document says."""

    seq: int = Field(ge=0, examples=[17])
    kind: str = Field(examples=["event"])
    at: float | None = Field(examples=[1795000000.125])
    data: JsonObject = Field(examples=[{"topic": "/Hello/Greeted", "src": "Greeter", "payload": {"message": "hi"}}])


class StreamPage(Told):
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
