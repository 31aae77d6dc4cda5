from graphbus_core import GraphBusNode, depends_on, schema_method


class Ward(GraphBusNode):
    @schema_method(input_schema={"bed": int}, output_schema={"patient": str, "complaint": str})
    def admit(self, bed):
        return {"patient": "bear", "complaint": "loose ear"}


class Surgeon(GraphBusNode):
    @depends_on("Ward.admit")
    @schema_method(input_schema={"toy": str, "damage": str}, output_schema={"note": str})
    def mend(self, toy, damage):
        return {"note": f"{toy}: {damage}, sewn"}
