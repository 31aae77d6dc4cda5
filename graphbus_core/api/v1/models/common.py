"""What all bodies share: strict requests, told answers, pages of lists, problems (RFC 9457)."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field

T = TypeVar("T")
Json = Any  # a user's own JSON: a payload, a schema, an answer. Nothing else in the API is of an unknown type.
JsonObject = dict[str, Any]


class Strict(BaseModel):
    """A request's body: it takes no field that it does not know."""

    # Strict, too: a "3" where a number is wanted is a mistake of the client, and must not be repaired in silence.
    model_config = ConfigDict(extra="forbid", strict=True)


class Told(BaseModel):
    """An answer's body: what the model does not name is left out, and what has a default is always there."""

    model_config = ConfigDict(extra="ignore", json_schema_serialization_defaults_required=True)


class Page(Told, Generic[T]):
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


class Done(Told):
    """It was done."""

    ok: bool = True
