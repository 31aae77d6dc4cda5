from graphbus_core import GraphBusNode, depends_on, schema_method

WORDS = ["ground", "first", "second", "third", "fourth"]


class Voice(GraphBusNode):
    @depends_on("Lift.state")
    @schema_method(input_schema={"level": int}, output_schema={"text": str})
    def say(self, level):
        word = WORDS[level] if level < len(WORDS) else f"{level}th"
        return {"text": f"{word} floor"}
