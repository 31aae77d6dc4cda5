from graphbus_core import GraphBusNode, schema_method


class Roster(GraphBusNode):
    def __init__(self, names=()):
        super().__init__()
        self.names = list(names)

    @schema_method(input_schema={}, output_schema={"size": int})
    def crew(self):
        return {"size": len(self.names)}
