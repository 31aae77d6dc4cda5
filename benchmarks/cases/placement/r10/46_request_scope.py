# pure
"""Keeps nothing: the context variable is reset in finally before the handler returns."""
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from graphbus_core import GraphBusNode, subscribe


@dataclass(frozen=True)
class Caller:
    user: str
    roles: frozenset[str]
    language: str = "en"


ANONYMOUS = Caller("anonymous", frozenset())
caller: ContextVar[Caller] = ContextVar("caller", default=ANONYMOUS)

TEXTS = {
    "en": {"denied": "{user} may not {action}", "done": "{action} done"},
    "de": {"denied": "{user} darf {action} nicht", "done": "{action} erledigt"},
}
NEEDED = {"read": set(), "write": {"editor"}, "delete": {"editor", "admin"}}


@contextmanager
def acting_as(someone: Caller) -> Iterator[None]:
    token = caller.set(someone)
    try:
        yield
    finally:
        caller.reset(token)


def say(key: str, **values: str) -> str:
    texts = TEXTS.get(caller.get().language, TEXTS["en"])
    return texts[key].format(**values)


def perform(action: str) -> str:
    who = caller.get()
    if not NEEDED[action] <= who.roles:
        raise PermissionError(say("denied", user=who.user, action=action))
    return say("done", action=action)


class RequestScope(GraphBusNode):
    @subscribe("/request/action")
    def on_action(self, action: str, user: str | None = None, roles: list[str] | None = None, language: str = "en") -> dict[str, object]:
        if action not in NEEDED:
            return {"ok": False, "text": "unknown action"}
        if user is None:
            return self._attempt(action)
        with acting_as(Caller(user, frozenset(roles or ()), language)):
            return self._attempt(action)

    def _attempt(self, action: str) -> dict[str, object]:
        try:
            return {"ok": True, "text": perform(action)}
        except PermissionError as error:
            return {"ok": False, "text": str(error)}
