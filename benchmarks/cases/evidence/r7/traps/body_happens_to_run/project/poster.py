from graphbus_core import GraphBusNode, depends_on, schema_method


class Poster(GraphBusNode):
    @depends_on("Club.members")
    @schema_method(input_schema={"names": list[str]}, output_schema={"text": str})
    def print_(self, names):
        return {"text": " / ".join(sorted(names)).upper()}
