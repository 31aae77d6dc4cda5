from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method

class Rate(TypedDict):
    country: str
    rate: float


class Tariff(GraphBusNode):
    @schema_method
    def look_up(self, country: str) -> Rate:
        return {"country": country, "rate": 19.0}
