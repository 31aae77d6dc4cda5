from graphbus_core import GraphBusNode, depends_on, schema_method


class Saw(GraphBusNode):
    @schema_method(input_schema={"log": str}, output_schema={"planks": int, "wood": str})
    def cut(self, log):
        return {"planks": 14, "wood": log}


class Dryer(GraphBusNode):
    @depends_on("Saw.cut")
    @schema_method(input_schema={"boards": int, "wood": str}, output_schema={"days": int})
    def load(self, boards, wood):
        return {"days": boards * (2 if wood == "oak" else 1)}
