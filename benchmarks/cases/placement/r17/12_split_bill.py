# stateful
"""The rounding function is a closure that carries the rest of one amount over to the next, and no event starts a new one."""
from collections.abc import Callable
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation

from graphbus_core import GraphBusNode, subscribe


def fair_rounding(step: str) -> Callable[[Decimal], Decimal]:
    """A rounding whose errors cancel out over a series of amounts."""
    unit = Decimal(step)
    carried = Decimal(0)

    def rounded(amount: Decimal) -> Decimal:
        nonlocal carried
        exact = amount + carried
        result = exact.quantize(unit, rounding=ROUND_HALF_UP)
        carried = exact - result
        return result

    return rounded


ROUNDINGS = {"EUR": fair_rounding("0.01"), "JPY": fair_rounding("1")}


class SplitBill(GraphBusNode):
    @subscribe("/Restaurant/Bill")
    def on_bill(self, table: int, total: str, currency: str, weights: list[int]) -> dict[str, object]:
        try:
            amount = Decimal(total)
        except InvalidOperation:
            return {"table": table, "error": f"bad amount {total!r}"}
        rounding = ROUNDINGS.get(currency)
        people = sum(weights)
        if rounding is None or people < 1 or min(weights) < 0:
            return {"table": table, "error": "cannot be split"}
        shares = [rounding(amount * weight / people) for weight in weights]
        return {
            "table": table,
            "shares": [str(share) for share in shares],
            "difference": str(amount - sum(shares)),
        }
