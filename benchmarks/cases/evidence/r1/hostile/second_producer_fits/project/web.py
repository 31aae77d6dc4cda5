from graphbus_core import GraphBusNode, schema_method


class Web(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"sku": str, "qty": int})
    def order(self):
        return {"sku": "tea", "qty": 2}
