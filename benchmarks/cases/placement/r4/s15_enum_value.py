# stateful
"""Turnover of the region of an order."""
from graphbus_core import GraphBusNode, subscribe
from enum import Enum


class Region(Enum):
    NORTH = [100]
    SOUTH = [0]

    def after(self, eur):
        self.value.append(eur)
        return sum(self.value)


class Regions(GraphBusNode):
    @subscribe("/In")
    def on_order(self, event):
        region = Region[event["region"]]
        return {"region": region.name, "total": region.after(event["eur"])}
