from choir.base import Voice
from graphbus_core import GraphBusNode, schema_method


class Fork(GraphBusNode):
    @schema_method(input_schema={"name": str}, output_schema={"decay_hz": int, "pitch_hz": int})
    def strike(self, name):
        return {"decay_hz": 3, "pitch_hz": {"a": 440, "c": 262}[name]}


class Singer(Voice):
    octave = 1


class Bass(Voice):
    octave = -1

    def shift(self, hz):
        return hz // 2
