"""Operations on the running program: start, stop, call, publish, what happened, what could not be delivered."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI

from graphbus_core.api.v1.answers import Cursor, Limit, Tags, page, plain
from graphbus_core.api.v1.models import runtime as m
from graphbus_core.api.v1.models.common import Page
from graphbus_core.workspace import NotFound, Workspace
from graphbus_core.workspace.shows.as_json import jsonable

HISTORY = 10_000  # events that a trace is looked for in
TAGS: Tags = ["runtime"]


def add(app: FastAPI, workspace: Workspace) -> None:
    """Add them to the application."""
    runtime = workspace.runtime

    @app.get("/runtime", operation_id="getRuntime", tags=TAGS, response_model=m.RuntimeTold)
    def get() -> dict[str, Any]:
        """State and counters; which build runs, and which is the newest."""
        return plain({**runtime.stats(), **runtime.builds()})

    @app.post("/runtime/start", operation_id="startRuntime", tags=TAGS, response_model=m.RuntimeTold)
    def start(body: m.RuntimeStart | None = None) -> dict[str, Any]:
        """Start the runtime on the last build."""
        how = body or m.RuntimeStart()
        journal = workspace.journals.begin() if how.journal else None
        return plain({**runtime.start(how.payload_checks, journal), **runtime.builds()})

    @app.post("/runtime/reload", operation_id="reloadRuntime", tags=TAGS, response_model=m.Reloaded)
    def reload(body: m.RuntimeReload | None = None) -> dict[str, Any]:
        """Take the newest build while the program runs: nodes whose code changed are drained and swapped, with their
        state. Without `force` a build that breaks a contract is refused (409 `contract_changed`), with the proof.
        """
        return plain({**runtime.reload((body or m.RuntimeReload()).force), **runtime.builds()})

    @app.post("/runtime/stop", operation_id="stopRuntime", tags=TAGS, response_model=m.RuntimeTold)
    def stop() -> dict[str, Any]:
        """Stop the runtime; what is under way may finish within its deadline."""
        return plain({**runtime.stop(), **runtime.builds()})

    _events(app, runtime)
    _letters(app, runtime)


def _events(app: FastAPI, runtime: Any) -> None:
    """Calls, events, and what followed from one."""

    @app.post("/nodes/{name}/call", operation_id="callNode", tags=TAGS, response_model=m.CallResult)
    async def call(name: str, body: m.CallRequest) -> dict[str, Any]:
        """Call a method of a running node."""
        return {"result": await runtime.acall(name, body.method, body.payload, body.timeout_s)}

    @app.post("/events", operation_id="publishEvent", tags=TAGS, response_model=m.Published)
    async def publish(body: m.PublishRequest) -> dict[str, Any]:
        """Publish an event."""
        return {"event_id": await runtime.apublish(body.topic, body.payload, body.source)}

    @app.get("/events", operation_id="listEvents", tags=TAGS, response_model=Page[m.EventTold])
    def events(limit: Limit = 100, cursor: Cursor = None) -> dict[str, Any]:
        """Events of the bus, newest first, as many as are kept."""
        start = int(cursor or 0)
        return page(jsonable(runtime.history(min(HISTORY, start + limit + 1))), limit, cursor)

    @app.get("/calls", operation_id="listCalls", tags=TAGS, response_model=Page[m.SpanTold])
    def calls(limit: Limit = 100, cursor: Cursor = None) -> dict[str, Any]:
        """Direct calls, newest first, as many as are kept. `/events/{id}/trace` says what followed from one."""
        return page([one for one in reversed(runtime.spans()) if one["id"]], limit, cursor)

    @app.get("/events/{event_id}/trace", operation_id="getTrace", tags=TAGS, response_model=m.Trace)
    def trace(event_id: str) -> dict[str, Any]:
        """An event, or a call by its id, with what led to it and what followed from it: calls, events, handlers."""
        events = {one["event_id"]: one for one in jsonable(runtime.history(HISTORY))}
        spans = runtime.spans()
        causes = {name: one["cause"] for name, one in events.items()}
        causes |= {one["id"]: one["cause"] for one in spans if one["id"]}
        if event_id not in causes:
            raise NotFound(f"There is no event and no call {event_id!r} in the history that is kept.")
        root = event_id
        while (cause := causes[root]) in causes and cause != root:
            root = cause
        whole = _following(root, causes)
        letters = [one for one in runtime.dead_letters() if one.get("event", {}).get("event_id") in whole]
        told = sorted((events[one] for one in whole if one in events), key=lambda one: one.get("timestamp") or 0)
        worked = [one for one in spans if (one["id"] or one["cause"]) in whole]
        return {
            "event_id": event_id,
            "events": told,
            "spans": sorted(worked, key=lambda one: float(one["at"])),
            "dead_letters": [_letter(one) for one in letters],
        }


def _letters(app: FastAPI, runtime: Any) -> None:
    """What could not be delivered."""

    @app.get("/dead-letters", operation_id="listDeadLetters", tags=TAGS, response_model=Page[m.DeadLetterTold])
    def dead_letters(limit: Limit = 100, cursor: Cursor = None) -> dict[str, Any]:
        """What could not be delivered, and why."""
        return page([_letter(one) for one in runtime.dead_letters()], limit, cursor)

    @app.post("/dead-letters/{letter_id}/retry", operation_id="retryDeadLetter", tags=TAGS, response_model=m.Retried)
    async def retry(letter_id: str) -> dict[str, Any]:
        """Deliver one again."""
        return {"delivered": await runtime.aretry(letter_id)}

    @app.delete("/dead-letters", operation_id="purgeDeadLetters", tags=TAGS, response_model=m.Purged)
    def purge() -> dict[str, Any]:
        """Forget them all."""
        return {"purged": runtime.purge()}


def _following(root: str, causes: dict[str, Any]) -> set[str]:
    """An event or a call and all that it caused, as far as they are known."""
    caused: dict[str, list[str]] = {}
    for name, cause in causes.items():
        if cause:
            caused.setdefault(cause, []).append(name)
    found, left = {root}, [root]
    while left:
        for name in caused.get(left.pop(), ()):
            if name not in found:
                found.add(name)
                left.append(name)
    return found


def _letter(one: dict[str, Any]) -> dict[str, Any]:
    event = one.get("event")
    whole = isinstance(event, dict) and {"event_id", "topic", "src", "payload"} <= event.keys()
    return {**one, "attempts": one.get("count", 0), "event": event if whole else None}
