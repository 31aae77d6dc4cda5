# pure
"""The context variable is reset in a finally, so each event starts from the default."""
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import ParamSpec, TypeVar

from graphbus_core import GraphBusNode, subscribe

P = ParamSpec("P")
R = TypeVar("R")

_role: ContextVar[str] = ContextVar("role", default="anonymous")
RANK = {"anonymous": 0, "clerk": 1, "nurse": 2, "doctor": 3}


@contextmanager
def acting_as(role: str) -> Iterator[None]:
    token = _role.set(role if role in RANK else "anonymous")
    try:
        yield
    finally:
        _role.reset(token)


def needs(role: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    def decorate(fn: Callable[P, R]) -> Callable[P, R]:
        @wraps(fn)
        def guarded(*args: P.args, **kwargs: P.kwargs) -> R:
            if RANK[_role.get()] < RANK[role]:
                raise PermissionError(f"{fn.__name__} needs {role}, not {_role.get()}")
            return fn(*args, **kwargs)

        return guarded

    return decorate


@needs("clerk")
def address(record: dict[str, str]) -> str:
    return record.get("address", "-")


@needs("nurse")
def allergies(record: dict[str, str]) -> str:
    return record.get("allergies", "none known")


@needs("doctor")
def diagnosis(record: dict[str, str]) -> str:
    return record.get("diagnosis", "open")


FIELDS: dict[str, Callable[[dict[str, str]], str]] = {f.__name__: f for f in (address, allergies, diagnosis)}


class RecordDesk(GraphBusNode):
    @subscribe("/Record/Asked")
    def on_asked(self, role: str, field: str, record: dict[str, str]) -> dict[str, object]:
        reader = FIELDS.get(field)
        if reader is None:
            return {"field": field, "error": "no such field"}
        try:
            with acting_as(role):
                return {"field": field, "value": reader(record), "as": _role.get()}
        except PermissionError as error:
            return {"field": field, "error": str(error), "as": _role.get()}
