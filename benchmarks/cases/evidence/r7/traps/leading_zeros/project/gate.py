from graphbus_core import GraphBusNode, depends_on, schema_method


class Gate(GraphBusNode):
    blocked = frozenset({71, 300})

    @depends_on("Member.card")
    @schema_method(input_schema={"number": int}, output_schema={"open": bool})
    def open(self, number):
        return {"open": number not in self.blocked}
