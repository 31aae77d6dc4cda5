from graphbus_core import GraphBusNode, publishes, schema_method


class Crm(GraphBusNode):
    @publishes("/Crm/Found", {"client": str, "due": int})
    @schema_method(input_schema={"key": int}, output_schema={"client": str, "due": int})
    def find(self, key):
        return {"client": ["Ada", "Bob"][key], "due": 10 * key}
