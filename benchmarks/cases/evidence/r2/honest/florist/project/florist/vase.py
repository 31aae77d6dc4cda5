from graphbus_core import GraphBusNode, depends_on, schema_method


class Vase(GraphBusNode):
    @depends_on("Garden.cut")
    @schema_method(input_schema={"flowers": int, "kind": str}, output_schema={"card": str})
    def arrange(self, flowers, kind):
        return {"card": f"{flowers} x {kind}"}
