# pure
"""Keeps nothing: the tax brackets are a constant table and every slip is worked out from its event."""
from graphbus_core import GraphBusNode, subscribe

BRACKETS = [
    (1100_00, 0),
    (2500_00, 19),
    (4800_00, 31),
    (None, 42),
]
PENSION = 9
HEALTH = 7


def tax(gross):
    total = 0
    floor = 0
    for limit, percent in BRACKETS:
        top = gross if limit is None else min(gross, limit)
        if top > floor:
            total += (top - floor) * percent // 100
        if limit is None or gross <= limit:
            break
        floor = limit
    return total


def deductions(gross, children):
    items = []
    items.append(("pension", gross * PENSION // 100))
    items.append(("health", gross * HEALTH // 100))
    t = tax(gross) - children * 40_00
    items.append(("tax", max(t, 0)))
    return items


class Payroll(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.currency = "EUR"

    @subscribe("/payroll/month")
    def slip(self, gross_cents: int, children: int) -> dict:
        if gross_cents < 0:
            return {"error": "negative gross"}
        items = deductions(gross_cents, max(children, 0))
        net = gross_cents
        for _, cents in items:
            net -= cents
        return {"lines": dict(items), "net": net, "currency": self.currency}
