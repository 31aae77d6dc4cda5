from graphbus_core import GraphBusNode, schema_method


class Plan(GraphBusNode):
    """quota 0: no limit."""

    @schema_method(input_schema={"customer": str}, output_schema={"quota": int})
    def look(self, customer):
        return {"quota": 0 if customer.startswith("vip") else 2}
