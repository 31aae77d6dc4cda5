# pure
"""Computes permissions with an enum of flags, from the event's fields alone; the members are never changed."""
from enum import Flag, StrEnum, auto
from functools import reduce
from operator import or_

from graphbus_core import GraphBusNode, subscribe


class Right(Flag):
    READ = auto()
    WRITE = auto()
    SHARE = auto()
    DELETE = auto()

    @classmethod
    def parse(cls, letters: str) -> "Right":
        table = {"r": cls.READ, "w": cls.WRITE, "s": cls.SHARE, "d": cls.DELETE}
        return reduce(or_, (table[c] for c in letters.lower() if c in table), cls(0))

    @property
    def letters(self) -> str:
        return "".join(c if r in self else "-" for c, r in zip("rwsd", Right))


class Scope(StrEnum):
    OWNER = "owner"
    GROUP = "group"
    PUBLIC = "public"

    @property
    def ceiling(self) -> Right:
        match self:
            case Scope.OWNER:
                return ~Right(0)
            case Scope.GROUP:
                return Right.READ | Right.WRITE | Right.SHARE
            case _:
                return Right.READ


def _effective(grants: list[str], scope: Scope) -> Right:
    allowed, denied = Right(0), Right(0)
    for grant in grants:
        if grant.startswith("!"):
            denied |= Right.parse(grant[1:])
        else:
            allowed |= Right.parse(grant)
    return allowed & ~denied & scope.ceiling


class SharePermissions(GraphBusNode):
    @subscribe("/Files/Access")
    def on_access(self, path: str, scope: str, grants: list[str], wanted: str) -> dict:
        try:
            level = Scope(scope.lower())
        except ValueError:
            level = Scope.PUBLIC
        rights = _effective(grants, level)
        missing = Right.parse(wanted) & ~rights
        return {"path": path, "rights": rights.letters, "granted": not missing, "missing": missing.letters}
