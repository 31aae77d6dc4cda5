from graphbus_core import GraphBusNode, depends_on, schema_method


class Loom(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"width_in": float})
    def weave(self):
        return {"width_in": 60.0}


class Dye(GraphBusNode):
    @depends_on("Loom.weave")
    @schema_method(input_schema={"width_cm": float}, output_schema={"rolls": int})
    def order(self, width_cm):
        return {"rolls": 2 if width_cm > 140 else 1}
