from graphbus_core import GraphBusNode, schema_method


class Figure(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"counts": list[int], "density": bool, "stacked": bool})
    def spec(self):
        return {"counts": [1, 3], "density": True, "stacked": False}
