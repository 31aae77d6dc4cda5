from graphbus_core import GraphBusNode, schema_method


class Estate(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"rooms": int, "baths": int})
    def flat(self):
        return {"rooms": 4, "baths": 2}
