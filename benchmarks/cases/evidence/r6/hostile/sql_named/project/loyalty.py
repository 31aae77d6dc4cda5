from graphbus_core import GraphBusNode, depends_on, schema_method


class Loyalty(GraphBusNode):
    SYSTEM_PROMPT = "I keep the points."

    def __init__(self):
        super().__init__()
        self.points = 0

    @depends_on("Kiosk.sell")
    @schema_method(input_schema={"spent": float}, output_schema={"points": int})
    def credit(self, spent):
        self.points += int(spent)
        return {"points": self.points}
