from graphbus_core import GraphBusNode, depends_on, schema_method


class Index(GraphBusNode):
    @depends_on("Note.read")
    @schema_method(input_schema={"tags": list[str]}, output_schema={"first": str, "n": int})
    def add(self, tags):
        return {"first": tags[0], "n": len(tags)}
