from graphbus_core import GraphBusNode, depends_on, schema_method


class Fetch(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"headlines": list[str]})
    def run(self):
        return {"headlines": ["a", "b"]}


class Count(GraphBusNode):
    @depends_on("Fetch.run")
    @schema_method(input_schema={"items": list[str]}, output_schema={"n": int})
    def run(self, items):
        return {"n": len(items)}
