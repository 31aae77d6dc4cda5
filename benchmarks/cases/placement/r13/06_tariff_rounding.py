# stateful
"""The thread's decimal context keeps its sticky Inexact flag, and nobody clears it."""
import decimal
from decimal import Decimal

from graphbus_core import GraphBusNode, subscribe


def share(total: str, parts: int) -> Decimal:
    return Decimal(total) / Decimal(parts)


class InstalmentPlan(GraphBusNode):
    """Splits a yearly premium and says whether the last instalment needs a correction."""

    @subscribe("/Billing/Split")
    def split(self, total: str, parts: int) -> dict[str, object]:
        each = share(total, parts)
        shown = f"{each:.2f}"
        needs_correction = bool(decimal.getcontext().flags[decimal.Inexact])
        return {"each": shown, "parts": parts, "correction": needs_correction}
