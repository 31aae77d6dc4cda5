from pydantic import BaseModel

from graphbus_core import GraphBusNode, depends_on, schema_method


class Picked(BaseModel):
    sku: str
    min_qty: int
    qty: int


class Stock(GraphBusNode):
    @schema_method
    def pick(self, sku: str) -> Picked:
        return Picked(sku=sku, min_qty=1, qty=6)


class Packing(GraphBusNode):
    @depends_on("Stock.pick")
    @schema_method
    def box(self, sku: str, quantity: int) -> dict[str, str]:
        return {"box": f"{quantity} x {sku}"}
