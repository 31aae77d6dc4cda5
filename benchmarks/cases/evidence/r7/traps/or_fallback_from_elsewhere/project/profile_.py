from graphbus_core import GraphBusNode, schema_method


class Profile(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"city": str, "office": str})
    def defaults(self):
        return {"city": "Thun", "office": "Bern"}
