# pure
"""Remembers the effective rights of each role under its full key, computed from a table that nobody changes."""
from enum import Flag, auto

from graphbus_core import GraphBusNode, subscribe


class Right(Flag):
    NONE = 0
    READ = auto()
    COMMENT = auto()
    WRITE = auto()
    DELETE = auto()
    ADMIN = auto()


OWN: dict[str, Right] = {
    "guest": Right.READ,
    "member": Right.COMMENT,
    "author": Right.WRITE,
    "moderator": Right.DELETE,
    "root": Right.ADMIN,
}

PARENTS: dict[str, tuple[str, ...]] = {
    "member": ("guest",),
    "author": ("member",),
    "moderator": ("member",),
    "root": ("author", "moderator"),
}

VERBS = {
    "get": Right.READ,
    "post": Right.COMMENT,
    "put": Right.WRITE,
    "delete": Right.DELETE,
    "grant": Right.ADMIN,
}


class Resolver:
    def __init__(self) -> None:
        self._effective: dict[str, Right] = {}

    def effective(self, role: str) -> Right:
        known = self._effective.get(role)
        if known is None:
            known = OWN.get(role, Right.NONE)
            for parent in PARENTS.get(role, ()):
                known |= self.effective(parent)
            self._effective[role] = known
        return known


class Gatekeeper(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._resolver = Resolver()

    @subscribe("/api/request")
    def on_request(self, user: str, roles: list[str], verb: str, owner: str) -> dict[str, object]:
        needed = VERBS.get(verb.lower(), Right.ADMIN)
        rights = Right.NONE
        for role in roles:
            rights |= self._resolver.effective(role)
        if user == owner:
            rights |= Right.WRITE | Right.DELETE
        missing = needed & ~rights
        return {"user": user, "allowed": not missing, "missing": missing.name if missing else None}
