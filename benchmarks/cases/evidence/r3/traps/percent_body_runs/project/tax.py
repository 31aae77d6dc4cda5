from typing import TypedDict

from graphbus_core import GraphBusNode, schema_method


class Rate(TypedDict):
    vat: float


class Tax(GraphBusNode):
    @schema_method
    def rate_for(self, country: str) -> Rate:
        return {"vat": {"DE": 0.19, "IT": 0.22}.get(country, 0.15)}
