from graphbus_core import GraphBusNode, depends_on, schema_method


class Voice(GraphBusNode):
    octave = 0

    @depends_on("Fork.strike")
    @schema_method(input_schema={"tone_hz": int}, output_schema={"sings": int})
    def tune(self, tone_hz):
        return {"sings": self.shift(tone_hz)}

    def shift(self, hz):
        return hz * 2**self.octave
