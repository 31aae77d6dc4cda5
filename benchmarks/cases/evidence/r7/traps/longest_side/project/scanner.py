from graphbus_core import GraphBusNode, schema_method


class Scanner(GraphBusNode):
    def __init__(self, sides=(30, 20, 55)):
        super().__init__()
        self.sides = sides

    @schema_method(input_schema={}, output_schema={"width": int, "depth": int, "height": int})
    def box(self):
        return dict(zip(("width", "depth", "height"), self.sides))
