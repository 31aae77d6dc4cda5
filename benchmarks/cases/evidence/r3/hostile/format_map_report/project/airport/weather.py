from graphbus_core import GraphBusNode, publishes, schema_method


class Weather(GraphBusNode):
    @publishes("/Weather/Now", {"celsius": float, "wind": str})
    @schema_method(input_schema={"code": str}, output_schema={"celsius": float, "wind": str})
    def now(self, code):
        return {"celsius": float(len(code)) * 7, "wind": "SW"}
