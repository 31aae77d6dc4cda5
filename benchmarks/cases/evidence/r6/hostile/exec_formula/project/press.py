from graphbus_core import GraphBusNode, schema_method

CURVE = (120.0, 180.0, 210.0, 225.0)


class Press(GraphBusNode):
    SYSTEM_PROMPT = "I report cycles of the press."

    def __init__(self):
        super().__init__()
        self.cycles = 0

    @schema_method(input_schema={"step": int}, output_schema={"force_kn": float, "stroke_mm": float})
    def cycle(self, step):
        self.cycles += 1
        return {"force_kn": CURVE[step], "stroke_mm": 40.0 - 2 * step}
