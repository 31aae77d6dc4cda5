from graphbus_core import GraphBusNode, depends_on, schema_method


class Greeter(GraphBusNode):
    @depends_on("Directory.lookup")
    @schema_method(input_schema={"user": str}, output_schema={"line": str})
    def greet(self, user):
        return {"line": f"Welcome, {user}."}
