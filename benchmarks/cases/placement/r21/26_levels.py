# stateful
"""Keeps the precision of the decimal context of the process, which a fine levelling sets for all later ones."""
import decimal
from decimal import Decimal

from graphbus_core import GraphBusNode, subscribe

ACCURACY = {"rough": 4, "normal": 6, "fine": 9}
BENCHMARKS = {"BM1": Decimal("112.4375"), "BM2": Decimal("98.06125")}


def set_accuracy(name):
    if name in ACCURACY:
        decimal.getcontext().prec = ACCURACY[name]


def to_dec(values):
    out = []
    for v in values:
        out.append(Decimal(str(v)))
    return out


def run(start, back, fore):
    height = start
    for i in range(min(len(back), len(fore))):
        height = height + back[i] - fore[i]
    return height


def per_setup(height, start, n):
    if n == 0:
        return Decimal(0)
    return (height - start) / n


class LevelNode(GraphBusNode):
    @subscribe("/Survey/LevelRun")
    def on_run(self, benchmark: str, accuracy: str, back: list[float], fore: list[float]) -> dict[str, str]:
        if benchmark not in BENCHMARKS:
            return {"error": "unknown benchmark " + benchmark}
        set_accuracy(accuracy)
        start = BENCHMARKS[benchmark]
        height = run(start, to_dec(back), to_dec(fore))
        return {"height": str(height), "mean_step": str(per_setup(height, start, len(back)))}
