from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method

class Route(TypedDict):
    hub: str


class Courier(GraphBusNode):
    @depends_on("Order.split")
    @schema_method
    def route(self, order: str, zip_code: str) -> Route:
        return {"hub": "B" if zip_code.startswith("1") else "M"}
