from decimal import Decimal

from graphbus_core import GraphBusNode, schema_method


class Cart(GraphBusNode):
    PRICES = {"pen": Decimal("0.10"), "pad": Decimal("0.20")}

    @schema_method(input_schema={"items": list}, output_schema={"amount": Decimal})
    def total(self, items):
        return {"amount": sum((self.PRICES[i] for i in items), Decimal(0))}
