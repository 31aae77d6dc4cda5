"""What all bodies share: strict requests, told answers, pages of lists, problems (RFC 9457)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Annotated, Any, Generic, TypeVar

from fastapi import Depends, FastAPI, Query, Request
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict, Field, field_validator

from graphbus_core import __version__
from graphbus_core.http.errors import add_definitions, describe_failures, install_error_handlers, render_problem
from graphbus_core.http.requests import KEY_PATTERN, MAX_KEY, WRITES
from graphbus_core.services.json_values import dump_json, make_jsonable
from graphbus_core.services.questions.seats import Seat

T = TypeVar("T")
Json = Any  # a user's own JSON: a payload, a schema, an answer. Nothing else in the API is of an unknown type.
JsonObject = dict[str, Any]


class RequestBody(BaseModel):
    """A request's body: it takes no field that it does not know."""

    # Strict, too: a "3" where a number is wanted is a mistake of the client, and must not be repaired in silence.
    model_config = ConfigDict(extra="forbid", strict=True)

    @field_validator("*", mode="before")
    @classmethod
    def _take_whole_numbers(cls, value: Any) -> Any:
        """JSON knows one kind of number: 369.0 is the integer 369."""
        return int(value) if isinstance(value, float) and value.is_integer() else value


class ResponseBody(BaseModel):
    """An answer's body: what the model does not name is left out, and what has a default is always there."""

    model_config = ConfigDict(extra="ignore", json_schema_serialization_defaults_required=True)


class Page(ResponseBody, Generic[T]):
    """Part of a list. `next` is the `cursor` of the next part; null where this is the last."""

    items: list[T]
    next: str | None = Field(default=None, examples=["100"])


class Problem(BaseModel):
    """What went wrong, and what to do next (RFC 9457, `application/problem+json`). `path` says where in the body."""

    type: str = Field(examples=["urn:graphbus:problem:payload_rejected"])
    title: str = Field(examples=["The payload breaks its contract"])
    status: int = Field(ge=400, le=599, examples=[422])
    detail: str = Field(examples=["InventoryService.check_stock takes qty: integer, got 'three'."])
    code: str = Field(examples=["payload_rejected"])
    path: str | None = Field(default=None, examples=["qty"])


class Done(ResponseBody):
    """It was done."""

    ok: bool = True


# How `/api/v1` answers: its application with the fixed parts of its document, pages of lists, raw answers.


Tags = list[str | Enum]  # of operations, as FastAPI has them


def _read_caller(request: Request) -> Seat | None:
    seat = request.scope.get("graphbus.seat")
    return seat if isinstance(seat, Seat) else None


def _read_key(request: Request) -> str:
    return str(request.scope.get("graphbus.key", ""))


CallerKey = Annotated[str, Depends(_read_key)]  # with which a seat or an invitation asks; empty for the operator
Caller = Annotated[Seat | None, Depends(_read_caller)]  # a seat, or None for the operator; the guard found it
Limit = Annotated[int, Query(ge=1, le=1_000, description="How many at most.")]
Cursor = Annotated[str | None, Query(pattern=r"^[0-9]{1,15}$", description="`next` of the part before.")]
IDEMPOTENCY_KEY = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "description": "A name of your own for this call. Sent again within a day it is not done again; the first answer "
    "comes back.",
    "schema": {"type": "string", "minLength": 1, "maxLength": MAX_KEY, "pattern": KEY_PATTERN},
}
PROBLEMS = describe_failures(Problem, "application/problem+json")


def build_app() -> FastAPI:
    """An application whose errors are problems, and whose document says so."""
    app = FastAPI(
        title="GraphBus",
        version=__version__,
        summary="Components negotiate their contracts, and every agreement is proved before it becomes code.",
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        responses=PROBLEMS,
        servers=[{"url": "/api/v1"}],
    )
    install_error_handlers(app, render_problem)
    return app


def build_document(app: FastAPI) -> dict[str, Any]:
    """The OpenAPI document: problems under their own media type, and the token that every call wants."""
    openapi_document: dict[str, Any] = app.openapi()
    add_definitions(openapi_document, Problem)
    for methods in openapi_document["paths"].values():
        for method, operation in methods.items():
            if method.upper() in WRITES:
                operation.setdefault("parameters", []).append(IDEMPOTENCY_KEY)
            for status, answer in operation["responses"].items():
                content = answer.get("content", {})
                if int(status) >= 400 and (body := content.pop("application/json", None)):
                    content["application/problem+json"] = body
    token = {"type": "http", "scheme": "bearer", "description": "Printed at the start, or GRAPHBUS_TOKEN."}
    openapi_document["components"]["securitySchemes"] = {"token": token}
    openapi_document["security"] = [{"token": []}]
    return openapi_document


def build_page(items: Sequence[Any], limit: int, cursor: str | None) -> dict[str, Any]:
    """The part of a list that begins at `cursor`, and where the next one begins."""
    start = int(cursor or 0)
    end = start + limit
    return {"items": list(items[start:end]), "next": str(end) if end < len(items) else None}


def respond_with_json(value: Any) -> Response:
    """An answer that has its model's form already, and is too large to be checked twice."""
    return Response(dump_json(value), media_type="application/json")


def make_json_object(value: Mapping[str, Any]) -> dict[str, Any]:
    """Whatever a program made, as JSON."""
    json_value = make_jsonable(value)
    assert isinstance(json_value, dict)
    return json_value
