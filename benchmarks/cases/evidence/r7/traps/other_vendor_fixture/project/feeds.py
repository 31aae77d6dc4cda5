from graphbus_core import GraphBusNode, schema_method


class SudFeed(GraphBusNode):
    """Clean prices."""

    @schema_method(input_schema={}, output_schema={"px": float})
    def quote(self):
        return {"px": 98.25}


class NordFeed(GraphBusNode):
    """Dirty prices, as settled."""

    @schema_method(input_schema={}, output_schema={"px": float, "accrued": float})
    def quote(self):
        return {"px": 99.75, "accrued": 1.5}
