# pure
"""Keeps nothing beyond a call: the acting user stands in a context variable that is reset on the way out."""
from contextlib import contextmanager
from contextvars import ContextVar
from enum import Flag, auto
from functools import wraps
from typing import Callable, Iterator

from graphbus_core import GraphBusNode, subscribe


class Right(Flag):
    NONE = 0
    READ = auto()
    WRITE = auto()
    SHARE = auto()
    OWNER = READ | WRITE | SHARE


ROLES = {"guest": Right.READ, "editor": Right.READ | Right.WRITE, "admin": Right.OWNER}
current: ContextVar[Right] = ContextVar("current", default=Right.NONE)


@contextmanager
def acting_as(role: str) -> Iterator[None]:
    token = current.set(current.get() | ROLES.get(role, Right.NONE))
    try:
        yield
    finally:
        current.reset(token)


def needs(right: Right) -> Callable:
    def wrap(action: Callable[[str], str]) -> Callable[[str], str]:
        @wraps(action)
        def guarded(path: str) -> str:
            if right not in current.get():
                raise PermissionError(f"{action.__name__} {path}")
            return action(path)
        return guarded
    return wrap


@needs(Right.READ)
def view(path: str) -> str:
    return f"content of {path}"


@needs(Right.WRITE | Right.SHARE)
def publish(path: str) -> str:
    return f"{view(path)} is public"


ACTIONS = {"view": view, "publish": publish}


class AccessPolicy(GraphBusNode):
    @subscribe("/Docs/Action")
    def on_action(self, role: str, action: str, path: str) -> dict[str, object]:
        with acting_as(role):
            try:
                return {"ok": True, "result": ACTIONS[action](path)}
            except PermissionError as error:
                return {"ok": False, "denied": str(error)}
            except KeyError:
                return {"ok": False, "denied": f"no action {action}"}
