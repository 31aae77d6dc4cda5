# pure
"""Sets context variables for the time of one event and resets them with their tokens in a finally; nothing stays."""
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from graphbus_core import GraphBusNode, subscribe

_tenant: ContextVar[str] = ContextVar("tenant", default="public")
_trail: ContextVar[tuple[str, ...]] = ContextVar("trail", default=())

LIMITS = {"public": 10, "acme": 50, "globex": 200}


@contextmanager
def acting_for(tenant: str) -> Iterator[None]:
    token = _tenant.set(tenant)
    try:
        yield
    finally:
        _tenant.reset(token)


@contextmanager
def step(name: str) -> Iterator[None]:
    token = _trail.set((*_trail.get(), name))
    try:
        yield
    finally:
        _trail.reset(token)


def _page(size: int) -> int:
    with step("page"):
        if size < 0:
            raise ValueError(" > ".join(_trail.get()) + f": bad size {size}")
        return min(size or 10, LIMITS.get(_tenant.get(), LIMITS["public"]))


def _query(table: str, size: int) -> str:
    with step(f"query {table}"):
        return f"select * from {_tenant.get()}.{table} limit {_page(size)}"


class RequestTrace(GraphBusNode):
    @subscribe("/Api/List")
    def on_list(self, tenant: str, table: str, size: int) -> dict[str, str]:
        try:
            if not tenant:
                return {"sql": _query(table, size), "tenant": _tenant.get()}
            with acting_for(tenant.lower()):
                return {"sql": _query(table, size), "tenant": _tenant.get()}
        except ValueError as error:
            return {"error": str(error), "tenant": _tenant.get(), "trail": "/".join(_trail.get())}
