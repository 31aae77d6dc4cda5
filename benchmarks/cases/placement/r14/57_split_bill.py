# stateful
"""Keeps the Inexact flag, which stays raised in the decimal context until somebody clears it."""
from decimal import Decimal, Inexact, getcontext

from graphbus_core import GraphBusNode, subscribe


def share(total: Decimal, people: int) -> tuple[Decimal, bool]:
    """The share of each, and whether it had to be rounded."""
    context = getcontext()
    part = context.divide(total, Decimal(people))
    return part, bool(context.flags[Inexact])


class SplitBill(GraphBusNode):
    @subscribe("/Bill/Split")
    def on_event(self, cents: int, people: int) -> dict[str, object]:
        if people < 1:
            return {"error": "nobody to pay"}
        part, rounded = share(Decimal(cents), people)
        return {"share": f"{part:.4f}", "rounded": rounded}
