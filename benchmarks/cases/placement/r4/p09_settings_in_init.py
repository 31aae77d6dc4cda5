# pure
"""Step tariff."""
from graphbus_core import GraphBusNode, subscribe
from bisect import bisect_right


class TariffNode(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.bounds = [100, 1000]
        self.cents = [30, 25, 20]
        self.basic = {"meter": 500}
        self.basic["line"] = 250

    @subscribe("/In")
    def on_usage(self, event):
        step = bisect_right(self.bounds, event["kwh"])
        base = sum(self.basic.values())
        return {"step": step, "total": base + event["kwh"] * self.cents[step]}
