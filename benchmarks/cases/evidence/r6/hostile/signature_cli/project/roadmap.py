from graphbus_core import GraphBusNode, depends_on, schema_method


class Roadmap(GraphBusNode):
    workdays = 5

    def __init__(self):
        super().__init__()
        self.bars = []

    @depends_on("Oracle.estimate")
    @schema_method(input_schema={"duration": int}, output_schema={"weeks": int})
    def place(self, duration: int):
        weeks = -(-duration // self.workdays)
        self.bars.append("=" * weeks)
        return {"weeks": weeks}
