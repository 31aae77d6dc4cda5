from graphbus_core import GraphBusNode, schema_method


class Till(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"amount": int, "till": str})
    def close(self):
        "Whole euros: small change stays in the drawer."
        return {"amount": 412, "till": "A"}
