from graphbus_core import GraphBusNode, schema_method


class Stock(GraphBusNode):
    @schema_method(input_schema={"sku": str, "quantity": int}, output_schema={"taken": str})
    def take(self, sku, quantity):
        return {"taken": f"{quantity} {sku}"}
