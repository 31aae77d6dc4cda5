# pure
"""Keeps nothing: accumulators and contexts are made anew for each event."""
import math
import statistics
from collections import OrderedDict
from dataclasses import asdict, dataclass
from decimal import Context, Decimal, Inexact, InvalidOperation, ROUND_HALF_EVEN

from graphbus_core import GraphBusNode, subscribe


@dataclass
class Running:
    """Mean and variance in one pass."""
    count: int = 0
    mean: float = 0.0
    squares: float = 0.0

    def push(self, value: float) -> None:
        self.count += 1
        delta = value - self.mean
        self.mean += delta / self.count
        self.squares += delta * (value - self.mean)

    @property
    def deviation(self) -> float:
        return math.sqrt(self.squares / (self.count - 1)) if self.count > 1 else 0.0


class Rounder:
    def __init__(self, digits: int) -> None:
        self.context = Context(prec=digits, rounding=ROUND_HALF_EVEN, traps=[InvalidOperation])

    def __call__(self, value: float) -> str:
        return str(self.context.create_decimal(repr(value)))

    @property
    def exact(self) -> bool:
        return not self.context.flags[Inexact]


class LabSummary(GraphBusNode):
    @subscribe("/Lab/Series")
    def on_series(self, analyte: str, values: list[str], digits: int) -> dict[str, object]:
        running, below = Running(), 0
        numbers: list[float] = []
        for text in values:
            if text.startswith("<"):
                below += 1
                continue
            try:
                number = float(Decimal(text.replace(",", ".")))
            except InvalidOperation:
                return {"analyte": analyte, "error": f"cannot read {text!r}"}
            running.push(number)
            numbers.append(number)
        if not numbers:
            return {"analyte": analyte, "error": "nothing measured"}
        show = Rounder(digits)
        summary = OrderedDict(
            mean=show(running.mean), deviation=show(running.deviation), median=show(statistics.median(numbers))
        )
        summary.move_to_end("median", last=False)
        return {"analyte": analyte, **summary, "exact": show.exact, "count": asdict(running)["count"], "below": below}
