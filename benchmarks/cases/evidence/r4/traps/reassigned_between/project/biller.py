from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method

class Bill(TypedDict):
    total: float


class Biller(GraphBusNode):
    @depends_on("Tariff.look_up")
    @schema_method
    def bill(self, country: str, factor: float) -> Bill:
        return {"total": round(200.0 * factor, 2)}
