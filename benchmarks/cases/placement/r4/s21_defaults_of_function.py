# stateful
"""Freight by weight."""
from graphbus_core import GraphBusNode, subscribe


def freight(weight, rate=4):
    return weight * rate


def agreed(function, rate):
    function.__defaults__ = (rate,)
    return function


class FreightNode(GraphBusNode):
    @subscribe("/In")
    def on_freight(self, event):
        rule = agreed(freight, event["new_rate"]) if event["new_rate"] else freight
        return {"total": rule(event["weight"])}
