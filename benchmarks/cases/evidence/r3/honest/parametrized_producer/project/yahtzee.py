from graphbus_core import GraphBusNode, depends_on, schema_method


class Dice(GraphBusNode):
    @schema_method(input_schema={"seed": int}, output_schema={"pips": int})
    def roll(self, seed):
        return {"pips": (seed * 1103515245 + 12345) // 65536 % 6 + 1}


class Score(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.sum = 0

    @depends_on("Dice.roll")
    @schema_method(input_schema={"points": int}, output_schema={"sum": int})
    def add(self, points):
        self.sum += points
        return {"sum": self.sum}
