from graphbus_core import GraphBusNode, schema_method


class Shipping(GraphBusNode):
    @schema_method(output_schema={"tracking": str})
    def label(self, order: int):
        return {"tracking": f"TR{order:05d}"}
