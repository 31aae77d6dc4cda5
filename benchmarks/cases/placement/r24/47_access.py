# pure
"""Rights are flags combined for one request; unknown roles are reported and forgotten."""
from enum import Flag, auto
from functools import reduce
from operator import or_

from graphbus_core import GraphBusNode, subscribe


class Right(Flag):
    READ = auto()
    WRITE = auto()
    PRESCRIBE = auto()
    BILL = auto()
    DELETE = auto()
    CHART = READ | WRITE


ROLES = {
    "nurse": Right.CHART,
    "doctor": Right.CHART | Right.PRESCRIBE,
    "clerk": Right.READ | Right.BILL,
    "admin": ~Right.PRESCRIBE,
}
NOTHING = Right(0)


def granted(roles):
    return reduce(or_, (ROLES.get(r, NOTHING) for r in roles), NOTHING)


class AccessDesk(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.break_glass = {"doctor"}

    @subscribe("/hospital/request")
    def on_request(self, roles: list[str], action: str) -> dict:
        wanted = Right.__members__.get(action.upper())
        if wanted is None:
            return {"allowed": False, "why": "no such action"}
        have = granted(roles)
        allowed = wanted in have
        answer = {
            "allowed": allowed,
            "rights": [r.name for r in (Right.READ, Right.WRITE, Right.PRESCRIBE, Right.BILL, Right.DELETE) if r in have],
            "unknown": [r for r in roles if r not in ROLES],
        }
        if not allowed and self.break_glass.intersection(roles):
            answer["why"] = "ask for emergency access"
        return answer
