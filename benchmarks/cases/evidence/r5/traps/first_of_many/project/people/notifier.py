from graphbus_core import GraphBusNode, depends_on, schema_method


class Notifier(GraphBusNode):
    @depends_on("Directory.find")
    @schema_method(input_schema={"email": str}, output_schema={"to": str})
    def write(self, email):
        return {"to": f"To: {email}"}
