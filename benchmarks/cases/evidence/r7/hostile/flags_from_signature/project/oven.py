from graphbus_core import GraphBusNode, depends_on, schema_method


class Oven(GraphBusNode):
    @depends_on("Recipe.scale")
    @schema_method(input_schema={"portions": int, "hot": int}, output_schema={"minutes": int})
    def bake(self, portions, hot=0):
        return {"minutes": 20 + 5 * portions - 10 * hot}
