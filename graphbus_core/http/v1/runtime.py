"""The running program: state, calls, events, dead letters, traces."""

from __future__ import annotations

from typing import Any, Literal

from fastapi import FastAPI
from pydantic import Field

from graphbus_core.http.v1.common import (
    Cursor,
    Json,
    JsonObject,
    Limit,
    Page,
    RequestBody,
    ResponseBody,
    Tags,
    build_page,
    make_json_object,
)
from graphbus_core.services import NotFound, Workspace
from graphbus_core.services.json_values import make_jsonable


class RuntimeStart(RequestBody):
    """How to start the runtime."""

    payload_checks: Literal["off", "warn", "enforce"] = "enforce"
    journal: bool = Field(default=False, description="Keep a journal of the run, to be played back later.")


EDITED = "Sources that were edited since the newest build: a start or a restart runs them as they were built."


class BuildRef(ResponseBody):
    """A build on disk."""

    build_id: str
    built_at: str


class BusStats(ResponseBody):
    """Counters of the bus since its start. `errors`: deliveries that failed for good, each once."""

    messages_published: int = 0
    messages_delivered: int = 0
    messages_rejected: int = Field(default=0, description="Of those published: refused by a payload check.")
    errors: int = 0
    payload_violations: int = 0
    dead_letters: int = 0
    dead_letters_lost: int = Field(default=0, description="Older ones that were let go: the newest 1,000 are kept.")
    total_subscriptions: int = 0


class RuntimeTold(ResponseBody):
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
    edited: list[str] = Field(default=[], description=EDITED)
    unfinished: list[str] = Field(default=[], description="What had not returned when the runtime was stopped.")


class RuntimeReload(RequestBody):
    """How to take the newest build. With `force` also one that breaks a contract."""

    force: bool = False


class Reloaded(ResponseBody):
    """Nodes that are others now. `paused_s`: how long those took nothing in; what came meanwhile waited."""

    changed: list[str]
    added: list[str]
    removed: list[str]
    broken_contracts: list[str] = Field(default=[], description="What was broken and taken all the same.")
    problems: list[str] = []
    paused_s: float
    running: BuildRef | None = None
    newest: BuildRef | None = None
    edited: list[str] = Field(default=[], description=EDITED)


class CallRequest(RequestBody):
    """A direct call: `method` with `payload` as keyword arguments. Without `timeout_s` the deadline is 60 s."""

    method: str = Field(examples=["greet"], max_length=200)
    payload: JsonObject = Field(default_factory=dict, examples=[{"name": "Ann"}])
    timeout_s: float | None = Field(default=None, gt=0, le=600)


class CallResult(ResponseBody):
    """What the method returned."""

    result: Json


class PublishRequest(RequestBody):
    """An event to publish."""

    topic: str = Field(examples=["/Hello/Greeted"], min_length=1, max_length=500)
    payload: JsonObject = Field(default_factory=dict, examples=[{"message": "Hello"}])
    source: str = Field(default="api", max_length=200)


class Published(ResponseBody):
    """The event's id."""

    event_id: str


class EventTold(ResponseBody):
    """An event of the bus. `timestamp` is in epoch seconds; `cause` is the event whose handler published it."""

    event_id: str
    topic: str
    src: str
    payload: Json
    timestamp: float | None = None
    cause: str | None = None


class DeadLetterTold(ResponseBody):
    """An event that a handler did not take, and why it failed at the last try. Times are in epoch seconds."""

    id: str
    topic: str = ""
    subscriber: str = ""
    error: str = ""
    error_type: str = ""
    attempts: int = 0
    first_at: float = Field(default=0, description="When it failed first.")
    last_at: float = Field(default=0, description="When it failed last: later than `first_at` once it was tried again.")
    event: EventTold | None = None


class RetryRequest(RequestBody):
    """How to deliver it. `payload`: in the place of the letter's own; it must fit the contract of its topic."""

    payload: JsonObject | None = None


class Retried(ResponseBody):
    """Whether it was delivered this time."""

    delivered: bool


class Purged(ResponseBody):
    """How many were forgotten."""

    purged: int


class SpanTold(ResponseBody):
    """A call (with an `id` of its own) or one attempt of a handler, and the event or call behind it. `at` is in epoch
    seconds; `error` is the type of what was raised."""

    id: str | None = None
    kind: Literal["call", "handler"]
    name: str
    cause: str | None = None
    at: float
    took_ms: float
    error: str | None = None


class RetryTold(ResponseBody):
    """A dead letter that was delivered again while this server ran. `changed`: the fields in which its payload then was
    another than its event's. `at` is in epoch seconds."""

    event_id: str
    subscriber: str
    at: float
    changed: list[str]
    delivered: bool


class Trace(ResponseBody):
    """An event or a call with what led to it and what followed, oldest first, as far as the history goes."""

    event_id: str
    events: list[EventTold]
    spans: list[SpanTold] = []
    dead_letters: list[DeadLetterTold]
    retries: list[RetryTold] = []


# Operations on the running program: start, stop, call, publish, what happened, what could not be delivered.


HISTORY = 10_000  # events that a trace is looked for in
TAGS: Tags = ["runtime"]


def add(app: FastAPI, workspace: Workspace) -> None:
    """Add them to the application."""
    runtime = workspace.runtime

    @app.get("/runtime", operation_id="getRuntime", tags=TAGS, response_model=RuntimeTold)
    def get() -> dict[str, Any]:
        """State and counters; which build runs, which is the newest, and which sources were edited since."""
        return make_json_object({**runtime.stats(), **runtime.builds()})

    @app.post("/runtime/start", operation_id="startRuntime", tags=TAGS, response_model=RuntimeTold)
    def start(body: RuntimeStart | None = None) -> dict[str, Any]:
        """Start the runtime on the last build. `edited` names the sources that it runs as they were before an edit."""
        how = body or RuntimeStart()
        journal = workspace.journals.begin() if how.journal else None
        return make_json_object({**runtime.start(how.payload_checks, journal), **runtime.builds()})

    @app.post("/runtime/reload", operation_id="reloadRuntime", tags=TAGS, response_model=Reloaded)
    def reload(body: RuntimeReload | None = None) -> dict[str, Any]:
        """Take the newest build while the program runs: nodes whose code changed are drained and swapped, with their
        state. Without `force` a build that breaks a contract is refused (409 `contract_changed`), with the proof.
        """
        return make_json_object({**runtime.reload((body or RuntimeReload()).force), **runtime.builds()})

    @app.post("/runtime/stop", operation_id="stopRuntime", tags=TAGS, response_model=RuntimeTold)
    def stop() -> dict[str, Any]:
        """Stop the runtime; what is under way may finish within its deadline."""
        return make_json_object({**runtime.stop(), **runtime.builds()})

    _add_event_routes(app, runtime)
    _add_dead_letter_routes(app, runtime)


def _add_event_routes(app: FastAPI, runtime: Any) -> None:
    """Calls, events, and what followed from one."""

    @app.post("/nodes/{name}/call", operation_id="callNode", tags=TAGS, response_model=CallResult)
    async def call(name: str, body: CallRequest) -> dict[str, Any]:
        """Call a method of a running node."""
        return {"result": await runtime.acall(name, body.method, body.payload, body.timeout_s)}

    @app.post("/events", operation_id="publishEvent", tags=TAGS, response_model=Published)
    async def publish(body: PublishRequest) -> dict[str, Any]:
        """Publish an event."""
        return {"event_id": await runtime.apublish(body.topic, body.payload, body.source)}

    @app.get("/events", operation_id="listEvents", tags=TAGS, response_model=Page[EventTold])
    def events(limit: Limit = 100, cursor: Cursor = None) -> dict[str, Any]:
        """Events of the bus, newest first, as many as are kept."""
        start = int(cursor or 0)
        return build_page(make_jsonable(runtime.history(min(HISTORY, start + limit + 1))), limit, cursor)

    @app.get("/calls", operation_id="listCalls", tags=TAGS, response_model=Page[SpanTold])
    def calls(limit: Limit = 100, cursor: Cursor = None) -> dict[str, Any]:
        """Direct calls, newest first, as many as are kept. `/events/{id}/trace` says what followed from one."""
        return build_page([span for span in reversed(runtime.spans()) if span["id"]], limit, cursor)

    @app.get("/events/{event_id}/trace", operation_id="getTrace", tags=TAGS, response_model=Trace)
    def trace(event_id: str) -> dict[str, Any]:
        """An event, or a call by its id, with what led to it and what followed from it: calls, events, handlers."""
        letters = [letter for letter in runtime.dead_letters() if _build_dead_letter(letter)["event"]]
        # A letter has its event with it, also where the history is of another day.
        events = {letter["event"]["event_id"]: letter["event"] for letter in letters}
        events |= {item["event_id"]: item for item in make_jsonable(runtime.history(HISTORY))}
        spans = runtime.spans()
        causes = {name: item["cause"] for name, item in events.items()}
        causes |= {item["id"]: item["cause"] for item in spans if item["id"]}
        if event_id not in causes:
            raise NotFound(f"There is no event and no call {event_id!r} in the history that is kept.")
        root = event_id
        while (cause := causes[root]) in causes and cause != root:
            root = cause
        whole = _collect_caused(root, causes)
        traced_events = sorted(
            (events[item] for item in whole if item in events), key=lambda item: item.get("timestamp") or 0
        )
        worked = [item for item in spans if (item["id"] or item["cause"]) in whole]
        return {
            "event_id": event_id,
            "events": traced_events,
            "spans": sorted(worked, key=lambda item: float(item["at"])),
            "dead_letters": [_build_dead_letter(item) for item in letters if item["event"]["event_id"] in whole],
            "retries": [retry for retry in runtime.retries() if retry["event_id"] in whole],
        }


def _add_dead_letter_routes(app: FastAPI, runtime: Any) -> None:
    """What could not be delivered."""

    @app.get("/dead-letters", operation_id="listDeadLetters", tags=TAGS, response_model=Page[DeadLetterTold])
    def dead_letters(limit: Limit = 100, cursor: Cursor = None) -> dict[str, Any]:
        """What could not be delivered, and why."""
        return build_page([_build_dead_letter(letter) for letter in runtime.dead_letters()], limit, cursor)

    @app.post("/dead-letters/{letter_id}/retry", operation_id="retryDeadLetter", tags=TAGS, response_model=Retried)
    async def retry(letter_id: str, body: RetryRequest | None = None) -> dict[str, Any]:
        """Deliver one again, to the handler that failed; with another payload where one is given."""
        return {"delivered": await runtime.aretry(letter_id, body.payload if body else None)}

    @app.delete("/dead-letters", operation_id="purgeDeadLetters", tags=TAGS, response_model=Purged)
    def purge() -> dict[str, Any]:
        """Forget them all."""
        return {"purged": runtime.purge()}


def _collect_caused(root: str, causes: dict[str, Any]) -> set[str]:
    """An event or a call and all that it caused, as far as they are known."""
    caused: dict[str, list[str]] = {}
    for name, cause in causes.items():
        if cause:
            caused.setdefault(cause, []).append(name)
    caused_ids, pending = {root}, [root]
    while pending:
        for name in caused.get(pending.pop(), ()):
            if name not in caused_ids:
                caused_ids.add(name)
                pending.append(name)
    return caused_ids


def _build_dead_letter(letter: dict[str, Any]) -> dict[str, Any]:
    event = letter.get("event")
    whole = isinstance(event, dict) and {"event_id", "topic", "src", "payload"} <= event.keys()
    return {**letter, "attempts": letter.get("count", 0), "event": event if whole else None}
