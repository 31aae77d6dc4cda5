from graphbus_core import GraphBusNode, depends_on, schema_method

WELCOME = "Welcome to {server}, {member}!"


class Lobby(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"guild": str, "member": str})
    def enter(self):
        return {"guild": "Go", "member": "Lee"}


class Greeter(GraphBusNode):
    @depends_on("Lobby.enter")
    @schema_method(input_schema={"server": str, "member": str}, output_schema={"text": str})
    def greet(self, server, member):
        return {"text": WELCOME.format(**locals())}
