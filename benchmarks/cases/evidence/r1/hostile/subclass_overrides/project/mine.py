from graphbus_core import GraphBusNode, depends_on, schema_method


class Mine(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"ore_kg": int})
    def dig(self):
        return {"ore_kg": 70}


class Cart(GraphBusNode):
    LIMIT = 100

    @depends_on("Mine.dig")
    @schema_method(input_schema={"kg": int}, output_schema={"load": int})
    def fill(self, kg):
        return {"load": min(kg, self.LIMIT)}
