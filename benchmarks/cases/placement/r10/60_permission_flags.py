# pure
"""Keeps nothing: the flags are constants and unknown names are mapped without being stored."""
from enum import Enum, Flag, auto
from functools import reduce
from operator import or_

from graphbus_core import GraphBusNode, subscribe


class Permission(Flag):
    NONE = 0
    READ = auto()
    COMMENT = auto()
    WRITE = auto()
    SHARE = auto()
    DELETE = auto()
    EDITOR = READ | COMMENT | WRITE
    OWNER = EDITOR | SHARE | DELETE


class Role(Enum):
    GUEST = "guest"
    MEMBER = "member"
    EDITOR = "editor"
    OWNER = "owner"

    @classmethod
    def _missing_(cls, value: object) -> "Role":
        text = str(value).strip().lower()
        for member in cls:
            if text in (member.value, member.value + "s"):
                return member
        return cls.GUEST


GRANTS = {
    Role.GUEST: Permission.NONE,
    Role.MEMBER: Permission.READ | Permission.COMMENT,
    Role.EDITOR: Permission.EDITOR,
    Role.OWNER: Permission.OWNER,
}


def parse(names: list[str]) -> Permission:
    known = (Permission[name.upper()] for name in names if name.upper() in Permission.__members__)
    return reduce(or_, known, Permission.NONE)


def names(permission: Permission) -> list[str]:
    return [member.name.lower() for member in Permission if member in permission and member.name]


class Permissions(GraphBusNode):
    @subscribe("/permission/check")
    def on_check(self, roles: list[str], extra: list[str], revoked: list[str], wanted: str) -> dict[str, object]:
        granted = reduce(or_, (GRANTS[Role(role)] for role in roles), Permission.NONE)
        effective = (granted | parse(extra)) & ~parse(revoked)
        needed = parse([wanted])
        return {
            "allowed": bool(needed) and needed in effective,
            "effective": names(effective),
            "missing": names(needed & ~effective),
            "roles": sorted({Role(role).value for role in roles}),
        }
