# pure
from bisect import bisect_right
from itertools import accumulate

from graphbus_core import GraphBusNode, subscribe

LIMITS = None
PAID_BELOW = None
RATES = [0, 14, 24, 42]


def _load():
    global LIMITS, PAID_BELOW
    LIMITS = [0, 12_000, 18_000, 68_000]
    widths = [b - a for a, b in zip(LIMITS, LIMITS[1:])]
    PAID_BELOW = list(accumulate((w * r // 100 for w, r in zip(widths, RATES)), initial=0))


_load()


class TaxBrackets(GraphBusNode):
    @subscribe("/Salary/Declared")
    def on_declared(self, payload):
        income = payload["income"] - payload.get("allowance", 0)
        step = bisect_right(LIMITS, max(income, 0)) - 1
        tax = PAID_BELOW[step] + (max(income, 0) - LIMITS[step]) * RATES[step] // 100
        self.publish("/Salary/Tax", {"person": payload["person"], "tax": tax})
