from graphbus_core import GraphBusNode, schema_method


class Boiler(GraphBusNode):
    @schema_method(output_schema={"now_bar": float | None, "last_bar": float})
    def poll(self):
        """`now_bar` is None while the sensor is restarting; `last_bar` is what was seen before that."""
        return {"now_bar": 9.5, "last_bar": 2.0}
