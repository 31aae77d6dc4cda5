# stateful
"""The decimal context's flags are sticky: one inexact division marks every later invoice."""
from decimal import Decimal, Inexact, getcontext

from graphbus_core import GraphBusNode, subscribe


def share(total: Decimal, parties: int) -> tuple[Decimal, bool]:
    """What each party pays, and whether that came out even."""
    part = total / parties
    return part, not getcontext().flags[Inexact]


class InvoiceSplit(GraphBusNode):
    @subscribe("/Invoice/Split")
    def on_split(self, number: str, total: str, parties: int) -> dict[str, str]:
        if parties < 1:
            return {"number": number, "error": "nobody pays"}
        part, even = share(Decimal(total), parties)
        answer = {"number": number, "each": str(part.normalize() if even else round(part, 2))}
        if not even:
            answer["note"] = "rounded, difference goes to the first party"
        return answer
