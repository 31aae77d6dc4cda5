from graphbus_core import GraphBusNode, depends_on, schema_method


class Wear(GraphBusNode):
    SYSTEM_PROMPT = "I sum up what the tool had to bear."
    life = 1000.0

    def __init__(self):
        super().__init__()
        self.total = 0.0

    @depends_on("Press.cycle")
    @schema_method(input_schema={"load_kn": float}, output_schema={"wear": float})
    def add(self, load_kn):
        self.total += load_kn / self.life
        if self.total >= 1:
            self.total = 0.0
            return {"wear": 1.0}
        return {"wear": round(self.total, 4)}
