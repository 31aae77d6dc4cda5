from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method

class Charged(TypedDict):
    text: str


class Charger(GraphBusNode):
    @depends_on("Invoicing.make")
    @schema_method
    def charge(self, number: str, amount: float) -> Charged:
        return {"text": f"{number}: {amount:.2f}"}
