from dataclasses import dataclass

from graphbus_core import GraphBusNode, depends_on, schema_method


@dataclass
class Policy:
    minimum: int = 50
    target: int = 100


class Reorder(GraphBusNode):
    def __init__(self, policy=None):
        super().__init__()
        self.policy = policy or Policy()

    @depends_on("Stock.level")
    @schema_method(input_schema={"quantity": int}, output_schema={"order": int})
    def decide(self, quantity):
        if quantity >= self.policy.minimum:
            return {"order": 0}
        return {"order": self.policy.target - quantity}
