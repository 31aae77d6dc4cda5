# stateful
"""Reduces with operator.iadd, whose first operand is the module's list of base rights, which grows by every event."""
import operator
from functools import reduce

from graphbus_core import GraphBusNode, subscribe

BASE_RIGHTS = ["profile:read"]
ROLE_RIGHTS = {
    "editor": ["article:write", "article:publish"],
    "author": ["article:write"],
    "support": ["ticket:read", "ticket:answer"],
    "auditor": ["log:read"],
}


def _flatten(groups: list[list[str]]) -> list[str]:
    return reduce(operator.iadd, groups)


def rights_of(roles: list[str]) -> list[str]:
    groups = [BASE_RIGHTS]
    groups += [ROLE_RIGHTS[role] for role in roles if role in ROLE_RIGHTS]
    return sorted(set(_flatten(groups)))


class RoleRights(GraphBusNode):
    @subscribe("/Login/Roles")
    def on_login(self, user: str, roles: list[str]) -> dict:
        rights = rights_of([role.strip().lower() for role in roles])
        return {"user": user, "rights": rights, "writer": "article:write" in rights}
