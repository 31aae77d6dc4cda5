from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class RatesResult(TypedDict):
    currency: str
    country: str


class Rates(GraphBusNode):
    @schema_method
    def get(self, country: str) -> RatesResult:
        return {"currency": {"SE": "SEK"}.get(country, "EUR"), "country": country}
