"""A team of coding agents over the API: the board, and each seat's turn, plan, words, sync and landing."""

from __future__ import annotations

from typing import Any, Literal

from fastapi import FastAPI
from pydantic import Field

from graphbus_core.http.v1.common import (
    Caller,
    Cursor,
    Limit,
    Page,
    RequestBody,
    ResponseBody,
    Tags,
    build_page,
    make_json_object,
)
from graphbus_core.services import Workspace

SEAT = r"^[a-z0-9][a-z0-9_-]{0,31}$"


class TeamTask(RequestBody):
    """What is to be done."""

    name: str = Field(min_length=1, max_length=200)
    text: str = Field(min_length=1, max_length=20_000)


class TeamRequest(RequestBody):
    """A team to begin. `onto`: the branch that all land on, the one that is checked out where it is not said."""

    tasks: list[TeamTask] = Field(default_factory=list, max_length=100)
    onto: str | None = Field(default=None, max_length=250)
    lease_s: float = Field(default=1_800.0, ge=1, le=2_592_000)


class TeamStarted(ResponseBody):
    """The team of this repository."""

    id: str


class TeamSeatShort(ResponseBody):
    """Who sits there: `active` with claims, `lapsed` without them, or `left`."""

    seat: str
    status: Literal["active", "lapsed", "left"]


class TeamShort(ResponseBody):
    """A team in a list. `open`: questions that are not settled."""

    id: str
    base: str
    seats: list[TeamSeatShort]
    open: int
    landings: int


class TeamSeatRequest(RequestBody):
    """The name of a seat; it gets a branch and a working tree of its own."""

    seat: str = Field(pattern=SEAT, examples=["ada"])


class TeamSeatTaken(ResponseBody):
    """Where the seat works."""

    seat: str
    branch: str
    worktree: str


class TeamChoice(ResponseBody):
    """A way to settle an overlap, accepted by its hash. `impossible`: why it cannot be taken any more."""

    hash: str
    text: str
    impossible: str


class TeamOverlap(ResponseBody):
    """What two seats settle about one symbol. `accepted`: the hash that each of them accepted."""

    id: str
    seats: list[str]
    about: str
    topic: str
    text: str
    status: Literal["open", "settled", "closed"]
    choices: list[TeamChoice]
    accepted: dict[str, str]
    settled: str
    why: str


class TeamSeatTold(ResponseBody):
    """A seat: what it claims, one change a line, and what stands before its landing."""

    seat: str
    status: Literal["active", "lapsed", "left"]
    branch: str
    worktree: str
    note: str
    claims: list[str]
    obstacles: list[str]


class TeamLanded(ResponseBody):
    """What landed."""

    seat: str
    commit: str
    changes: list[str]


class TeamBroken(ResponseBody):
    """What a seat had said, and did not do when it landed; `to`: who counted on it."""

    seat: str
    to: list[str]
    promise: str


class TeamTold(ResponseBody):
    """A team: who works on what, what overlaps, what landed."""

    id: str
    base: str
    lease_s: float
    tasks: list[str]
    seats: list[TeamSeatTold]
    questions: list[TeamOverlap]
    landings: list[TeamLanded]
    broken: list[TeamBroken]


class TeamTurnRequest(RequestBody):
    """Whose turn; `everything`: all, and not only what is new."""

    seat: str = Field(pattern=SEAT)
    everything: bool = False


class TeamPlanRequest(RequestBody):
    """A plan, one change of a symbol a line; it takes the place of the one before."""

    seat: str = Field(pattern=SEAT)
    plan: str = Field(min_length=1, max_length=100_000, examples=["shop/cart.py::total: add parameter currency: str"])


class TeamWords(RequestBody):
    """A whole turn: @plan, @accept, @offer, @tell, @leave. All of it is taken, or nothing."""

    seat: str = Field(pattern=SEAT)
    say: str = Field(min_length=1, max_length=100_000, examples=["@accept q-5bd8 74cd1011"])


class TeamSeatWork(RequestBody):
    """Whose branch is brought up to date."""

    seat: str = Field(pattern=SEAT)


class TeamLandRequest(RequestBody):
    """Whose branch lands. `auto` runs pytest, `none` nothing."""

    seat: str = Field(pattern=SEAT)
    verify: Literal["auto", "none"] = "auto"


class TeamAnswer(ResponseBody):
    """What the seat is told, as text, and what it is asked."""

    seat: str
    status: Literal["active", "lapsed", "left"]
    text: str
    asked: list[TeamOverlap]
    obstacles: list[str]


class TeamSynced(ResponseBody):
    """How a sync ended: `text` says it in words."""

    seat: str
    status: str
    text: str
    conflicts: list[str]


class TeamLanding(ResponseBody):
    """How a landing ended; `at work`: call again."""

    status: str
    commit: str = ""
    why: str = ""
    notes: list[str] = []


def add(app: FastAPI, workspace: Workspace) -> None:
    """Add them to the application."""
    _add_board_routes(app, workspace)
    _add_seat_routes(app, workspace)


def _add_board_routes(app: FastAPI, workspace: Workspace) -> None:
    team = workspace.team
    tags: Tags = ["teams"]

    @app.get("/teams", operation_id="listTeams", tags=tags, response_model=Page[TeamShort])
    def teams(limit: Limit = 100, cursor: Cursor = None) -> dict[str, Any]:
        """The team of this repository; an empty list where there is none."""
        return build_page(team.list_teams(), limit, cursor)

    @app.post("/teams", status_code=201, operation_id="startTeam", tags=tags, response_model=TeamStarted)
    def start(body: TeamRequest) -> dict[str, Any]:
        """Begin a team of coding agents in this repository."""
        tasks = {task.name: task.text for task in body.tasks}
        return {"id": team.start(tasks, body.onto, body.lease_s)}

    @app.get("/teams/{team_id}", operation_id="getTeam", tags=tags, response_model=TeamTold)
    def one(team_id: str, caller: Caller) -> dict[str, Any]:
        """Who works on what, what overlaps, what landed. A seat is shown its own questions."""
        team.find_team(team_id)
        return make_json_object(team.show(caller.name if caller is not None else None))

    @app.post(
        "/teams/{team_id}/seats", status_code=201, operation_id="joinTeam", tags=tags, response_model=TeamSeatTaken
    )
    def join(team_id: str, body: TeamSeatRequest) -> dict[str, Any]:
        """Take a seat, with a branch and a working tree of its own."""
        team.find_team(team_id)
        return team.join(body.seat)


def _add_seat_routes(app: FastAPI, workspace: Workspace) -> None:
    team = workspace.team
    tags: Tags = ["teams"]

    def check(team_id: str, caller: Caller, seat: str) -> None:
        team.find_team(team_id)
        workspace.seats.check_own(caller, f"team/{team_id}", seat)

    @app.post("/teams/{team_id}/turns", operation_id="takeTeamTurn", tags=tags, response_model=TeamAnswer)
    def turn(team_id: str, body: TeamTurnRequest, caller: Caller) -> dict[str, Any]:
        """What is new for a seat, what it is asked, what comes next."""
        check(team_id, caller, body.seat)
        return team.turn(body.seat, body.everything)

    @app.post("/teams/{team_id}/plans", operation_id="planInTeam", tags=tags, response_model=TeamAnswer)
    def plan(team_id: str, body: TeamPlanRequest, caller: Caller) -> dict[str, Any]:
        """Say what a seat will change; hear who uses it, what breaks, who else is there."""
        check(team_id, caller, body.seat)
        return team.plan(body.seat, body.plan)

    @app.post("/teams/{team_id}/words", operation_id="sayInTeam", tags=tags, response_model=TeamAnswer)
    def say(team_id: str, body: TeamWords, caller: Caller) -> dict[str, Any]:
        """Say a whole turn: all of it is taken, or nothing."""
        check(team_id, caller, body.seat)
        return team.say(body.seat, body.say)

    @app.post("/teams/{team_id}/syncs", operation_id="syncInTeam", tags=tags, response_model=TeamSynced)
    def sync(team_id: str, body: TeamSeatWork, caller: Caller) -> dict[str, Any]:
        """Bring a seat's branch up to date; what is not committed is put back."""
        check(team_id, caller, body.seat)
        return team.sync(body.seat)

    @app.post("/teams/{team_id}/landings", operation_id="landInTeam", tags=tags, response_model=TeamLanding)
    def land(team_id: str, body: TeamLandRequest, caller: Caller) -> dict[str, Any]:
        """Land a seat's branch. Refused while a question with another seat is open, or a gate refuses."""
        check(team_id, caller, body.seat)
        return team.land(body.seat, None if body.verify == "none" else body.verify)
