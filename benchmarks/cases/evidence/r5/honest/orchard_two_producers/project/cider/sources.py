from graphbus_core import GraphBusNode, schema_method


class Orchard(GraphBusNode):
    @schema_method(input_schema={"trees": int}, output_schema={"apples_kg": float})
    def pick(self, trees):
        return {"apples_kg": trees * 40.0}


class Pantry(GraphBusNode):
    @schema_method(input_schema={"style": str}, output_schema={"sugar_kg": float, "days": int})
    def fetch(self, style):
        return {"sugar_kg": 2.0 if style == "sweet" else 0.5, "days": 20}
