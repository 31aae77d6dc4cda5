# pure
"""Combines the rights of some roles."""
from graphbus_core import GraphBusNode, subscribe
from enum import Flag, auto
from functools import reduce
from operator import or_


class Right(Flag):
    READ = auto()
    WRITE = auto()
    SIGN = auto()
    ALL = READ | WRITE | SIGN


ROLES = {"clerk": Right.READ | Right.WRITE, "auditor": Right.READ, "admin": Right.ALL}


class AccessNode(GraphBusNode):
    @subscribe("/In")
    def on_grant(self, event):
        rights = reduce(or_, map(ROLES.__getitem__, event["roles"]), Right(0))
        names = [r.name for r in (Right.READ, Right.WRITE, Right.SIGN) if r in rights]
        return {"rights": names, "total": rights.value}
