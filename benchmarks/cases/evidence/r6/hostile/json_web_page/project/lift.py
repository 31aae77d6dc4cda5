from graphbus_core import GraphBusNode, schema_method


class Lift(GraphBusNode):
    """A lift that stops where it is called, nearest first."""

    def __init__(self, calls=(7, 3)):
        super().__init__()
        self.floor, self.calls = 0, set(calls)
        self.doors = "shut"
        self.move()

    def move(self):
        nearest = min(self.calls, key=lambda call: abs(call - self.floor))
        self.calls.discard(nearest)
        self.floor, self.doors = nearest, "open"

    @schema_method(input_schema={}, output_schema={"floor": int, "waiting": int, "doors": str})
    def state(self):
        return {"floor": self.floor, "waiting": len(self.calls), "doors": self.doors}
