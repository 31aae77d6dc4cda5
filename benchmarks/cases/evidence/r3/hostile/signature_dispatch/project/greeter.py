from graphbus_core import GraphBusNode, depends_on, schema_method


class Greeter(GraphBusNode):
    @depends_on("Login.verify")
    @schema_method(input_schema={"username": str}, output_schema={"page": str})
    def welcome(self, username):
        return {"page": f"Hi {username}"}
