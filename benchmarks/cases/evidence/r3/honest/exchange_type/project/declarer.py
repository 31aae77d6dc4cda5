from graphbus_core import GraphBusNode, depends_on, schema_method


class Declarer(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.log = []

    def _note(self, value):
        self.log.append((type(value).__name__, value))

    @depends_on("Topology.describe")
    @schema_method(input_schema={"name": str, "type": str}, output_schema={"command": str})
    def declare(self, name, type):
        self._note(name)
        return {"command": f"exchange.declare {name} {type}"}
