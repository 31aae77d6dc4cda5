from graphbus_core import GraphBusNode, depends_on, schema_method


class Cart(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"total": int})
    def total(self):
        return {"total": 500}


class Receipt(GraphBusNode):
    @depends_on("Cart.total")
    @schema_method(input_schema={"total": int, "cashier_id": int}, output_schema={"text": str})
    def print_(self, total, cashier_id):
        return {"text": f"{total / 100:.2f} EUR"}
