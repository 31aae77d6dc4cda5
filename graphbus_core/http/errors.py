"""What an error becomes: status, code, message and path, once for all; each version of the API has its own form."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from fastapi import FastAPI, Request
from fastapi.encoders import jsonable_encoder
from fastapi.exceptions import RequestValidationError
from fastapi.openapi.models import Schema
from fastapi.responses import Response
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.routing import Match

from graphbus_core.errors import (
    ContractChanged,
    DeadlineExceeded,
    GraphBusError,
    Locked,
    PayloadRejected,
    Unavailable,
    UnknownCommit,
    UsageError,
)
from graphbus_core.services import Conflict, Forbidden, NodeRaised, NotFound
from graphbus_core.services.json_values import dump_json

log = logging.getLogger("graphbus.api")
HTTP_CODES = {400: "malformed", 404: "not_found", 405: "method_not_allowed", 503: "not_ready"}
STATUSES = {
    # Those that an orchestrator and a page tell apart. Each code has one status, so a client may look at either.
    400: "The body is not JSON, or the request is malformed.",
    401: "The token is missing or wrong.",
    403: "A foreign Host or Origin, or another seat's to do.",
    404: "There is no such thing.",
    405: "This path does not take this method; `Allow` says which it takes.",
    409: "Not now: the state does not allow it.",
    413: "The body is too large.",
    422: "The body means nothing, or breaks a contract; `path` says where.",
    424: "The code of a node raised, or did not return in time.",
    429: "Too many requests.",
}
_PLACE = "#/components/schemas/{model}"
TITLES = {
    "malformed": "The request is malformed",
    "no_token": "The token is missing or wrong",
    "seat_taken": "Somebody has sat down with this link",
    "seat_left": "The seat was moved to another browser",
    "seat_ended": "A new link ended this one",
    "token_in_address": "A token may not stand in an address",
    "operator_only": "Only the operator may do that",
    "not_your_seat": "It is another seat's to answer",
    "foreign_host": "The Host header is not this server's",
    "foreign_origin": "Calls from this origin are not taken",
    "not_found": "There is no such thing",
    "method_not_allowed": "This path does not take this method",
    "key_reused": "The Idempotency-Key names another call",
    "conflict": "The state does not allow it now",
    "contract_changed": "The new build does not fit the running one",
    "locked": "Somebody else works on it now",
    "failed": "It did not succeed",
    "body_too_large": "The body is too large",
    "invalid": "The body means nothing here",
    "payload_rejected": "The payload breaks its contract",
    "node_raised": "The code of a node raised",
    "deadline_exceeded": "A node did not return in time",
    "too_many_requests": "Too many requests",
    "not_ready": "The runtime is not ready",
    "internal": "A fault of the server",
}


@dataclass(frozen=True)
class ErrorAnswer:
    """An answer other than success."""

    status: int
    code: str
    message: str
    path: str | None = None


def describe_error(error: Exception) -> ErrorAnswer:
    """What an error is told as. A bug of ours is 500 `internal`, and its traceback goes to the log."""
    text = str(error)
    # The order matters: the kinds below are subclasses of those further down.
    match error:
        case RequestValidationError():
            # One fault at a time, the first: they are often consequences of each other.
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"][1:])
            return ErrorAnswer(422, "invalid", f"{where or 'body'}: {first['msg']}", where or None)
        case HTTPException():
            return ErrorAnswer(error.status_code, HTTP_CODES.get(error.status_code, "http"), str(error.detail))
        case Forbidden():
            return ErrorAnswer(403, "not_your_seat", text)
        case NotFound() | UnknownCommit():
            return ErrorAnswer(404, "not_found", text)
        case PayloadRejected():
            return ErrorAnswer(422, "payload_rejected", text, error.path or None)
        case NodeRaised():
            # 424: the server is well, what it depends on is not. A 500 would page whoever runs the server.
            return ErrorAnswer(424, "node_raised", text)
        case DeadlineExceeded():
            return ErrorAnswer(424, "deadline_exceeded", text)
        case Conflict() | Unavailable():
            return ErrorAnswer(409, "conflict", text)
        case UsageError():
            return ErrorAnswer(422, "invalid", text)
        case ContractChanged():
            return ErrorAnswer(409, "contract_changed", text)
        case GraphBusError():
            return ErrorAnswer(409, "locked" if isinstance(error, Locked) else "failed", text)
        case _:
            name = type(error).__name__
            # The type and no text: what an unexpected error says may hold a path or a value of this machine.
            return ErrorAnswer(500, "internal", f"A fault of the server: {name}. Its log has the details.")


def render_failure(answer: ErrorAnswer) -> Response:
    """The form of the seed's paths: `{"error": {"code", "message", "path"}}`."""
    body = {"error": {"code": answer.code, "message": answer.message, "path": answer.path}}
    return Response(dump_json(body), answer.status, media_type="application/json")


def render_problem(answer: ErrorAnswer) -> Response:
    """The form of `/api/v1`: problem details (RFC 9457)."""
    return Response(dump_json(build_problem(answer)), answer.status, media_type="application/problem+json")


def build_problem(answer: ErrorAnswer) -> dict[str, str | int | None]:
    """The body of a problem. Its type is a name, not an address: nothing has to be looked up anywhere."""
    title = TITLES.get(answer.code, answer.code.replace("_", " ").capitalize())
    # A name and no address: a client must never have to fetch anything to know what went wrong.
    kind = f"urn:graphbus:problem:{answer.code}"
    about = {"code": answer.code, "path": answer.path}
    return {"type": kind, "title": title, "status": answer.status, "detail": answer.message, **about}


def _list_methods(request: Request) -> list[str]:
    """What this path takes."""
    methods: set[str] = set()
    for route in request.app.routes:
        match, _ = route.matches({**request.scope, "method": "GET"}) if hasattr(route, "methods") else (Match.NONE, {})
        if match is not Match.NONE:
            methods |= route.methods or set()
    is_v1 = request.url.path.startswith("/api/v1/")
    return sorted(methods | ({"HEAD"} if is_v1 and "GET" in methods else set()))


def describe_failures(model: type[BaseModel], media_type: str) -> dict[int | str, dict[str, Any]]:
    """The answers of every operation that fails, for the document. `add_definitions` adds the model that they name.

    Named, and not given: FastAPI would make a validator of the model for each status of each operation, a thousand at
    each start of a server, and validate nothing with them.
    """
    schema = {"$ref": _PLACE.format(model=model.__name__)}
    return {
        status: {"description": text, "content": {media_type: {"schema": schema}}} for status, text in STATUSES.items()
    }


def add_definitions(document: dict[str, Any], model: type[BaseModel]) -> None:
    """Add a model, and those within it, to an OpenAPI document, in the place and the form of all others."""
    definition = model.model_json_schema(ref_template=_PLACE, mode="serialization")
    definitions = {**definition.pop("$defs", {}), model.__name__: definition}
    known = document["components"]["schemas"]
    for name, one in definitions.items():
        known[name] = jsonable_encoder(Schema(**one), by_alias=True, exclude_none=True)
    document["components"]["schemas"] = dict(sorted(known.items()))


def install_error_handlers(app: FastAPI, form: Callable[[ErrorAnswer], Response]) -> None:
    """Let an application tell every error in this form."""

    async def handle_error(request: Request, error: Exception) -> Response:
        answer = describe_error(error)
        if answer.code == "internal":
            log.error("%s %s", request.method, request.url.path, exc_info=error)
        # A path that no route knows, such as one with a line break, never gets as far as the inner application.
        response = render_problem(answer) if request.url.path.startswith("/api/") else form(answer)
        if answer.status == 405:
            response.headers["allow"] = ", ".join(_list_methods(request))
        return response

    for kind in (RequestValidationError, HTTPException, GraphBusError, Exception):
        app.add_exception_handler(kind, handle_error)
