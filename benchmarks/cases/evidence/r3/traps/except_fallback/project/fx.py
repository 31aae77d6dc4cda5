from graphbus_core import GraphBusNode, schema_method


class Fx(GraphBusNode):
    """How many euros one unit costs."""

    @schema_method(input_schema={"code": str}, output_schema={"rate": float})
    def fetch(self, code):
        return {"rate": {"USD": 0.8, "CHF": 1.0}[code]}


class Cache:
    units_per_euro = {"JPY": 160.0}
