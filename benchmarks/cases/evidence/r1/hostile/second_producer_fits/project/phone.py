from graphbus_core import GraphBusNode, schema_method


class Phone(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"sku": str, "quantity": int})
    def call(self):
        return {"sku": "rum", "quantity": 5}
