from graphbus_core import GraphBusNode, publishes, schema_method, subscribe


class Referee(GraphBusNode):
    @publishes("/Match/Over", {"loser": str, "winner": str})
    @schema_method(input_schema={"white": str, "black": str}, output_schema={"loser": str, "winner": str})
    def finish(self, white, black):
        result = {"loser": white, "winner": black}
        self.publish("/Match/Over", result)
        return result


class Ladder(GraphBusNode):
    def __init__(self):
        self.points = {}

    @subscribe("/Match/Over")
    @schema_method(input_schema={"player": str})
    def on_over(self, payload):
        name = payload["player"]
        self.points[name] = self.points.get(name, 0) + 1
