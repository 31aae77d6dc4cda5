from decimal import Decimal  # noqa: F401

from graphbus_core import GraphBusNode, depends_on, schema_method


class CashBox(GraphBusNode):
    @depends_on("Stall.sell")
    @schema_method
    def drop(self, price: float) -> dict[str, str]:
        return {"three_times": str(price + price + price)}
