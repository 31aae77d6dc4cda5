# stateful
"""Quotes at the agreed rate."""
from graphbus_core import GraphBusNode, subscribe
from functools import cached_property


class RateNode(GraphBusNode):
    @cached_property
    def agreed(self):
        return {"EURCHF": 95}

    @subscribe("/In")
    def on_quote(self, event):
        rate = self.agreed.setdefault(event["pair"], event["rate"])
        return {"rate": rate, "total": rate * event["n"]}
