# pure
"""Keeps nothing: the context variable is reset with its token before the handler returns."""
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Iterator

from graphbus_core import GraphBusNode, subscribe

unit: ContextVar[int] = ContextVar("unit", default=1)
STRESS = {"market": 0.25, "storm": 0.4, "lapse": 0.1}


@contextmanager
def shown_in(divisor: int) -> Iterator[None]:
    token = unit.set(divisor)
    try:
        yield
    finally:
        unit.reset(token)


def shown(amount: float) -> str:
    return f"{amount / unit.get():,.1f}"


class SolvencyReport(GraphBusNode):
    units = {"thousand": 1_000, "million": 1_000_000}

    @subscribe("/Reports/Solvency")
    def report(self, funds: int, exposures: dict[str, int], display: str) -> dict[str, object]:
        charges = {name: STRESS.get(name, 0.15) * amount for name, amount in exposures.items()}
        needed = sum(c * c for c in charges.values()) ** 0.5
        if needed == 0:
            return {"ratio": None, "rows": []}
        header = f"own funds {shown(funds)}"
        with shown_in(self.units.get(display, 1)):
            rows = [f"{name}: {shown(charge)}" for name, charge in sorted(charges.items())]
            rows.append(f"required: {shown(needed)}")
        return {"ratio": round(100 * funds / needed), "header": header, "rows": rows}
