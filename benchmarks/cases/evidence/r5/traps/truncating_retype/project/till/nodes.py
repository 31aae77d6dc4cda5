from graphbus_core import GraphBusNode, depends_on, schema_method


class Till(GraphBusNode):
    @schema_method(input_schema={"items": dict}, output_schema={"amount": float})
    def ring(self, items):
        return {"amount": sum(items.values())}


class Ledger(GraphBusNode):
    """Keeps cents."""

    @depends_on("Till.ring")
    @schema_method(input_schema={"amount": int}, output_schema={"line": str})
    def enter(self, amount):
        return {"line": f"EUR {amount / 100:.2f}"}
