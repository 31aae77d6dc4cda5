from graphbus_core import GraphBusNode, schema_method


class Till(GraphBusNode):
    @schema_method(input_schema={"day": str}, output_schema={"takings": int})
    def close(self, day):
        return {"takings": 840}
