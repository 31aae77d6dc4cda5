# pure
"""The actor is put into a context variable for the length of one event and taken out again in a finally."""
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Iterator

from graphbus_core import GraphBusNode, subscribe

actor: ContextVar[str] = ContextVar("actor", default="system")

FORBIDDEN = {("guest", "delete"), ("guest", "grant"), ("clerk", "grant")}


class Denied(Exception):
    pass


@contextmanager
def acting_as(name: str | None) -> Iterator[None]:
    if not name:
        yield
        return
    token = actor.set(name)
    try:
        yield
    finally:
        actor.reset(token)


def perform(action: str, target: str) -> str:
    role = actor.get().partition(":")[0]
    if (role, action) in FORBIDDEN:
        raise Denied(f"{role} may not {action}")
    return f"{actor.get()} did {action} on {target}"


class AuditLine(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()

    @subscribe("/admin/action")
    def on_action(self, user: str | None, action: str, target: str) -> dict[str, str]:
        try:
            with acting_as(user):
                line = perform(action, target)
        except Denied as problem:
            return {"actor": actor.get(), "denied": str(problem)}
        return {"actor": actor.get(), "line": line}
