# pure
"""Builds a quote with a fluent builder."""
from graphbus_core import GraphBusNode, subscribe


class QuoteBuilder:
    def __init__(self):
        self.lines = []
        self.cents = 0
        self.percent = 0

    def add(self, name, cents, n=1):
        self.lines.append(f"{n} x {name}")
        self.cents += cents * n
        return self

    def rebate(self, percent):
        self.percent = percent
        return self

    def build(self):
        return {"lines": self.lines, "total": self.cents * (100 - self.percent) // 100}


class QuoteNode(GraphBusNode):
    @subscribe("/In")
    def on_quote(self, event):
        builder = QuoteBuilder()
        for item in event["items"]:
            builder.add(item["name"], item["cents"], n=item["n"])
        return builder.rebate(event["rebate"]).build()
