from graphbus_core import GraphBusNode, depends_on, schema_method


class Concierge(GraphBusNode):
    @schema_method(input_schema={"guest": str}, output_schema={"room": str, "phone": str})
    def look_up(self, guest):
        return {"room": "204", "phone": "+41 44 1"}


class Switch(GraphBusNode):
    @depends_on("Concierge.look_up")
    @schema_method(input_schema={"telephone": str}, output_schema={"line": str})
    def connect(self, telephone):
        return {"line": telephone.replace(" ", "")}
