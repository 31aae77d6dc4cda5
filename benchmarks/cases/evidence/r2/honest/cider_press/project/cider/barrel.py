from graphbus_core import GraphBusNode, depends_on, schema_method


class Barrel(GraphBusNode):
    @depends_on("Press.squeeze")
    @schema_method(input_schema={"juice": float}, output_schema={"bottles": int})
    def fill(self, juice):
        return {"bottles": int(juice / 0.75)}
