from graphbus_core import GraphBusNode, depends_on, schema_method


class Loop(GraphBusNode):
    """Gradient descent on (w - 3)^2."""

    def __init__(self, rate=0.25):
        super().__init__()
        self.rate = rate
        self.w = 0.0

    def step(self):
        self.w -= self.rate * 2 * (self.w - 3)

    @depends_on("Plan.read")
    @schema_method(
        input_schema={"steps": int, "every": int, "evaluation_strategy": str},
        output_schema={"evals": list, "loss": float},
    )
    def fit(self, steps, every, evaluation_strategy):
        evals = []
        for number in range(1, steps + 1):
            self.step()
            due = number % every == 0 if evaluation_strategy == "steps" else number == steps
            if due and evaluation_strategy != "no":
                evals.append(number)
        return {"evals": evals, "loss": round((self.w - 3) ** 2, 6)}
