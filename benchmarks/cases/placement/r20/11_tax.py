# pure
"""Income tax of one return; the rounding is set in a local context and undone again."""
from decimal import ROUND_DOWN, Decimal, localcontext
from typing import Iterator

from graphbus_core import GraphBusNode, subscribe

BRACKETS: list[tuple[Decimal, Decimal]] = [
    (Decimal("11000"), Decimal("0")),
    (Decimal("18000"), Decimal("0.20")),
    (Decimal("31000"), Decimal("0.30")),
    (Decimal("60000"), Decimal("0.41")),
    (Decimal("Infinity"), Decimal("0.48")),
]
CHILD_CREDIT = {1: Decimal("2000"), 2: Decimal("1900"), 3: Decimal("1650")}
DEDUCTIBLE = {"church": Decimal("400"), "commute": Decimal("1500"), "donation": Decimal("5000"), "tools": Decimal("800")}


def slices(income: Decimal) -> Iterator[tuple[Decimal, Decimal]]:
    """The parts of the income that lie in each bracket with their rate."""
    lower = Decimal(0)
    for upper, rate in BRACKETS:
        if income <= lower:
            return
        yield min(income, upper) - lower, rate
        lower = upper


def deductions(items: dict[str, str]) -> Decimal:
    total = Decimal(132)
    for name, amount in items.items():
        limit = DEDUCTIBLE.get(name)
        if limit is not None:
            total += min(limit, Decimal(amount))
    return total


class Assessment(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.brackets = len(BRACKETS)

    @subscribe("/TaxOffice/Return")
    def on_return(self, gross: str, items: dict[str, str], children: int) -> dict[str, object]:
        with localcontext() as ctx:
            ctx.prec = 12
            ctx.rounding = ROUND_DOWN
            taxable = max(Decimal(0), Decimal(gross) - deductions(items))
            table = [(part, rate, part * rate) for part, rate in slices(taxable)]
            tax = sum((t for _, _, t in table), Decimal(0))
            credit = sum((CHILD_CREDIT.get(n, Decimal("1650")) for n in range(1, children + 1)), Decimal(0))
            due = max(Decimal(0), tax - credit).quantize(Decimal(1))
            average = (due / taxable * 100).quantize(Decimal("0.1")) if taxable else Decimal(0)
        return {
            "taxable": str(taxable),
            "slices": [f"{part} x {rate:.0%}" for part, rate, _ in table],
            "due": int(due),
            "average": f"{average} %",
            "top": len(table) == self.brackets,
        }
