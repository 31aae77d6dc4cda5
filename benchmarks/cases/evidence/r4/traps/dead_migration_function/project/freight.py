from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method

class Quote(TypedDict):
    price: float


class Freight(GraphBusNode):
    @depends_on("Depot.weigh")
    @schema_method
    def quote(self, pallet: str, weight: float) -> Quote:
        """Price by the weight of the goods."""
        return {"price": weight * 0.5}


def _before_new_scales(depot, freight, pallet):
    w = depot.weigh(pallet)
    return freight.quote(pallet=pallet, weight=w["mass_kg"])
