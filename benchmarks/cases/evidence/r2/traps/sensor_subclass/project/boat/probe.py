from graphbus_core import GraphBusNode, schema_method


class DepthProbe(GraphBusNode):
    """Feet, as sold in 1983."""

    @schema_method(output_schema={"depth": float})
    def sound(self):
        return {"depth": 32.8}
