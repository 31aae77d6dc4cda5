from graphbus_core import GraphBusNode, depends_on, schema_method


class Score(GraphBusNode):
    @schema_method(input_schema={"piece": str}, output_schema={"bars": int, "bpm": int})
    def header(self, piece):
        return {"bars": 32, "bpm": 120}


class Metronome(GraphBusNode):
    @depends_on("Score.header")
    @schema_method(input_schema={"tempo": int}, output_schema={"seconds": float})
    def tick(self, tempo):
        return {"seconds": 60 / tempo}
