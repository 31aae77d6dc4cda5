from graphbus_core import GraphBusNode, depends_on, schema_method


class Announcer(GraphBusNode):
    @depends_on("Resolver.resolve")
    @schema_method(output_schema={"line": str})
    def announce(self, server: str):
        return {"line": f"to everybody on {server}"}
