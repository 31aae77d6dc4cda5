# stateful
"""Keeps the tenant of the last request that named one, in a context variable which is set and never reset."""
import re
from contextvars import ContextVar

from graphbus_core import GraphBusNode, subscribe

current_tenant: ContextVar[str] = ContextVar("current_tenant", default="public")
PATH = re.compile(r"^(?:/t/(?P<tenant>[a-z]+))?/(?P<rest>[\w/-]*)$")
TABLES = {"orders": "o", "users": "u", "items": "i"}


class BadPath(Exception):
    pass


def enter(path: str) -> str:
    match = PATH.match(path)
    if match is None:
        raise BadPath(path)
    if match["tenant"]:
        current_tenant.set(match["tenant"])
    return match["rest"]


def table_name(resource: str) -> str:
    return f"{current_tenant.get()}.{TABLES.get(resource, resource)}"


def to_sql(rest: str) -> str:
    resource, _, key = rest.partition("/")
    sql = f"SELECT * FROM {table_name(resource)}"
    return f"{sql} WHERE id = '{key}'" if key else sql


class TenantScope(GraphBusNode):
    @subscribe("/Http/Get")
    def on_get(self, path: str) -> dict[str, str]:
        try:
            rest = enter(path)
        except BadPath as exc:
            return {"status": "400", "path": str(exc)}
        return {"status": "200", "sql": to_sql(rest)}
