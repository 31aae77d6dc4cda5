from graphbus_core import GraphBusNode, depends_on, schema_method


class Score(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"bpm": int})
    def open(self):
        return {"bpm": 90}


class Player(GraphBusNode):
    @depends_on("Score.open")
    @schema_method(input_schema={"tempo": int}, output_schema={"beat_s": float})
    def play(self, tempo):
        return {"beat_s": 60 / tempo}
