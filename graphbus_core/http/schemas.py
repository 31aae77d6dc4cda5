"""The bodies of the API, as its OpenAPI document shows them. Every error has one shape: `Failure`."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from graphbus_core.http.v1.common import RequestBody

Payload = dict[str, Any]


class FailureBody(BaseModel):
    """What went wrong, and what to do next. `path` says where in the body."""

    code: str = Field(examples=["payload_rejected"])
    message: str = Field(examples=["InventoryService.check_stock takes qty: integer, got 'three'."])
    path: str | None = Field(default=None, examples=["qty"])


class Failure(BaseModel):
    """The one shape of every error."""

    error: FailureBody


class CallBody(RequestBody):
    """A direct call: `method` with `payload` as keyword arguments."""

    method: str = Field(examples=["generate_message"], max_length=200)
    payload: Payload = Field(default_factory=dict, examples=[{}])
    # Ten minutes at most: each call under way holds one of a few places.
    timeout_s: float | None = Field(default=None, gt=0, le=600)


class PublishBody(RequestBody):
    """An event to publish."""

    topic: str = Field(examples=["/Hello/MessageGenerated"], min_length=1, max_length=500)
    payload: Payload = Field(default_factory=dict, examples=[{"message": "Hello"}])
    source: str = Field(default="api", max_length=200)


class StartBody(RequestBody):
    """How to start the runtime."""

    payload_checks: Literal["off", "warn", "enforce"] = "enforce"


class CheckBody(RequestBody):
    """Two contracts: JSON Schemas, or names as `Node.method`."""

    producer: dict[str, Any] | bool | str = Field(examples=[{"type": "integer"}])
    consumer: dict[str, Any] | bool | str = Field(examples=[{"type": "number"}])


class Loose(BaseModel):
    """An answer of the seed's paths: what is named is there, and more may be."""

    # The seed's paths promise what is named and may say more: a stricter form would break clients of the first
    # edition.
    model_config = ConfigDict(extra="allow")


class Health(Loose):
    """Whether the server answers."""

    ok: bool


class GraphNode(Loose):
    """A node, and where it stands."""

    id: str
    module: str
    is_arbiter: bool
    methods: int
    x: float
    y: float


class GraphEdge(Loose):
    """A typed link; `mismatch` says why it does not fit, with the payload that proves it."""

    id: str
    source: str
    target: str
    type: str
    label: str
    topic: str | None
    mismatch: Payload | None


class GraphTold(Loose):
    """Nodes with positions, and links."""

    nodes: list[GraphNode]
    edges: list[GraphEdge]
    metadata: Payload


class NodeShort(Loose):
    """A node in short."""

    name: str
    module: str
    class_name: str
    source_file: str
    is_arbiter: bool
    methods: list[str]


class NodeTold(Loose):
    """A node, whole."""

    name: str
    module: str
    source_code: str
    system_prompt: Payload
    methods: list[Payload]
    subscriptions: list[Payload]
    publications: list[Payload]
    depends_on: list[str]
    links: list[Payload]


class Result(Loose):
    """What a method returned."""

    result: Any


class RuntimeState(Loose):
    """State and statistics."""

    is_running: bool
    nodes_count: int
    message_bus: Payload | None


class Events(Loose):
    """Events, newest first."""

    events: list[Payload]


class Published(Loose):
    """An event's id."""

    event_id: str


class Letters(Loose):
    """Dead letters."""

    dead_letters: list[Payload]


class Delivered(Loose):
    """Whether it was delivered this time."""

    delivered: bool


class Purged(Loose):
    """How many were forgotten."""

    purged: int


class BuildTold(Loose):
    """A build that this server started."""

    id: str
    state: Literal["running", "done", "failed", "cancelled"]
    detail: str
    started_at: float
    build_id: str | None
    committed: int
    dry_run: bool


class Builds(Loose):
    """Builds, newest first."""

    builds: list[BuildTold]


class NegotiationShort(Loose):
    """A negotiation in short."""

    id: str
    kind: Literal["proposal", "consent", "document"]
    state: Literal["unfinished", "ended", "damaged"]
    damage: str | None
    dry_run: bool
    events: int
    started_at: float | None


class Negotiations(Loose):
    """Negotiations of all three kinds."""

    negotiations: list[NegotiationShort]


class NegotiationTold(NegotiationShort):
    """One of them, as it stands or stood."""

    at: int
    log: Payload


class Facts(Loose):
    """Facts of a log, oldest first."""

    facts: list[Payload]
    last: int
    damage: str | None


class QuestionTold(Loose):
    """What waits for a person or a program."""

    id: str
    to: str
    kind: str
    about: Payload
    answer_schema: Payload
    refused: list[str]


class Questions(Loose):
    """What is asked."""

    questions: list[QuestionTold]


class Taken(Loose):
    """It was taken."""

    ok: bool


class Mismatches(Loose):
    """Links that do not fit."""

    mismatches: list[Payload]


class Why(Loose):
    """Proposals that made a symbol what it is."""

    entries: list[Payload]
    damaged: list[Payload]


class StreamMessage(BaseModel):
    """One thing that happened. `seq` counts from 1 without a hole; `at` is in epoch seconds.

    | kind | data |
    |---|---|
    | `event` | a bus event: `event_id`, `topic`, `src`, `payload`, `cause` |
    | `message` | a direct call: `src`, `dst`, `method`, `payload` |
    | `proposal`, `commit`, `negotiation` | a fact: `build_id`, `kind`, `fact` |
    | `question`, `answered` | a question was asked, or is gone: `id`, `to`, `kind` |
    | `thinking` | who thinks just now: `agents` |
    | `build` | a build's state: `id`, `state`, `detail`, `build_id`, `committed`, `dry_run` |
    | `runtime` | `state`, `nodes` |
    | `hello` | to each listener first: `stream`, `after`, `last`; its `seq` is where the listener stands |
    | `gap` | messages that are no longer kept: `from`, `to`, `missed`, `read_on` |

    After a restart of the server the numbers of a `gap` are null, and it names the new `stream`.

    Data that is not JSON is shown as text: NaN, values that contain themselves, what is too large.
    """

    seq: int = Field(ge=0, examples=[17])
    kind: str = Field(examples=["event"])
    at: float | None = Field(examples=[1795000000.125])
    data: dict[str, Any] = Field(examples=[{"topic": "/Hello/Greeted", "src": "Greeter", "payload": {"message": "hi"}}])


class StreamPage(BaseModel):
    """Messages in order, and the number to go on from: `after=STREAM:LAST`."""

    stream: str = Field(examples=["5f3a9c01d2e4"])

    messages: list[StreamMessage]
    last: int


class Verdict(BaseModel):
    """Whether everything the producer may send is taken; null: it could not be decided, `reasons` say why."""

    compatible: bool | None
    reasons: list[dict[str, Any]]
    counterexample: Any = None
