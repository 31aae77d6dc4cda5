# pure
"""Keeps nothing: the decorators wrap functions and store no result."""
import functools
from collections.abc import Callable
from typing import Any, ParamSpec

from graphbus_core import GraphBusNode, subscribe

P = ParamSpec("P")
Handler = Callable[P, dict[str, Any]]


class ApiError(Exception):
    status = 400

    def __init__(self, message: str, **details: Any) -> None:
        super().__init__(message)
        self.details = details


class NotFound(ApiError):
    status = 404


class Conflict(ApiError):
    status = 409


def enveloped(func: Handler[P]) -> Handler[P]:
    @functools.wraps(func)
    def wrapper(*args: P.args, **kwargs: P.kwargs) -> dict[str, Any]:
        try:
            return {"status": 200, "data": func(*args, **kwargs)}
        except ApiError as error:
            return {"status": error.status, "error": str(error), "details": error.details}
        except (TypeError, ValueError) as error:
            return {"status": 422, "error": str(error), "details": {}}

    return wrapper


def requires(**types: type) -> Callable[[Handler[P]], Handler[P]]:
    def decorate(func: Handler[P]) -> Handler[P]:
        @functools.wraps(func)
        def wrapper(*args: P.args, **kwargs: P.kwargs) -> dict[str, Any]:
            wrong = {name: kind.__name__ for name, kind in types.items() if not isinstance(kwargs.get(name), kind)}
            if wrong:
                raise ApiError("wrong types", **wrong)
            return func(*args, **kwargs)

        return wrapper

    return decorate


ROOMS = {"blue": 4, "green": 12, "attic": 30}


@enveloped
@requires(room=str, people=int)
def reserve(*, room: str, people: int, taken: list[str]) -> dict[str, Any]:
    if room not in ROOMS:
        raise NotFound("no such room", known=sorted(ROOMS))
    if room in taken:
        raise Conflict("taken", free=sorted(ROOMS.keys() - set(taken)))
    if people > ROOMS[room]:
        raise ValueError(f"{room} holds {ROOMS[room]}")
    return {"room": room, "spare": ROOMS[room] - people}


class RoomApi(GraphBusNode):
    @subscribe("/room/reserve")
    def on_reserve(self, room: str, people: Any, taken: list[str]) -> dict[str, Any]:
        return reserve(room=room, people=people, taken=taken)
