# pure
"""The groups' rights are worked out once from constants, and a check only combines flags."""
from enum import Flag, auto
from functools import reduce
from operator import or_

from graphbus_core import GraphBusNode, subscribe


class Right(Flag):
    NONE = 0
    READ = auto()
    WRITE = auto()
    SHARE = auto()
    DELETE = auto()
    EDIT = READ | WRITE


GROUPS = {"staff": ["EDIT"], "lead": ["SHARE"], "root": ["DELETE", "SHARE", "EDIT"], "guest": ["READ"]}
INCLUDES = {"lead": ["staff"], "staff": ["guest"]}


def rights_of(group: str) -> Right:
    own = reduce(or_, (Right[name] for name in GROUPS.get(group, ())), Right.NONE)
    return reduce(or_, map(rights_of, INCLUDES.get(group, ())), own)


class PermissionCheck(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._rights = {group: rights_of(group) for group in GROUPS}

    @subscribe("/document/access")
    def on_access(self, groups: list[str], wants: list[str], denied: list[str]) -> dict[str, object]:
        held = reduce(or_, (self._rights.get(g, Right.NONE) for g in groups), Right.NONE)
        for name in denied:
            held &= ~Right[name.upper()]
        wanted = reduce(or_, (Right[name.upper()] for name in wants), Right.NONE)
        lacking = wanted & ~held
        return {
            "allowed": not lacking,
            "lacking": [right.name.lower() for right in lacking],
            "held": held.value,
        }
