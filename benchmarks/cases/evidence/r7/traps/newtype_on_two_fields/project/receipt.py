from graphbus_core import GraphBusNode, depends_on, schema_method
from money import Cents


class Receipt(GraphBusNode):
    @depends_on("Basket.sum")
    @schema_method
    def print_(self, amount: Cents, items: int) -> str:
        return f"{items} items  {amount / 100:8.2f}"
