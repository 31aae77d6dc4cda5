from graphbus_core import GraphBusNode, depends_on, schema_method


class Optimizer(GraphBusNode):
    """Minimises x * x."""

    steps = 2

    def __init__(self, start=1.0):
        super().__init__()
        self.start = start

    @depends_on("Sweep.draw")
    @schema_method(input_schema={"lr": float, "momentum": float}, output_schema={"x": float})
    def descend(self, lr, momentum=0.0):
        x, velocity = self.start, 0.0
        for _ in range(self.steps):
            velocity = momentum * velocity - lr * 2 * x
            x += velocity
        return {"x": round(x, 6)}
