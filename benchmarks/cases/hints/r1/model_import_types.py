"""Types of model_import."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

State = Literal["new", "paid"]


class Order(BaseModel):
    number: Annotated[str, Field(min_length=1)] = Field(alias="orderNo")
    lines: Annotated[list[Line], Field(min_length=1)]
    state: State = "new"


class Line(BaseModel):
    qty: int = Field(ge=1)
    note: str | None = None
