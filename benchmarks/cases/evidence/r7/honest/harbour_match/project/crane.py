from graphbus_core import GraphBusNode, depends_on, schema_method


class Crane(GraphBusNode):
    @depends_on("Harbour.assign")
    @schema_method(input_schema={"dock": int}, output_schema={"rail": int})
    def move(self, dock):
        return {"rail": 12 * dock}
