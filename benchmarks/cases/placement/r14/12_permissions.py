# pure
"""Combines constant flags, and no member is ever shown by anything but its names."""
from __future__ import annotations

from enum import Flag, auto
from functools import reduce
from operator import or_

from graphbus_core import GraphBusNode, subscribe


class Right(Flag):
    READ = auto()
    COMMENT = auto()
    WRITE = auto()
    SHARE = auto()
    DELETE = auto()


_NONE = Right(0)
_ROLES = {
    "guest": Right.READ,
    "reviewer": Right.READ | Right.COMMENT,
    "editor": Right.READ | Right.COMMENT | Right.WRITE,
    "owner": Right.READ | Right.COMMENT | Right.WRITE | Right.SHARE | Right.DELETE,
}
_FROZEN = Right.WRITE | Right.DELETE


def rights(roles: list[str], archived: bool) -> Right:
    granted = reduce(or_, (_ROLES.get(role, _NONE) for role in roles), _NONE)
    return granted & ~_FROZEN if archived else granted


class Permissions(GraphBusNode):
    @subscribe("/Document/Action")
    def on_event(self, roles: list[str], action: str, archived: bool) -> dict[str, object]:
        try:
            wanted = Right[action.upper()]
        except KeyError:
            return {"allowed": False, "reason": "no such action"}
        granted = rights(roles, archived)
        return {
            "allowed": wanted in granted,
            "reason": "",
            "granted": [right.name for right in Right if right in granted],
        }
