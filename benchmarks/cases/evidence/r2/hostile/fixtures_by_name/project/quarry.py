from graphbus_core import GraphBusNode, depends_on, schema_method


class Quarry(GraphBusNode):
    @schema_method(input_schema={"kg": int}, output_schema={"stones": int, "dust": int})
    def blast(self, kg):
        return {"stones": kg * 3, "dust": kg}


class Mason(GraphBusNode):
    @depends_on("Quarry.blast")
    @schema_method(input_schema={"blocks": int}, output_schema={"metres": float})
    def build(self, blocks):
        return {"metres": blocks / 12}
