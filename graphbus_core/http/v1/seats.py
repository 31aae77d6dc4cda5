"""Operations on seats: who I am here, the links that the operator gives out, and sitting down with one."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import FastAPI, Query
from pydantic import Field

from graphbus_core.http.v1.common import (
    Caller,
    CallerKey,
    Cursor,
    Limit,
    Page,
    RequestBody,
    ResponseBody,
    Tags,
    build_page,
)
from graphbus_core.services import Workspace
from graphbus_core.services.errors import Forbidden

TABLE = r"^(build|(consent|document|team)/[^/]+)$"


class Me(ResponseBody):
    """Who asks. The operator opened the server; a seat has a `name` at a `table`; who has an invitation has no name
    yet. `seated`: this key is held by who sat down with it alone; a link that was not opened yet is not."""

    role: Literal["operator", "seat", "invited"]
    table: str | None = Field(examples=["consent/run-4f1c"])
    name: str | None = Field(examples=["Ann"])
    seated: bool = False
    called: str | None = Field(default=None, description="What whoever sits there is called.", examples=["Ann"])


class SeatLinkRequest(RequestBody):
    """Whom to give a link. `table`: `build`, `consent/RUN`, `document/NAME` or `team/NAME`."""

    table: str = Field(max_length=300, pattern=TABLE, examples=["document/storage-plan"])
    name: str = Field(min_length=1, max_length=200, examples=["ann"])
    opener: bool = Field(
        default=False, description="It is the seat of whoever opens the table: the others are told to ask them."
    )
    called: str = Field(
        default="",
        max_length=200,
        description="Its person's name, where a seat may not be written so.",
        examples=["Ann"],
    )


class InvitationRequest(RequestBody):
    """The table to invite to. Whoever has the invitation takes one of its seats, in which nobody has sat."""

    table: str = Field(max_length=300, pattern=TABLE, examples=["document/storage-plan"])


class SitDownRequest(RequestBody):
    """With a link nothing is said. With an invitation: `name`, who one is."""

    name: str = Field(default="", max_length=200, examples=["ann"])


class SeatTold(ResponseBody):
    """A seat that has a link, and how many questions wait for it. What they ask is told to the seat alone. `seated`:
    somebody has opened the link and sits there."""

    id: str
    table: str
    name: str
    called: str
    seated: bool
    waiting: int


class SeatLinkMade(ResponseBody):
    """A new link: the server's address with `#seat=` and the key. It is told this once; a new one ends it."""

    table: str
    name: str
    key: str


class Invitation(ResponseBody):
    """An invitation: the server's address with `#seat=` and the key. It is told this once; a new one ends it."""

    table: str
    key: str


class SatDown(ResponseBody):
    """Who sits there now. `key` is told this once, to whoever sat down; the key before opens nothing any more."""

    table: str
    name: str
    key: str


class SeatFreed(ResponseBody):
    """The link opens nothing any more; the questions of that seat are the operator's."""

    table: str
    name: str


class DisputeRequest(RequestBody):
    """With a link nothing is said. With an invitation: `name`, who one is."""

    name: str = Field(default="", max_length=200, examples=["ann"])


class SeatDisputed(ResponseBody):
    """Of which seat the table was told that somebody else sat down there."""

    table: str
    name: str


class SeatAtTable(ResponseBody):
    """A seat as everybody at its table sees it. `free`: nobody has sat there, so an invitation offers it."""

    name: str
    called: str
    seated: bool
    free: bool


class SeatLine(ResponseBody):
    """What became of a seat, and when (seconds since 1970)."""

    name: str
    news: Literal["sat_down", "moved", "renewed", "disputed", "claimed", "settled", "taken_back"]
    says: str
    at: float


class TableTold(ResponseBody):
    """Who sits at a table, and what became of its seats, oldest first."""

    table: str
    topic: str
    seats: list[SeatAtTable]
    story: list[SeatLine]


def add(app: FastAPI, workspace: Workspace) -> None:
    """Add them to the application."""
    _add_operator_routes(app, workspace)
    _add_seat_routes(app, workspace)


def _add_seat_routes(app: FastAPI, workspace: Workspace) -> None:
    tags: Tags = ["seats"]

    @app.get("/me", operation_id="getMe", tags=tags, response_model=Me)
    def me(caller: Caller, key: CallerKey) -> dict[str, Any]:
        """Who asks: the operator, a seat by its name, or somebody with an invitation."""
        if caller is None:
            return {"role": "operator", "table": None, "name": None}
        if caller.is_invitation:
            return {"role": "invited", "table": caller.table, "name": None}
        seated = workspace.seats.is_session(key)
        return {
            "role": "seat",
            "table": caller.table,
            "name": caller.name,
            "seated": seated,
            "called": workspace.seats.call(caller),
        }

    @app.post("/sessions", status_code=201, operation_id="sitDown", tags=tags, response_model=SatDown)
    def sit_down(key: CallerKey, body: SitDownRequest | None = None) -> dict[str, Any]:
        """Sit down with a link, or with an invitation and a name: its key is exchanged for one that only whoever asks
        has. Of two at once one sits down."""
        if not key:
            raise Forbidden("The operator sits down with a link, as everybody does: `POST /seats` makes one.")
        seat, own = workspace.seats.sit_down(key, body.name if body else "")
        return {"table": seat.table, "name": seat.name, "key": own}

    @app.post("/links", status_code=201, operation_id="moveSeat", tags=tags, response_model=SeatLinkMade)
    def move(caller: Caller) -> dict[str, Any]:
        """A link to go on with elsewhere, for whoever sits there. This key goes on until that link is opened."""
        if caller is None:
            raise Forbidden("The operator has no seat to move. `POST /seats` makes a link to one.")
        key = workspace.seats.make_moving_link(caller)
        return {"table": caller.table, "name": caller.name, "key": key}

    @app.post("/disputes", operation_id="disputeSeat", tags=tags, response_model=SeatDisputed)
    def dispute(key: CallerKey, body: DisputeRequest | None = None) -> dict[str, Any]:
        """Tell the table that somebody else sat down. It takes the link that is refused as `seat_taken`, or the
        invitation and one's name. It changes nothing of the seat: whoever opened the table makes a new link, or does
        not."""
        if not key:
            raise Forbidden("The operator has no link that somebody else could have opened.")
        seat = workspace.seats.dispute(key, body.name if body else "")
        return {"table": seat.table, "name": seat.name}

    @app.get("/table", operation_id="getTable", tags=tags, response_model=TableTold)
    def table(
        caller: Caller,
        of: Annotated[str | None, Query(max_length=300, description="The table; of a seat it is its own.")] = None,
    ) -> dict[str, Any]:
        """Who sits at a table, and what became of its seats. Everybody there is told the same."""
        if caller is not None and of not in (None, caller.table):
            raise Forbidden("You are told of your own table alone.")
        return workspace.describe_table(caller.table if caller is not None else of or "build")


def _add_operator_routes(app: FastAPI, workspace: Workspace) -> None:
    tags: Tags = ["seats"]

    @app.get("/seats", operation_id="listSeats", tags=tags, response_model=Page[SeatTold])
    def seats(limit: Limit = 100, cursor: Cursor = None) -> dict[str, Any]:
        """The seats that have a link, and for how many questions each is waited."""
        return build_page(workspace.list_seats(), limit, cursor)

    @app.post("/seats", status_code=201, operation_id="giveSeatLink", tags=tags, response_model=SeatLinkMade)
    def give(body: SeatLinkRequest) -> dict[str, Any]:
        """Give out a link to a seat. From now on its questions are answered with this key alone. Where somebody sat
        there already, their session ends, and the table is told."""
        key = workspace.issue_seat(body.table, body.name, body.opener, body.called)
        return {"table": body.table, "name": body.name, "key": key}

    @app.post("/invitations", status_code=201, operation_id="inviteToTable", tags=tags, response_model=Invitation)
    def invite(body: InvitationRequest) -> dict[str, Any]:
        """One link for a whole table: whoever opens it says who they are, among those who have not sat down yet."""
        return {"table": body.table, "key": workspace.invite(body.table)}

    @app.delete("/disputes/{seat_id:path}", operation_id="settleDispute", tags=tags, response_model=SeatDisputed)
    def settle(seat_id: str) -> dict[str, Any]:
        """Tell the table that the right person sits there, after somebody said otherwise. `seat_id` is the seat's
        `id`."""
        seat = workspace.seats.settle(seat_id)
        return {"table": seat.table, "name": seat.name}

    @app.delete("/seats/{seat_id:path}", operation_id="endSeatLink", tags=tags, response_model=SeatFreed)
    def end(seat_id: str) -> dict[str, Any]:
        """End a link. `seat_id` is the seat's `id`."""
        seat = workspace.seats.end_by_id(seat_id)
        return {"table": seat.table, "name": seat.name}
