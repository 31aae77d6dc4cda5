# stateful
from graphbus_core import GraphBusNode, subscribe


class Positive:
    def __init__(self, field):
        self.field = field

    def __call__(self, invoice):
        return invoice[self.field] > 0


class OneOf:
    def __init__(self, field, *values):
        self.field, self.values = field, frozenset(values)

    def __call__(self, invoice):
        return invoice[self.field] in self.values


class Ascending:
    def __init__(self, field):
        self.field, self.low = field, 0

    def __call__(self, invoice):
        ok = invoice[self.field] > self.low
        self.low = max(self.low, invoice[self.field])
        return ok


RULES = {
    "amount": Positive("amount"),
    "currency": OneOf("currency", "EUR", "USD", "CHF"),
    "number": Ascending("number"),
}


class InvoiceCheck(GraphBusNode):
    @subscribe("/Invoice/Arrived")
    def on_invoice(self, payload):
        broken = [name for name, rule in RULES.items() if not rule(payload)]
        self.publish("/Invoice/Checked", {"number": payload["number"], "broken": broken})
