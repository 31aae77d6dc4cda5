# stateful
"""A set is bound into the checking function by partial, and every valid ticket is put into it."""
from collections.abc import Callable
from functools import partial

from graphbus_core import GraphBusNode, subscribe

Check = Callable[[str, int], str]


def check_format(ticket: str, zone: int) -> str:
    prefix, _, digits = ticket.partition("-")
    return "" if prefix in {"TK", "ABO"} and digits.isdigit() else "unreadable"


def check_zone(limits: dict[str, int], ticket: str, zone: int) -> str:
    return "" if zone <= limits.get(ticket.split("-")[0], 0) else "wrong zone"


def check_unused(punched: set[str], ticket: str, zone: int) -> str:
    if ticket.startswith("ABO"):
        return ""
    if ticket in punched:
        return "already used"
    punched |= {ticket}
    return ""


def first_problem(checks: list[Check]) -> Check:
    def run(ticket: str, zone: int) -> str:
        return next(filter(None, (check(ticket, zone) for check in checks)), "")

    return run


inspect = first_problem([
    check_format,
    partial(check_zone, {"TK": 3, "ABO": 5}),
    partial(check_unused, set()),
])


class Gate(GraphBusNode):
    @subscribe("/Rail/Gate")
    def on_ticket(self, ticket: str, zone: int) -> dict[str, object]:
        problem = inspect(ticket, zone)
        return {"open": not problem, "display": problem or "have a good trip"}
