from graphbus_core import GraphBusNode, depends_on, schema_method


class Bonus(GraphBusNode):
    steps = {0: 0, 30: 100, 50: 200, 70: 400}

    @depends_on("Survey.results")
    @schema_method(input_schema={"nps": int}, output_schema={"euro": int})
    def pay(self, nps):
        reached = [euro for step, euro in self.steps.items() if nps >= step]
        return {"euro": max(reached, default=0)}
