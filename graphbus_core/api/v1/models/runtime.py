"""The running program: state, calls, events, dead letters, traces."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from graphbus_core.api.v1.models.common import Json, JsonObject, Strict, Told


class RuntimeStart(Strict):
    """How to start the runtime."""

    payload_checks: Literal["off", "warn", "enforce"] = "enforce"
    journal: bool = Field(default=False, description="Keep a journal of the run, to be played back later.")


class BuildRef(Told):
    """A build on disk."""

    build_id: str
    built_at: str


class BusStats(Told):
    """Counters of the bus since its start."""

    messages_published: int = 0
    messages_delivered: int = 0
    errors: int = 0
    payload_violations: int = 0
    dead_letters: int = 0
    total_subscriptions: int = 0


class RuntimeTold(Told):
    """State and counters. Where `running` is not `newest`, a restart takes the newer build."""

    is_running: bool
    nodes_count: int = 0
    nodes_active: list[str] = []
    nodes_broken: dict[str, str] = {}
    calls: int = 0
    calls_failed: int = 0
    message_bus: BusStats | None = None
    running: BuildRef | None = None
    newest: BuildRef | None = None
    unfinished: list[str] = Field(default=[], description="What had not returned when the runtime was stopped.")


class RuntimeReload(Strict):
    """How to take the newest build. With `force` also one that breaks a contract."""

    force: bool = False


class Reloaded(Told):
    """Nodes that are others now. `paused_s`: how long those took nothing in; what came meanwhile waited."""

    changed: list[str]
    added: list[str]
    removed: list[str]
    broken_contracts: list[str] = Field(default=[], description="What was broken and taken all the same.")
    problems: list[str] = []
    paused_s: float
    running: BuildRef | None = None
    newest: BuildRef | None = None


class CallRequest(Strict):
    """A direct call: `method` with `payload` as keyword arguments. Without `timeout_s` the deadline is 60 s."""

    method: str = Field(examples=["greet"], max_length=200)
    payload: JsonObject = Field(default_factory=dict, examples=[{"name": "Ann"}])
    timeout_s: float | None = Field(default=None, gt=0, le=600)


class CallResult(Told):
    """What the method returned."""

    result: Json


class PublishRequest(Strict):
    """An event to publish."""

    topic: str = Field(examples=["/Hello/Greeted"], min_length=1, max_length=500)
    payload: JsonObject = Field(default_factory=dict, examples=[{"message": "Hello"}])
    source: str = Field(default="api", max_length=200)


class Published(Told):
    """The event's id."""

    event_id: str


class EventTold(Told):
    """An event of the bus. `timestamp` is in epoch seconds; `cause` is the event whose handler published it."""

    event_id: str
    topic: str
    src: str
    payload: Json
    timestamp: float | None = None
    cause: str | None = None


class DeadLetterTold(Told):
    """An event that a handler did not take, and why."""

    id: str
    topic: str = ""
    subscriber: str = ""
    error: str = ""
    error_type: str = ""
    attempts: int = 0
    event: EventTold | None = None


class Retried(Told):
    """Whether it was delivered this time."""

    delivered: bool


class Purged(Told):
    """How many were forgotten."""

    purged: int


class SpanTold(Told):
    """A call (with an `id` of its own) or one attempt of a handler, and the event or call behind it. `at` is in epoch
    seconds; `error` is the type of what was raised."""

    id: str | None = None
    kind: Literal["call", "handler"]
    name: str
    cause: str | None = None
    at: float
    took_ms: float
    error: str | None = None


class Trace(Told):
    """An event or a call with what led to it and what followed, oldest first, as far as the history goes."""

    event_id: str
    events: list[EventTold]
    spans: list[SpanTold] = []
    dead_letters: list[DeadLetterTold]
