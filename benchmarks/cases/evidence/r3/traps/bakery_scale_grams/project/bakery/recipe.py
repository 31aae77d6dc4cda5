from graphbus_core import GraphBusNode, depends_on, schema_method


class Recipe(GraphBusNode):
    FLOUR_PER_LOAF = 500

    @depends_on("Scale.weigh")
    @schema_method(input_schema={"grams": float}, output_schema={"loaves": int})
    def scale_to(self, grams):
        return {"loaves": int(grams // self.FLOUR_PER_LOAF)}
