# pure
"""Keeps nothing: the rounding is done in a local decimal context, which ends with the call."""
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, ROUND_UP, Decimal, localcontext

from graphbus_core import GraphBusNode, subscribe

ROUNDING = {"union": ROUND_UP, "office": ROUND_HALF_UP, "bank": ROUND_HALF_EVEN}
STEP = {"union": Decimal("0.25"), "office": Decimal("0.1"), "bank": Decimal("0.01")}


def minutes(text):
    h, m = text.split(":")
    return int(h) * 60 + int(m)


def hours(begin, end, pause):
    total = minutes(end) - minutes(begin)
    if total < 0:
        total += 24 * 60
    return Decimal(max(total - pause, 0)) / 60


def round_hours(value, scheme):
    with localcontext() as ctx:
        ctx.prec = 12
        ctx.rounding = ROUNDING[scheme]
        steps = (value / STEP[scheme]).quantize(Decimal(1))
        return steps * STEP[scheme]


class TimesheetNode(GraphBusNode):
    @subscribe("/Site/ClockedOut")
    def on_clock(self, worker: str, begin: str, end: str, pause: int, scheme: str) -> dict[str, str]:
        try:
            h = hours(begin, end, pause)
        except ValueError:
            return {"worker": worker, "error": "bad time"}
        if scheme not in ROUNDING:
            scheme = "office"
        return {"worker": worker, "hours": str(round_hours(h, scheme)), "scheme": scheme}
