"""Operations on seats: who I am here, and the links that the operator gives out."""

from __future__ import annotations

from typing import Any, Literal

from fastapi import FastAPI
from pydantic import Field

from graphbus_core.http.v1.common import Caller, Cursor, Limit, Page, RequestBody, ResponseBody, Tags, build_page
from graphbus_core.services import Workspace


class Me(ResponseBody):
    """Who asks. The operator opened the server; a seat has a `name` at a `table`."""

    role: Literal["operator", "seat"]
    table: str | None = Field(examples=["consent/run-4f1c"])
    name: str | None = Field(examples=["Ann"])


class SeatLinkRequest(RequestBody):
    """Whom to give a link. `table`: `build`, `consent/RUN`, `document/NAME` or `team/NAME`."""

    table: str = Field(
        max_length=300, pattern=r"^(build|(consent|document|team)/[^/]+)$", examples=["document/storage-plan"]
    )
    name: str = Field(min_length=1, max_length=200, examples=["ann"])


class SeatTold(ResponseBody):
    """A seat that has a link, and how many questions wait for it. What they ask is told to the seat alone."""

    id: str
    table: str
    name: str
    waiting: int


class SeatLinkMade(ResponseBody):
    """A new link: the server's address with `#seat=` and the key. It is told this once; a new one ends it."""

    table: str
    name: str
    key: str


class SeatFreed(ResponseBody):
    """The link opens nothing any more; the questions of that seat are the operator's."""

    table: str
    name: str


def add(app: FastAPI, workspace: Workspace) -> None:
    """Add them to the application."""
    tags: Tags = ["seats"]

    @app.get("/me", operation_id="getMe", tags=tags, response_model=Me)
    def me(caller: Caller) -> dict[str, Any]:
        """Who asks: the operator, or a seat by its name."""
        if caller is None:
            return {"role": "operator", "table": None, "name": None}
        return {"role": "seat", "table": caller.table, "name": caller.name}

    @app.get("/seats", operation_id="listSeats", tags=tags, response_model=Page[SeatTold])
    def seats(limit: Limit = 100, cursor: Cursor = None) -> dict[str, Any]:
        """The seats that have a link, and for how many questions each is waited."""
        return build_page(workspace.list_seats(), limit, cursor)

    @app.post("/seats", status_code=201, operation_id="giveSeatLink", tags=tags, response_model=SeatLinkMade)
    def give(body: SeatLinkRequest) -> dict[str, Any]:
        """Give out a link to a seat. From now on its questions are answered with this key alone."""
        return {"table": body.table, "name": body.name, "key": workspace.issue_seat(body.table, body.name)}

    @app.delete("/seats/{seat_id:path}", operation_id="endSeatLink", tags=tags, response_model=SeatFreed)
    def end(seat_id: str) -> dict[str, Any]:
        """End a link. `seat_id` is the seat's `id`."""
        seat = workspace.seats.end_by_id(seat_id)
        return {"table": seat.table, "name": seat.name}
