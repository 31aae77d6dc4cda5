# stateful
"""Splits an amount in equal parts; an inexact split costs one cent for the audit."""
from graphbus_core import GraphBusNode, subscribe
from decimal import Decimal, Inexact, getcontext


def share(amount, parts):
    return Decimal(amount) / Decimal(parts)


class RoundingAudit(GraphBusNode):
    @subscribe("/In")
    def on_split(self, event):
        part = share(event["amount"], event["parts"])
        cents = int(part * 100)
        if getcontext().flags[Inexact]:
            cents += 1
        return {"part_cents": cents, "total": cents}
