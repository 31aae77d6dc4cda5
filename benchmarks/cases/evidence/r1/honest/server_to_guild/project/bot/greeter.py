from graphbus_core import GraphBusNode, depends_on, schema_method


class Greeter(GraphBusNode):
    @depends_on("Gateway.join")
    @schema_method
    def greet(self, member: str, server: str) -> dict[str, str]:
        return {"text": f"Welcome to {server}, {member}!"}
