from graphbus_core import GraphBusNode, depends_on, schema_method


class Kitchen(GraphBusNode):
    @depends_on("Waiter.take")
    @schema_method(input_schema={"seat": int, "dish": str}, output_schema={"ticket": str})
    def cook(self, seat, dish):
        return {"ticket": f"{seat}: {dish}"}
