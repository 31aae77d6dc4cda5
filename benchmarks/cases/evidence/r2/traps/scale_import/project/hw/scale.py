from graphbus_core import GraphBusNode, schema_method


class Scale(GraphBusNode):
    """Serial protocol SICS: `value` comes in tenths of a gram."""

    @schema_method(output_schema={"value": int})
    def read(self):
        return {"value": 530}
